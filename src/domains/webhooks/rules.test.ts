// When a delivery is tried again, when an endpoint rests or is given up, and what a signature says.
import { readFile } from 'node:fs/promises'
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { eventWords } from './event-words.ts'
import { webhookPayloads } from './events.ts'
import {
  endpointPath,
  isDelivered,
  isGone,
  isHanging,
  mayBeGivenUp,
  pauseAfter,
  restAfter,
} from './rules.ts'
import { changedEndpoint, newEndpoint } from './schema.ts'
import { makeSecret, signatureHeaders } from './signature.ts'

test('the help article names every event, with what stands in it besides', async () => {
  const article = await readFile('content/help/creators/webhooks.md', 'utf8')
  const lines = article.split('\n')
  for (const [type, payload] of Object.entries(webhookPayloads)) {
    expect(article).toContain(`\`${type}\``)
    if (type === 'webhook.test') continue
    const line = lines.find((one) => one.startsWith(`- \`${type}\``)) ?? ''
    const parts = Object.keys(payload.shape).filter(
      (name) => name !== 'course' && name !== 'person',
    )
    // "The same" as in the line before.
    const isSame = line.endsWith('The same.')
    for (const name of isSame ? [] : parts) expect(line).toMatch(new RegExp(`\`${name}[.\`]`))
  }
})

test('the pauses grow from seconds to a day; after eight attempts there is none', () => {
  const pauses = Array.from({ length: 9 }, (_, at) => pauseAfter(at + 1))
  expect(pauses).toEqual([5, 300, 1800, 7200, 18_000, 36_000, 86_400, null, null])
})

test('an endpoint that hangs rests as long as it has been failing, from a minute to a quarter of an hour', () => {
  expect([0, 60, 61, 899, 900, 901, 86_400].map(restAfter)).toEqual([
    60, 60, 61, 899, 900, 900, 900,
  ])
})

test('it hangs when no answer came for a second', () => {
  expect([
    isHanging(null, 1000),
    isHanging(null, 999),
    isHanging(500, 9000),
    isHanging(200, 9000),
  ]).toEqual([true, false, false, false])
})

test.each([
  [199, false, false],
  [200, true, false],
  [204, true, false],
  [299, true, false],
  [300, false, false],
  [409, false, false],
  [410, false, true],
  [411, false, false],
  [null, false, false],
])('the answer %s: delivered %s, gone for good %s', (status, delivered, gone) => {
  expect([isDelivered(status), isGone(status)]).toEqual([delivered, gone])
})

test('it is given up after five days of nothing but failures', () => {
  const fiveDays = 5 * 24 * 60 * 60
  expect([
    mayBeGivenUp(fiveDays - 1, 8),
    mayBeGivenUp(fiveDays, 5),
    mayBeGivenUp(fiveDays, 4),
    mayBeGivenUp(0, 5),
  ]).toEqual([false, true, false, false])
  expect(endpointPath('1')).toBe('/settings/webhooks/1')
})

test('a signature names the event and the whole second, once for each secret', () => {
  const secrets = [makeSecret(), makeSecret()]
  expect(secrets[0]).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  expect(secrets[0]).not.toBe(secrets[1])
  const at = new Date(Math.floor(Date.now() / 1000) * 1000 + 999)
  const headers = signatureHeaders({ messageId: 'x', body: '{"a":1}', secrets, at })
  expect(headers).toEqual({
    'webhook-id': 'msg_x',
    'webhook-timestamp': String((at.getTime() - 999) / 1000),
    'webhook-signature': expect.stringMatching(/^v1,[A-Za-z0-9+/]{43}= v1,[A-Za-z0-9+/]{43}=$/),
  })
  for (const secret of secrets) {
    expect(new Webhook(secret).verify('{"a":1}', headers)).toEqual({ a: 1 })
    expect(() => new Webhook(secret).verify('{"a":2}', headers)).toThrow()
  }
})

test('an endpoint is made with what is left out, each event once, and within its limits', () => {
  const least = { url: ' https://hooks.example/ ', events: ['post.created', 'post.created'] }
  expect(newEndpoint.parse(least)).toEqual({
    url: 'https://hooks.example/',
    events: ['post.created'],
    description: '',
    courseId: null,
  })
  const problem = (schema: typeof newEndpoint | typeof changedEndpoint, more: object) =>
    schema.safeParse({ ...least, ...more }).error?.issues.map(({ message }) => message)
  expect([
    problem(newEndpoint, { events: ['everything'] }),
    problem(newEndpoint, { events: 'post.created' }),
    problem(newEndpoint, { events: [] }),
    problem(changedEndpoint, { endpointId: crypto.randomUUID(), active: 'x' }),
    problem(changedEndpoint, { active: true }),
    problem(newEndpoint, { courseId: 'x' }),
  ]).toEqual([
    ['There is no such event'],
    ['Choose at least one event'],
    ['Choose at least one event'],
    ['It must be on or off'],
    ['The webhook is not a valid id'],
    ['The course is not a valid id'],
  ])
  const accepts = (more: object) => newEndpoint.safeParse({ ...least, ...more }).success
  expect([
    accepts({ url: 'a'.repeat(2000) }),
    accepts({ url: 'a'.repeat(2001) }),
    accepts({ description: 'a'.repeat(120) }),
    accepts({ description: 'a'.repeat(121) }),
    accepts({ events: Array.from({ length: 100 }, () => 'post.created') }),
    accepts({ events: Array.from({ length: 101 }, () => 'post.created') }),
  ]).toEqual([true, false, true, false, true, false])
})

test('each event that can be chosen is said in words of its own', () => {
  const { 'webhook.test': _byHand, ...chosen } = webhookPayloads
  expect(Object.keys(eventWords).toSorted()).toEqual(Object.keys(chosen).toSorted())
  const words = Object.values(eventWords)
  for (const said of words) expect(said).toMatch(/^[A-Z]\w* \w+.*[a-z)]$/)
  expect(new Set(words).size).toBe(words.length)
})
