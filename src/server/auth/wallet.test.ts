// Log-in with an Ethereum wallet (ERC-4361): the test holds the key, as a wallet would.
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { behindChange } from '../../../test/behind-change.ts'
import { makePerson, sessionCookieOf } from '../../../test/factories.ts'
import { type Browser, openBrowser } from '../../../test/identity/browser.ts'

let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
})
beforeEach(() => app.services.pool.query('delete from rate_limits'))
afterAll(() => app.stop())

const rowsOf = async (sql: string, ...values: unknown[]) =>
  (await app.services.pool.query(sql, values)).rows

const inWords = expect.stringMatching(/^\w[^{}[\]<>]* \w+/)

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

interface Wallet {
  address: string
  sign(message: string): string
}

/** ERC-55: capitals are a checksum. */
function checksummed(address: string): string {
  const hash = hex(keccak_256(new TextEncoder().encode(address)))
  const letters = [...address].map((letter, at) =>
    Number.parseInt(hash[at]!, 16) > 7 ? letter.toUpperCase() : letter,
  )
  return `0x${letters.join('')}`
}

function makeWallet(): Wallet {
  const key = secp256k1.utils.randomSecretKey()
  const publicKey = secp256k1.getPublicKey(key, false).subarray(1)
  return {
    address: checksummed(hex(keccak_256(publicKey).subarray(-20))),
    sign(message) {
      const text = new TextEncoder().encode(message)
      const prefix = new TextEncoder().encode(`\x19Ethereum Signed Message:\n${text.length}`)
      const hash = keccak_256(Buffer.concat([prefix, text]))
      const signature = secp256k1.sign(hash, key, { prehash: false, format: 'recovered' })
      // Recovery first here; wallets put it last, from 27 on.
      return `0x${hex(signature.subarray(1))}${(27 + signature[0]!).toString(16)}`
    },
  }
}

async function askForNonce(browser: Browser): Promise<string> {
  const { body, status } = await browser.request('/auth/v1/siwe/nonce', { body: {} })
  expect([status, body.nonce]).toEqual([200, expect.stringMatching(/^[a-zA-Z0-9]{24}$/)])
  return body.nonce
}

interface MessageFacts {
  address: string
  nonce: string
  domain?: string
  chainId?: string
  expires?: string
  notBefore?: string
}

const messageOf = (facts: MessageFacts) =>
  [
    `${facts.domain ?? 'localhost:3000'} wants you to sign in with your Ethereum account:`,
    facts.address,
    '',
    'Log in to Thunder.',
    '',
    'URI: http://localhost:3000/login',
    'Version: 1',
    `Chain ID: ${facts.chainId ?? '1'}`,
    `Nonce: ${facts.nonce}`,
    `Issued At: ${new Date().toISOString()}`,
    ...(facts.expires === undefined ? [] : [`Expiration Time: ${facts.expires}`]),
    ...(facts.notBefore === undefined ? [] : [`Not Before: ${facts.notBefore}`]),
  ].join('\n')

const verify = (browser: Browser, body: object) => browser.request('/auth/v1/siwe/verify', { body })

async function logIn(browser: Browser, wallet: Wallet, facts: Partial<MessageFacts> = {}) {
  const nonce = await askForNonce(browser)
  const message = messageOf({ address: wallet.address, nonce, ...facts })
  return verify(browser, { message, signature: wallet.sign(message) })
}

const personOf = async ({ address }: Wallet) =>
  (
    await rowsOf(
      `select u.* from users u join wallet_addresses w on w.user_id = u.id where w.address = $1`,
      address,
    )
  )[0]

test('a wallet makes an account, and comes back to it', async () => {
  const wallet = makeWallet()
  const browser = openBrowser(app)
  const first = await logIn(browser, wallet)
  expect([first.status, first.body]).toEqual([
    200,
    {
      success: true,
      user: { id: expect.any(String), walletAddress: wallet.address, chainId: 1 },
    },
  ])
  const me = await browser.request('/auth/v1/get-session')
  expect(me.body.user.id).toBe(first.body.user.id)

  const later = openBrowser(app)
  const second = await logIn(later, wallet, {
    expires: new Date(Date.now() + 60_000).toISOString(),
  })
  expect([second.status, second.body.user?.id]).toEqual([200, first.body.user.id])
  // The same key on another chain is the same person.
  const elsewhere = await logIn(openBrowser(app), wallet, { chainId: '137' })
  expect([elsewhere.status, elsewhere.body.user?.id]).toEqual([200, first.body.user.id])
})

test('nobody sees the wallet, and nobody writes to its placeholder', async () => {
  const wallet = makeWallet()
  await logIn(openBrowser(app), wallet)
  const person = await personOf(wallet)
  expect(person).toMatchObject({ name: 'New Member', email_verified: false, avatar_url: null })
  expect(person.email).toMatch(/\.invalid$/)
  expect(person.username).not.toMatch(/0x/i)

  const { body, status } = await app.request('/rest/v1/users/' + person.username)
  expect(status).toBeLessThan(500)
  expect(JSON.stringify(body).toLowerCase()).not.toContain(wallet.address.toLowerCase().slice(2))
  expect(JSON.stringify(body)).not.toContain('.invalid')

  // All that is mailed to a newcomer, and what one asks for oneself.
  for (const path of [
    '/sign-in/magic-link',
    '/send-verification-email',
    '/request-password-reset',
  ]) {
    const asked = await app.request(`/auth/v1${path}`, { body: { email: person.email } })
    expect(asked.status, path).toBeLessThan(500)
  }
  await expect.poll(async () => rowsOf('select 1 from graphile_worker.jobs')).toEqual([])
  expect(await app.services.mail.outbox?.()).toEqual([])
})

describe('refused', () => {
  const tomorrow = () => new Date(Date.now() + 86_400_000).toISOString()
  const yesterday = () => new Date(Date.now() - 86_400_000).toISOString()

  test.each<[string, () => Partial<MessageFacts>]>([
    ['another site', () => ({ domain: 'evil.example' })],
    ['another port', () => ({ domain: 'localhost:3001' })],
    ['a site below ours', () => ({ domain: 'localhost:3000.evil.example' })],
    ['an expired message', () => ({ expires: yesterday() })],
    ['an expiry that is no time', () => ({ expires: 'never' })],
    ['a message for later', () => ({ notBefore: tomorrow() })],
    ['a beginning that is no time', () => ({ notBefore: 'soon' })],
    ['no nonce of ours', () => ({ nonce: 'abcdefghijklmnopqrstuvwx' })],
    ['a nonce that is none', () => ({ nonce: '\0' })],
    ['chain 0', () => ({ chainId: '0' })],
    ['chain -1', () => ({ chainId: '-1' })],
    ['chain 1.5', () => ({ chainId: '1.5' })],
    ['chain 1e300', () => ({ chainId: '1e300' })],
    ['a chain with 20 digits', () => ({ chainId: '99999999999999999999' })],
    ['no address', () => ({ address: '0x' })],
  ])('%s', async (_what, facts) => {
    const wallet = makeWallet()
    const browser = openBrowser(app)
    const before = await rowsOf('select count(*)::int from users')
    const { status, body } = await logIn(browser, wallet, facts())
    expect([status, body.message]).toEqual([401, inWords])
    expect(await browser.signedInAs()).toBeNull()
    expect(await rowsOf('select count(*)::int from users')).toEqual(before)
    // Its owner is not kept out by it.
    expect((await logIn(browser, wallet)).status).toBe(200)
  })

  test('a nonce twice, at once too', async () => {
    const wallet = makeWallet()
    const nonce = await askForNonce(openBrowser(app))
    const message = messageOf({ address: wallet.address, nonce })
    const signature = wallet.sign(message)
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => verify(openBrowser(app), { message, signature })),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401, 401, 401])
    const again = await verify(openBrowser(app), { message, signature })
    expect([again.status, again.body.message]).toEqual([401, inWords])
  })

  test('a signature of another wallet, or of another message', async () => {
    const [owner, thief] = [makeWallet(), makeWallet()]
    await logIn(openBrowser(app), owner)
    const browser = openBrowser(app)
    const attempt = async (sign: (message: string) => string) => {
      const message = messageOf({ address: owner.address, nonce: await askForNonce(browser) })
      return verify(browser, { message, signature: sign(message) })
    }
    const good = owner.sign('x')
    const signatures: ((message: string) => string)[] = [
      (message) => thief.sign(message),
      (message) => owner.sign(`${message} `),
      () => good,
      (message) => owner.sign(message).slice(0, -2),
      (message) => `${owner.sign(message)}00`,
      (message) => `${owner.sign(message).slice(0, -2)}ff`,
      (message) => owner.sign(message).slice(2),
      () => `0x${'0'.repeat(130)}`,
      () => `0x${'f'.repeat(130)}`,
      () => `0x${'0'.repeat(128)}1b`,
      () => '0x',
      () => 'x',
    ]
    for (const sign of signatures) {
      const { status, body } = await attempt(sign)
      expect([status, body.message]).toEqual([401, inWords])
      expect(await browser.signedInAs()).toBeNull()
    }
  })

  test('what is no message at all', async () => {
    const signature = `0x${'1'.repeat(130)}`
    const bodies = [
      {},
      { message: '' },
      { message: 'hello' },
      { message: 'hello', signature: '' },
      { message: 'hello', signature },
      { message: 5, signature },
      { message: ['x'], signature: { x: 1 } },
      { message: 'Nonce: x\n'.repeat(5000), signature },
      { message: `Chain ID: ${'9'.repeat(20_000)}`, signature },
      { message: '\0\ud800', signature },
      { message: 'x', signature, email: 'somebody@example.com' },
      { message: 'x', signature, isAdmin: true },
    ]
    for (const body of bodies) {
      const answer = await verify(openBrowser(app), body)
      expect([400, 401], JSON.stringify(body).slice(0, 80)).toContain(answer.status)
      expect(answer.body.message).toEqual(inWords)
      expect(answer.headers.getSetCookie()).toEqual([])
    }
  })

  test('an address of somebody else, sent beside the message', async () => {
    const victim = await makePerson(app.services)
    const wallet = makeWallet()
    const browser = openBrowser(app)
    const message = messageOf({ address: wallet.address, nonce: await askForNonce(browser) })
    await verify(browser, { message, signature: wallet.sign(message), email: victim.email })
    expect(await browser.signedInAs()).not.toBe(victim.email)
    expect(await rowsOf('select 1 from wallet_addresses where user_id = $1', victim.id)).toEqual([])
  })

  test('newcomers, when sign-up is closed', async () => {
    const closed = await startTestApp({ SIGNUP: 'closed' })
    try {
      const { status, body } = await logIn(openBrowser(closed), makeWallet())
      expect([status, body.message]).toEqual([
        403,
        'Account creation is currently restricted. Please contact support.',
      ])
    } finally {
      await closed.stop()
    }
  })
})

test('a wallet that was disconnected opens the account no more', async () => {
  const wallet = makeWallet()
  const browser = openBrowser(app)
  const { body } = await logIn(browser, wallet)
  await logIn(openBrowser(app), wallet, { chainId: '10' })
  const { body: identities } = await browser.request('/auth/v1/list-accounts')
  expect(identities).toHaveLength(1)
  const [identity] = identities
  const unlink = () =>
    browser.request('/auth/v1/unlink-account', { body: { accountId: identity.id } })
  // Not while it is the only way in.
  expect((await unlink()).status).toBe(400)
  await rowsOf(
    `insert into identities (user_id, provider_id, account_id) values ($1, 'oidc', 'x')`,
    body.user.id,
  )
  expect((await unlink()).status).toBe(200)
  const anew = await logIn(openBrowser(app), wallet)
  expect(anew.body.user?.id).not.toBe(body.user.id)
})

test('a wallet that is disconnected meanwhile leaves no session', async () => {
  const wallet = makeWallet()
  await logIn(openBrowser(app), wallet)
  const { id } = await personOf(wallet)
  await rowsOf('delete from sessions where user_id = $1', id)
  const [answer] = await behindChange(
    app.services,
    ['select 1 from users where id = $1 for update', id],
    [() => logIn(openBrowser(app), wallet)],
    () => rowsOf('delete from wallet_addresses where user_id = $1', id),
  )
  expect([answer!.status, answer!.body.message]).toEqual([
    401,
    'This way to log in was removed a moment ago. Please log in another way.',
  ])
  expect(await rowsOf('select 1 from sessions where user_id = $1', id)).toEqual([])
})

test('two-step verification is asked for', async () => {
  const wallet = makeWallet()
  await logIn(openBrowser(app), wallet)
  const person = await personOf(wallet)
  await rowsOf('update users set two_factor_enabled = true where id = $1', person.id)
  const browser = openBrowser(app)
  const { body } = await logIn(browser, wallet)
  expect(body).toMatchObject({ twoFactorRedirect: true })
  expect(body.user).toBeUndefined()
  expect(await browser.signedInAs()).toBeNull()
  expect((await app.request('/auth/v1/list-accounts', { cookie: browser.cookie() })).status).toBe(
    401,
  )
})

test('a session of another way does not matter to it', async () => {
  const known = await makePerson(app.services)
  const browser = openBrowser(app, await sessionCookieOf(app.services, known.id))
  const wallet = makeWallet()
  await logIn(browser, wallet)
  expect(await browser.signedInAs()).toBe((await personOf(wallet)).email)
})
