// Some 200 scripts in every text that anybody can write, and in every address that a page reads: each page is opened
// in a browser by the people who see it, and none of them is ever anything but text.
import { type Browser, expect, test } from '@playwright/test'
import { symmetricEncrypt } from 'better-auth/crypto'
import type { AccountMail } from '../../src/domains/accounts/account-mails.ts'
import { sendWelcomeMail } from '../../src/domains/accounts/emails.ts'
import { sendAccountMail } from '../../src/domains/accounts/send-account-mail.ts'
import { inviteByMail } from '../../src/domains/invitations/invite-by-mail.ts'
import { sendDigest } from '../../src/domains/notifications/digest.ts'
import { sendNoticeMail } from '../../src/domains/notifications/mail-notice.ts'
import { sendSupportMail } from '../../src/domains/support/support-mail.ts'
import type { Services } from '../../src/server/services.ts'
import { emptyHere, withoutCanary } from '../attacks/audiences.ts'
import { textColumns } from '../attacks/canaries.ts'
import { keepRows } from '../attacks/keep-rows.ts'
import { furnishPages, pageAddresses } from '../attacks/page-addresses.ts'
import { placeScripts } from '../attacks/place-scripts.ts'
import { makeReaders, type Reader } from '../attacks/readers.ts'
import { everyScript, kindsOfScripts, scripts } from '../attacks/scripts.ts'
import { sendScripts } from '../attacks/send-scripts.ts'
import { pageKinds } from './crawler.ts'
import { parametersOfPages } from './page-parameters.ts'
import { madeByText, openWhole, type ScriptWatch, watchScripts } from './script-watch.ts'
import { bootSecondNode } from './second-node.ts'
import { startBuiltServer } from './server.ts'

/** Typed by people, though the readers have no such row before the pages are furnished. */
const furnished = [
  'certificates.revoked_reason',
  'challenges.canceled_reason',
  'course_reviews.answer',
]

/** Made by us; with something else in them, their pages would not be found. */
const ofAddresses = ['course_invitations.code']

const webhookTables = ['webhook_endpoints', 'webhook_messages', 'webhook_attempts']

/** SCRIPTS_PAGES='/,/course/:slug' looks at these kinds of pages alone. */
const only = process.env.SCRIPTS_PAGES?.split(',')
const chosen = (addresses: Map<string, string[]>) =>
  new Map([...addresses].filter(([kind]) => only?.includes(kind) ?? true))

const pagesAtOnce = 3
const requestsAtOnce = 6

/** Where nobody may be led by what an address says. */
const elsewhere = [
  'https://evil.invalid/',
  '//evil.invalid/',
  '/\\evil.invalid/',
  '/.//evil.invalid/',
  '/\t/evil.invalid/',
]

/** So many at a time, in the order of the list. */
async function inTurns<Item>(items: Item[], atOnce: number, work: (item: Item) => Promise<void>) {
  const waiting = [...items]
  const worker = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) await work(next)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}

interface Visit {
  reader: Reader
  address: string
}

/** Opens the addresses as each person, and answers with what any of the scripts did. */
async function openAll(browser: Browser, origin: string, visits: Visit[]) {
  const findings = new Set<string>()
  for (const reader of new Set(visits.map((visit) => visit.reader))) {
    const context = await browser.newContext({ serviceWorkers: 'block' })
    if (reader.cookie !== '') {
      const [name = '', value = ''] = reader.cookie.split(/=(.*)/s)
      await context.addCookies([{ name, value, url: origin }])
    }
    const watch = await watchScripts(context, origin)
    const theirs = visits.filter((visit) => visit.reader === reader)
    await inTurns(theirs, pagesAtOnce, async ({ address }) => {
      const page = await context.newPage()
      await openWhole(page, origin + address)
      for (const made of await page.evaluate(madeByText)) findings.add(`${address} has ${made}`)
      await page.close()
    })
    for (const finding of watch.findings) findings.add(`${reader.name}: ${finding}`)
    await context.close()
  }
  return [...findings]
}

/** Whether the page is there for this person; its HTML is looked at for elements that no page of ours makes. */
async function askFor(origin: string, { reader, address }: Visit, problems: Set<string>) {
  const answer = await fetch(origin + address, {
    redirect: 'manual',
    headers: { cookie: reader.cookie },
  })
  const html = await answer.text()
  if (answer.status >= 500) problems.add(`${reader.name}: ${address} answered ${answer.status}`)
  if (html.includes('<x-hit')) problems.add(`${reader.name}: ${address} has an element of the text`)
  const location = answer.headers.get('location') ?? ''
  if (/^\s*(?:[a-z]+:|\/\/|[/\\]{2})/i.test(location) && !location.startsWith(origin)) {
    problems.add(`${reader.name}: ${address} leads to ${location}`)
  }
  return {
    isPage: answer.status < 300 && html.startsWith('<!DOCTYPE html>'),
    isWritten: html.includes('__hit'),
    shape: shapeOf(html),
  }
}

/** Its elements with the names of their attributes, which are all the places where a text can stand. */
const shapeOf = (html: string) =>
  [
    ...new Set(
      html
        .replaceAll(/<script\b[^]*?<\/script>/g, '<script>')
        .match(/<[a-z][\w-]*(?:\s+[\w:-]+(?:="[^"]*")?)*/gi)
        ?.map((tag) => tag.replaceAll(/="[^"]*"/g, '')),
    ),
  ]
    .toSorted()
    .join('')

test('the watch sees a page that takes text for code, with the policy of our pages and without', async ({
  browser,
}) => {
  const origin = 'http://unsafe.invalid'
  const policy = "default-src 'self'; script-src 'self'"
  const answers: Record<string, string>[] = [{}, { 'content-security-policy': policy }]
  for (const headers of answers) {
    const context = await browser.newContext({ serviceWorkers: 'block' })
    const watch: ScriptWatch = await watchScripts(context, origin)
    const body = (part: string) => `<!doctype html><html><body><h1>x</h1>${part}</body></html>`
    await context.route(`${origin}/**`, (route) => {
      const number = Number(new URL(route.request().url()).pathname.slice(1))
      const part = scripts[number]
      if (part === undefined) return route.fulfill({ status: 404, body: '' })
      return route.fulfill({
        headers: { 'content-type': 'text/html', ...headers },
        body: body(part),
      })
    })
    const page = await context.newPage()
    let seen = 0
    for (const number of scripts.keys()) {
      const before = watch.findings.size
      await page.goto(`${origin}/${number}`, { waitUntil: 'load' }).catch(() => undefined)
      const made = await page.evaluate(madeByText).catch(() => ['another page'])
      if (made.length > 0 || watch.findings.size > before) seen++
    }
    console.log(
      `${watch.hits.size} of ${scripts.length} scripts run in a page that is not safe, ${seen} are seen`,
    )
    expect(watch.hits.size > 60).toBe(Object.keys(headers).length === 0)
    expect(seen).toBeGreaterThan(100)
    await context.close()
  }
})

test('no text on any page, and in no mail, is code', async ({ browser }) => {
  test.setTimeout(1_800_000)
  const server = await startBuiltServer()
  const { services, stop } = await bootSecondNode(server)
  try {
    const world = { services, ...(await makeReaders(services)) }
    await furnishPages(world)
    const addresses = chosen(await pageAddresses(pageKinds(), world))
    const { readers, targets } = world
    const named = (name: string) => readers.find((reader) => reader.name === name)!

    const { placed, problems: unplaced } = await placeScripts(
      services.pool,
      new Set([...Object.keys(withoutCanary), ...ofAddresses]),
    )
    expect(unplaced).toEqual([])
    const without = textColumns()
      .map(({ table, column }) => `${table}.${column}`)
      .filter(
        (name) => !placed.has(name) && !(name in withoutCanary) && !ofAddresses.includes(name),
      )
    const mayBeEmpty = emptyHere.filter((name) => !furnished.includes(name))
    expect(without.filter((name) => !mayBeEmpty.includes(name))).toEqual([])

    // One of the calls deletes a webhook, and its page is looked at as well.
    const giveBack = await keepRows(services.pool, webhookTables)
    const sent = await sendScripts(server.url, services, targets[0]!, {
      creator: named('whole'),
      learner: named('member'),
      administrator: named('administrator'),
    })
    console.log(
      `${scripts.length} scripts of ${kindsOfScripts.length} kinds in ${placed.size} columns, and through ${sent.fields.length} fields of calls: ${sent.accepted} times taken, ${sent.refused} times refused`,
    )
    expect(sent.problems).toEqual([])
    await giveBack()

    const problems = new Set<string>()
    const visits: Visit[] = []
    const opened = new Set<string>()
    const shapes = new Set<string>()
    const asked = readers.flatMap((reader) =>
      [...addresses].flatMap(([kind, found]) =>
        found.map((address) => ({ reader, kind, address })),
      ),
    )
    await inTurns(asked, requestsAtOnce, async ({ reader, kind, address }) => {
      const page = await askFor(server.url, { reader, address }, problems)
      if (page.isPage) opened.add(kind)
      // A page is made of the same parts for several people: each of its shapes is opened once.
      const shape = `${kind} ${address.split('#')[1]} ${page.shape}`
      if (!page.isPage || !page.isWritten || shapes.has(shape)) return
      shapes.add(shape)
      visits.push({ reader, address })
    })
    console.log(`${visits.length} visits to ${opened.size} of ${addresses.size} kinds of pages`)
    for (const finding of await openAll(browser, server.url, visits)) problems.add(finding)

    const mails = await mailsOf(services)
    console.log(`${mails.length} mails`)
    for (const finding of await readMails(browser, mails)) problems.add(finding)
    expect([...problems]).toEqual([])
  } finally {
    await stop()
    await server.stop()
  }
})

test('nothing in an address is code', async ({ browser }) => {
  test.setTimeout(1_800_000)
  const server = await startBuiltServer()
  const { services, stop } = await bootSecondNode(server)
  try {
    const world = { services, ...(await makeReaders(services)) }
    await furnishPages(world)
    const addresses = chosen(await pageAddresses(pageKinds(), world))
    const readers = world.readers.filter(({ name }) =>
      ['stranger', 'whole', 'administrator'].includes(name),
    )
    const part = `"'></script><x-hit x-hit><img src=x onerror=__hit(-1)>`
    const names = parametersOfPages()
    // These choose what else is read.
    const choosing = ['tab', 'status', 'view', 'filter', 'sort', 'days', 'post', 'case']
    const query = (of: string[], value: string) =>
      new URLSearchParams(of.map((name) => [name, value])).toString()
    const queries = [
      query(names, part),
      query(names, 'javascript:__hit(-2)'),
      query(
        names.filter((name) => !choosing.includes(name)),
        part,
      ),
    ]
    const problems = new Set<string>()
    const visits: Visit[] = []
    const shapes = new Set<string>()
    const asked = readers.flatMap((reader) =>
      [...addresses].flatMap(([kind, found]) => {
        const [path, given] = found[0]!.split('#')[0]!.split('?')
        const last = found.at(-1)!.split('#')[0]!
        const all = [
          ...queries.map((one) => `${path}?${one}`),
          `${last}${last.includes('?') ? '&' : '?'}${queries[2]}`,
          ...(given ? [`${path}?${given}&${queries[2]}`] : []),
          `${kind.replaceAll(/:\w+/g, encodeURIComponent(part))}?${queries[2]}`,
          ...elsewhere.map((one) => `${path}?${query(names, one)}`),
        ]
        return [...new Set(all)].map((address) => ({ reader, kind, address }))
      }),
    )
    await inTurns(asked, requestsAtOnce, async ({ reader, kind, address }) => {
      const page = await askFor(server.url, { reader, address }, problems)
      const shape = `${kind} ${page.shape}`
      if (!page.isPage || !page.isWritten || shapes.has(shape)) return
      shapes.add(shape)
      visits.push({ reader, address })
    })
    console.log(`${asked.length} addresses`)
    console.log(
      `${names.length} parameters, ${visits.length} visits to ${addresses.size} kinds of pages`,
    )
    for (const finding of await openAll(browser, server.url, visits)) problems.add(finding)
    expect([...problems]).toEqual([])
  } finally {
    await stop()
    await server.stop()
  }
})

/** Every mail that the product writes, with scripts in all that it says. */
async function mailsOf(services: Services): Promise<string[]> {
  const mails: string[] = []
  const catching: Services = {
    ...services,
    mail: {
      ...services.mail,
      send: (message) => {
        mails.push(message.html)
        return Promise.resolve()
      },
    },
  }
  const ids = async (statement: string) =>
    (await services.pool.query<{ id: string }>(statement)).rows.map(({ id }) => id)
  for (const userId of await ids('select id from users limit 5')) {
    await sendWelcomeMail({ userId }, catching)
    await services.pool.query('update notifications set digest_due = true where user_id = $1', [
      userId,
    ])
    await sendDigest({ userId }, catching)
  }
  for (const notificationId of await ids('select id from notifications limit 20')) {
    await sendNoticeMail({ notificationId }, catching)
  }
  await services.pool.query(
    `update course_invitations set email = 'somebody@example.com', max_uses = 100, uses_count = 0,
            expires_at = null, revoked_at = null`,
  )
  for (const invitationId of await ids('select id from course_invitations limit 5')) {
    await inviteByMail({ invitationId }, catching)
  }
  const { rows } = await services.pool.query<{ requestId: string; messageId: string }>(
    'select request_id as "requestId", id as "messageId" from support_messages limit 5',
  )
  for (const message of rows) await sendSupportMail(message, catching)
  const said = { to: everyScript, name: everyScript, url: everyScript }
  const ofAccounts: AccountMail[] = [
    { kind: 'confirm-email', ...said },
    { kind: 'allow-email-change', newEmail: everyScript, ...said },
    { kind: 'reset-password', ...said },
    { kind: 'login-link', ...said },
    { kind: 'code', code: everyScript, ...said },
    { kind: 'warning', what: everyScript, ...said },
    { kind: 'address-changed', ...said },
    { kind: 'goodbye', ...said },
  ]
  for (const mail of ofAccounts) {
    const sealed = await symmetricEncrypt({ key: services.secret, data: JSON.stringify(mail) })
    await sendAccountMail({ sealed }, catching)
  }
  return mails
}

/** As a reader of mails without any policy would show them. */
async function readMails(browser: Browser, mails: string[]): Promise<string[]> {
  const context = await browser.newContext()
  const origin = 'http://mails.invalid'
  const watch = await watchScripts(context, origin)
  let html = ''
  await context.route(`${origin}/**`, (route) =>
    route.fulfill({ contentType: 'text/html; charset=utf-8', body: html }),
  )
  const page = await context.newPage()
  const findings = new Set<string>()
  for (html of mails) {
    await page.goto(origin, { waitUntil: 'load' })
    for (const made of await page.evaluate(madeByText)) findings.add(`a mail has ${made}`)
    await expect(page.locator('h1')).toHaveCount(1)
  }
  await context.close()
  return [...findings, ...watch.findings]
}
