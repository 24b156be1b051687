import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { isLocal } from './outbox.ts'

const app = new Hono().get('/', (context) => context.text(isLocal(context) ? 'here' : 'elsewhere'))
const asked = async (address: string, headers: Record<string, string> = {}) =>
  (await app.request(address, { headers })).text()

test.each(['http://localhost:3000/', 'http://127.0.0.1:3000/', 'http://[::1]:3000/'])(
  '%s is asked for at this machine',
  async (address) => {
    expect(await asked(address)).toBe('here')
    expect(await asked(address, { 'x-forwarded-for': '203.0.113.9' })).toBe('elsewhere')
  },
)

test.each([
  'http://evil.example:3000/',
  'http://localhost.evil.example/',
  'http://127.0.0.1.nip.io/',
])('%s is the page of a stranger, though its name leads here', async (address) => {
  expect(await asked(address)).toBe('elsewhere')
})
