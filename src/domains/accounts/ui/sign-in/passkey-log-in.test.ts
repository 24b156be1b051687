import { afterEach, expect, test, vi } from 'vitest'
import { unreachable } from '../../sign-in-words.ts'
import { logInWithPasskey } from './passkey-log-in.ts'

afterEach(() => vi.unstubAllGlobals())

/** A browser with a passkey that its owner chooses at once. */
class Passkey {
  static parseRequestOptionsFromJSON = (options: object) => options
  toJSON = () => ({ id: 'own' })
}

const sent: object[] = []

/** What somebody reads who logs in with a passkey while these are the answers, one after the other. */
async function logIn(
  answers: Response[],
  { autofill = false, remember = (): boolean => false } = {},
) {
  sent.length = 0
  vi.stubGlobal('fetch', async (_path: string, { body }: RequestInit) => {
    if (typeof body === 'string') sent.push(JSON.parse(body))
    return answers.shift()
  })
  vi.stubGlobal('PublicKeyCredential', Passkey)
  vi.stubGlobal('navigator', { credentials: { get: async () => new Passkey() } })
  return logInWithPasskey({ autofill, remember, signal: new AbortController().signal })
}

const challenge = () => Response.json({ challenge: 'c' })
const ofProxy = (status: number) => new Response('<h1>No server is ready.</h1>', { status })
const problem = (status: number, code: string) =>
  Response.json({ code, status, message: 'As the server says.' }, { status })

test.each([502, 503, 504])(
  'a passkey is not called bad where a proxy answers %i',
  async (status) => {
    expect(await logIn([ofProxy(status)])).toEqual({ problem: unreachable })
    expect(await logIn([challenge(), ofProxy(status)])).toEqual({ problem: unreachable })
    expect(await logIn([ofProxy(status)], { autofill: true })).toEqual({ problem: null })
  },
)

test('a passkey that was looked at is refused in words', async () => {
  const refused = await logIn([challenge(), problem(400, 'AUTHENTICATION_FAILED')])
  expect(refused).toEqual({ problem: expect.stringContaining('was not accepted') })
  const failed = await logIn([challenge(), problem(503, 'SERVICE_UNAVAILABLE')])
  expect(failed).toEqual({ problem: 'As the server says.' })
  expect(await logIn([challenge(), Response.json({})])).toBe('logged in')
})

test.each([true, false])('what the form says of remembering goes along: %s', async (ticked) => {
  await logIn([challenge(), Response.json({})], { remember: () => ticked })
  expect(sent).toEqual([{ response: { id: 'own' }, rememberMe: ticked }])
})
