import { renderToStaticMarkup } from 'react-dom/server'
import { createRoutesStub } from 'react-router'
import { expect, test } from 'vitest'
import { PasswordSetting } from './password-setting.tsx'

type Props = Parameters<typeof PasswordSetting>[0]

const identity = {
  id: '00000000-0000-7000-8000-000000000001',
  provider: 'acme',
  name: 'acme',
  createdAt: '2026-01-01T00:00:00.000Z',
}

const employee: Props = {
  email: 'ann@acme.example',
  emailVerified: false,
  hasMailbox: true,
  hasPassword: false,
  phoneNumber: null,
  passkeys: [],
  identities: [identity],
}

function said(change: Partial<Props>): string {
  const props = { ...employee, ...change }
  const Stub = createRoutesStub([{ path: '/', Component: () => <PasswordSetting {...props} /> }])
  return renderToStaticMarkup(<Stub />)
}

const confirmFirst = 'Confirm your address first'
const setOne = 'Send me a link to set one'

test.each<[string, Partial<Props>]>([
  ['another service or an organization', {}],
  [
    'a passkey',
    { identities: [], passkeys: [{ id: identity.id, name: 'Key', createdAt: identity.createdAt }] },
  ],
  ['a telephone', { identities: [], phoneNumber: '+4915112345678' }],
])('who logs in by %s confirms the address before a password is set', (_what, change) => {
  expect(said(change)).toContain(confirmFirst)
  expect(said(change)).not.toContain(setOne)
  expect(said({ ...change, emailVerified: true })).not.toContain(confirmFirst)
  expect(said({ ...change, emailVerified: true })).toContain(setOne)
})

test('who has no other way in sets a password at once', () => {
  expect(said({ identities: [] })).not.toContain(confirmFirst)
  expect(said({ identities: [] })).toContain(setOne)
})
