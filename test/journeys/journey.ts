// What the journeys share: one built server, people, and the checks that every page has to pass.
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import {
  type APIRequestContext,
  type Browser,
  type BrowserContext,
  expect,
  type Page,
  type Request,
  test as base,
} from '@playwright/test'
import type axe from 'axe-core'
import { Client } from 'pg'
import { runningPostgresUrl } from '../../src/server/postgres/embedded.ts'
import { holdNightly } from '../schedule.ts'
import { type BuiltServer, startBuiltServer } from './server.ts'

export { expect }

declare global {
  interface Window {
    axe: typeof axe
  }
}

export interface Newcomer {
  name: string
  email: string
  password: string
}

/** All journeys of a run share one server; what they make carries names of their own. */
export const test = base.extend<
  { baseURL: string; newcomers: void; whatWentOn: void },
  { thunder: BuiltServer }
>({
  thunder: [
    // Playwright insists on the empty pattern.
    // oxlint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const server = await startBuiltServer()
      await leaveFilmsAsTheyAre(server)
      await withDatabase(server, holdNightly)
      await use(server)
      await server.stop()
    },
    { scope: 'worker', timeout: 240_000 },
  ],
  baseURL: async ({ thunder }, use) => use(thunder.url),
  page: async ({ page }, use) => {
    await page.addInitScript(asOverPlainHttp)
    await use(page)
  },
  newcomers: [
    async ({ thunder }, use) => {
      await forgetSignUps(thunder)
      await use()
    },
    { auto: true },
  ],
  /** What the server said and still has to do when a journey failed. */
  whatWentOn: [
    async ({ thunder }, use, journey) => {
      await use()
      if (journey.status === journey.expectedStatus) return
      const jobs = await waitingJobs(thunder).catch(String)
      const mails = await newestMails(thunder).catch(String)
      console.log(`After “${journey.title}” the server had said:\n${thunder.said()}`)
      console.log('Jobs that wait:', jobs, 'Mails:', mails)
    },
    { auto: true },
  ],
})

/** Browsers give it to pages over https and of this machine alone; at home Thunder may be neither. */
const asOverPlainHttp = () => Reflect.deleteProperty(Crypto.prototype, 'randomUUID')

async function newestMails({ url }: BuiltServer) {
  const answer = await fetch(`${url}/outbox/mails.json`)
  const mails = (await answer.json()) as { receivedAt: string; to: string; subject: string }[]
  const lines = mails.map(({ receivedAt, to, subject }) => `${receivedAt} ${to}: ${subject}`)
  return [`${lines.length} are kept`, ...lines.slice(0, 10)]
}

async function waitingJobs({ dataDir }: BuiltServer) {
  const database = new Client({ connectionString: await runningPostgresUrl({ dataDir }) })
  await database.connect()
  try {
    const { rows } = await database.query(
      `select task_identifier, attempts, run_at, locked_at, last_error from graphile_worker.jobs
        order by run_at limit 50`,
    )
    return rows
  } finally {
    await database.end()
  }
}

/** For what would take many people, or a long time. */
async function withDatabase(
  { dataDir }: BuiltServer,
  work: (database: Client) => Promise<unknown>,
) {
  const database = new Client({ connectionString: await runningPostgresUrl({ dataDir }) })
  await database.connect()
  try {
    await work(database)
  } finally {
    await database.end()
  }
}

export const inDatabase = (server: BuiltServer, statement: string, values: unknown[] = []) =>
  withDatabase(server, (database) => database.query(statement, values))

/** While `work` runs, the database is not as it should be. */
export async function meddle(
  server: BuiltServer,
  { change, undo }: { change: string; undo: string },
  work: () => Promise<unknown>,
) {
  await inDatabase(server, change)
  try {
    await work()
  } finally {
    await inDatabase(server, undo)
  }
}

/** All journeys come from one address, from which only so many people may sign up in an hour. */
const forgetSignUps = (server: BuiltServer) =>
  inDatabase(server, "delete from rate_limits where key like 'signup-address:%'")

/**
 * Films that wait to be converted play as they are: that of the welcome course, and those of earlier tests.
 * It would take the time of the tests, and the film that one of them waits for would come after all others.
 */
export const leaveFilmsAsTheyAre = (server: BuiltServer) =>
  inDatabase(server, 'delete from video_processings')

export const newcomer = (name: string): Newcomer => ({
  name,
  email: `${randomUUID()}@example.com`,
  password: 'correct horse',
})

/** Fills the sign-up form in and sends it; the page is there already. */
export async function signUpHere(page: Page, person: Newcomer) {
  await page.getByLabel('Display Name').fill(person.name)
  await page.getByLabel('Email').fill(person.email)
  await page.getByLabel('Password', { exact: true }).fill(person.password)
  await page.getByLabel('Confirm Password', { exact: true }).fill(person.password)
  await page.getByRole('checkbox', { name: /I agree to the Terms/ }).check()
  await page.getByRole('button', { name: 'Create account' }).click()
}

export async function logInHere(page: Page, person: Pick<Newcomer, 'email' | 'password'>) {
  await page.getByLabel('Email').fill(person.email)
  await page.getByLabel('Password', { exact: true }).fill(person.password)
  await page.getByRole('button', { name: 'Login', exact: true }).click()
}

/** For journeys about something else: signed up through the API, with the cookie in this context. */
export async function signedUp(request: APIRequestContext, name: string): Promise<Newcomer> {
  const person = newcomer(name)
  const answer = await request.post('/auth/v1/sign-up/email', { data: person })
  expect(answer.status()).toBe(200)
  return person
}

const paragraph = (text: string) => ({
  type: 'doc',
  content: [{ type: 'paragraph', content: [{ type: 'text', text }] }],
})

/** A published course with these lessons in one chapter, made through the API by whoever is signed in. */
export async function publishedCourse(
  request: APIRequestContext,
  title: string,
  lessons = ['First lesson'],
): Promise<{ id: string; slug: string }> {
  const made = await request.post('/rest/v1/courses', {
    data: { title, description: paragraph(`All about ${title}.`), category: 'Tech' },
  })
  expect(made.status()).toBe(200)
  const { id, slug } = await made.json()
  const content = await (await request.get(`/rest/v1/courses/${id}/content`)).json()
  const saved = await request.put(`/rest/v1/courses/${id}/content`, {
    data: {
      contentVersion: content.contentVersion,
      chapters: [
        {
          title: 'Chapter 1',
          lessons: lessons.map((lesson) => ({ title: lesson, content: paragraph(lesson) })),
        },
      ],
    },
  })
  expect(saved.status()).toBe(200)
  expect((await request.post(`/rest/v1/courses/${id}/publish`)).status()).toBe(200)
  return { id, slug }
}

/** A video of whoever is signed in, sent as the editor sends it; answers its id. */
export async function uploadedVideo(
  request: APIRequestContext,
  courseId: string,
  { filename, bytes }: { filename: string; bytes?: Buffer } = { filename: 'lesson.mp4' },
): Promise<string> {
  const file = bytes ?? (await readFile('test/fixtures/lesson.mp4'))
  const metadata = { purpose: 'video', courseId, filename, filetype: 'video/mp4' }
  const encoded = Object.entries(metadata)
    .map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`)
    .join(',')
  const tus = { 'tus-resumable': '1.0.0' }
  const opened = await request.post('/storage/v1/uploads', {
    headers: { ...tus, 'upload-length': String(file.length), 'upload-metadata': encoded },
  })
  expect(opened.status()).toBe(201)
  const { location = '' } = opened.headers()
  const sent = await request.patch(location, {
    headers: { ...tus, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' },
    data: file,
  })
  expect(sent.ok(), await sent.text()).toBe(true)
  return location.split('/').at(-1) ?? ''
}

/** Buttons do what they say from here on, also in parts whose code comes after the page's. */
export async function hydrated(page: Page) {
  await expect(page.locator('html')).toHaveAttribute('data-hydrated')
  await expect.poll(() => page.evaluate(withoutHandlers).catch(String)).toEqual([])
}

/** Without a connection from here on; the code of the page to which a form is sent was fetched with the form. */
export async function goOffline(page: Page, action: string) {
  await expect.poll(() => page.evaluate(actionFiles, action)).toEqual({ missing: [], asked: 2 })
  await page.context().setOffline(true)
}

/** What of the code for a form's action was not fetched yet, and how often its route was asked for. */
async function actionFiles(action: string) {
  const names = performance.getEntriesByType('resource').map(({ name }) => decodeURIComponent(name))
  // The form asks for its action's code, and React Router for the route, perhaps with many others.
  const asked = names.filter((name) => name.includes('/__manifest?') && name.includes(action))
  const own = asked.find((name) => name.includes(`?paths=${action}&`))
  if (!own) return { missing: [action], asked: asked.length }
  const routes: object = await (await fetch(own)).json()
  const files = Object.values(routes).flatMap(({ module, clientActionModule }) => [
    module as string,
    ...(clientActionModule ? [clientActionModule as string] : []),
  ])
  const missing = files.filter((file) => !names.some((name) => name.endsWith(file)))
  // With all that they need in turn.
  if (missing.length === 0) await Promise.all(files.map((file) => import(file)))
  return { missing, asked: Math.min(asked.length, 2) }
}

/** Buttons that React has not taken over yet. */
const withoutHandlers = () =>
  [...document.querySelectorAll('button')]
    .filter((button) => !Object.keys(button).some((key) => key.startsWith('__reactProps')))
    .map((button) => button.outerHTML.slice(0, 200))

/** Time stands still on this page from here on, until it is moved; `page.clock.install()` before it is opened. */
export const stopClock = (page: Page) =>
  // Ahead by more than this message may take to the page: its clock cannot go back.
  page.clock.pauseAt(Date.now() + 30_000)

/** The titles of what is unread under the bell. */
export async function unreadNotices({ request }: Page): Promise<string[]> {
  const { notifications } = await (await request.get('/rest/v1/notifications')).json()
  return notifications
    .filter(({ read }: { read: boolean }) => !read)
    .map(({ title }: { title: string }) => title)
}

/** Letters have their final widths: what is measured from here on stays where it is. */
export const lettersAreThere = (page: Page) =>
  page.evaluate(() => document.fonts.ready.then(() => undefined))

/** Another person, at another machine. */
export async function somebodyElse(
  browser: Browser,
  options: Parameters<Browser['newContext']>[0] = {},
): Promise<{ context: BrowserContext; page: Page }> {
  const context = await browser.newContext(options)
  return { context, page: await context.newPage() }
}

/** No wider than the window, as soon as all parts follow its size. */
export const expectNoSidewaysScrolling = (page: Page) =>
  expect
    .poll(
      () =>
        page.evaluate(() => {
          const { scrollWidth, clientWidth } = document.documentElement
          return scrollWidth - clientWidth
        }),
      `${page.url()} is wider than the window by so many pixels`,
    )
    .toBe(0)

/**
 * Nothing that axe finds, in both themes. Told to axe itself, within the page: its driver for Playwright opens another
 * page for each report, which takes ten times as long.
 */
export async function expectNoAxeViolations(page: Page) {
  // Each frame answers for itself.
  for (const frame of page.frames()) await frame.evaluate(withAxe)
  const found = await page.evaluate(violationsByTheme)
  for (const [theme, violations] of Object.entries(found)) {
    expect(violations, `${page.url()} in the ${theme} theme`).toEqual([])
  }
}

const axeSource = readFileSync(
  createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
  'utf8',
)
/** An expression: axe, where the document does not have it yet. */
const withAxe = `'axe' in window || void (() => {${axeSource}})()`

/** Runs in the page, which has axe. */
async function violationsByTheme() {
  const root = document.documentElement
  const chosen = root.dataset.theme
  const found: Record<string, unknown[]> = {}
  const moves = () => document.getAnimations().filter(({ playState }) => playState === 'running')
  for (const theme of ['light', 'dark']) {
    root.dataset.theme = theme
    // A colour on its way from one theme to the other has a contrast that nobody reads. What inherits one that has
    // arrived may only begin then.
    for (let moving = moves(); moving.length > 0; moving = moves()) {
      for (const animation of moving) {
        if (animation.effect?.getComputedTiming().iterations === Infinity) animation.cancel()
        else animation.finish()
      }
    }
    const { violations } = await window.axe.run(document, {
      resultTypes: ['violations'],
      // Another theme has the same elements in other colours.
      ...(theme === 'dark' && { runOnly: ['color-contrast', 'link-in-text-block'] }),
    })
    found[theme] = violations.map(({ id, help, nodes }) => ({
      id,
      help,
      where: nodes.map(({ target, failureSummary }) => `${target.join(' ')} ${failureSummary}`),
    }))
  }
  if (chosen === undefined) delete root.dataset.theme
  else root.dataset.theme = chosen
  return found
}

/** How a page sends from now on, in bytes per second; call what it answers for the usual speed. */
export async function sendSlowly(page: Page, bytesPerSecond: number): Promise<() => Promise<void>> {
  const network = await page.context().newCDPSession(page)
  const send = (uploadThroughput: number) =>
    network.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput,
    })
  await network.send('Network.enable')
  await send(bytesPerSecond)
  return async () => {
    await send(-1)
    await network.detach()
  }
}

/** A real video of this many bytes: the lesson's, followed by a box of noise that players skip. */
export async function writeVideo(path: string, bytes: number): Promise<Buffer> {
  const video = await readFile('test/fixtures/lesson.mp4')
  const rest = Buffer.alloc(bytes - video.length)
  // Differs everywhere, so that a piece at the wrong place changes the hash.
  for (let at = 8; at + 4 <= rest.length; at += 4) {
    rest.writeUInt32LE(Math.imul(at, 2_654_435_761) >>> 0, at)
  }
  rest.writeUInt32BE(rest.length, 0)
  rest.write('free', 4, 'latin1')
  const whole = Buffer.concat([video, rest])
  await writeFile(path, whole)
  return whole
}

/** Everything that a browser complains about while this page is open: scripts that fail, policies that bite. */
export function complaintsOf(page: Page): string[] {
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('console', (message) => {
    // An answer of 4xx is logged as an error, too; here it is what is being tested.
    if (message.type() !== 'error' || message.text().startsWith('Failed to load resource')) return
    complaints.push(message.text())
  })
  return complaints
}

/** Requests like these wait until they are let go; counts them meanwhile. */
export async function hold(page: Page, path: RegExp, method = 'POST') {
  const gate = Promise.withResolvers<void>()
  const held: Request[] = []
  await page.route(path, async (route) => {
    if (route.request().method() !== method) return route.fallback()
    held.push(route.request())
    await gate.promise
    return route.continue()
  })
  return { held, letGo: () => gate.resolve() }
}
