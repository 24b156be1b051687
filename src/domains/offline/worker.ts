// The service worker. Pages come from the network or not at all, but for the lessons that one person opened: their
// text is kept. Video, files, calls and events are never touched.
import {
  type KeptLesson,
  lessonPath,
  marks,
  noAccessHeader,
  type WorkerMessage,
} from './kept-lesson.ts'

/** What of a worker's global scope is used; the types of pages know no workers. */
interface WorkerEvent extends Event {
  waitUntil(promise: Promise<unknown>): void
}
interface FetchEvent extends WorkerEvent {
  request: Request
  respondWith(answer: Promise<Response>): void
}
interface WorkerScope {
  skipWaiting(): Promise<void>
  clients: { claim(): Promise<void> }
  addEventListener(type: 'install' | 'activate', listener: (event: WorkerEvent) => void): void
  addEventListener(type: 'fetch', listener: (event: FetchEvent) => void): void
  addEventListener(
    type: 'message',
    listener: (event: WorkerEvent & { data: WorkerMessage }) => void,
  ): void
}
const worker = globalThis as unknown as WorkerScope

const names = { pages: 'offline-page', files: 'built-files', lessons: 'kept-lessons' }
const offlinePage = '/offline'
const ownerPath = '/offline/owner'
const most = { lessons: 200, files: 400 }
/** Milliseconds after which the offline page is asked for again. */
const pageAge = 60 * 60 * 1000
/** Milliseconds for what the worker asks by itself: on a line that stalls there is no answer, ever. */
const patience = 30_000

/**
 * One after the other: who is here and what to keep come at once, and each looks whose shelf it is. Pages wait for
 * their turn, too, so nothing of the network is waited for in one.
 */
let turn: Promise<unknown> = Promise.resolve()
function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  const done = turn.then(work, work)
  turn = done
  return done
}

worker.addEventListener('install', (event) => {
  event.waitUntil(Promise.all([renewOfflinePage(), worker.skipWaiting()]))
})
// It holds nothing of one build alone, so that open pages of an earlier one go on under it.
worker.addEventListener('activate', (event) => event.waitUntil(worker.clients.claim()))

worker.addEventListener('message', (event) => {
  const { data } = event
  if (data.type === 'here') event.waitUntil(welcome(data.owner))
  else if (data.type === 'left') event.waitUntil(lookAgain(data.courseId))
  else event.waitUntil(inTurn(() => keep(data.owner, data.lesson)))
})

worker.addEventListener('fetch', (event) => {
  const { request } = event
  const url = new URL(request.url)
  if (url.origin !== location.origin) return
  if (request.method !== 'GET') {
    if (url.pathname.replace(/\.data$/, '') === '/logout') event.waitUntil(inTurn(forgetAll))
    return
  }
  if (url.pathname.startsWith('/assets/')) {
    if (!request.headers.has('range')) event.respondWith(builtFile(request))
  } else if (request.mode === 'navigate') {
    if (!isFile(url.pathname)) event.respondWith(page(event, url))
  } else if (url.pathname.endsWith('.data')) {
    url.pathname = url.pathname.slice(0, -'.data'.length)
    event.respondWith(pageData(request, url))
  }
})

const isFile = (path: string) => /^\/(?:storage|rest|auth|functions|realtime|sandbox)\//.test(path)

/** Where only somebody comes who is signed in no more, or is shut out. */
const isLeaving = ({ pathname, searchParams }: URL) =>
  ['/login', '/suspended'].includes(pathname) || searchParams.get('account') === 'deleted'

/** What is said to somebody with a session may never be kept. */
const isForStrangers = ({ headers }: Response) =>
  headers.get('cache-control') === 'no-cache' &&
  headers.get('content-type')?.startsWith('text/html')

async function page(event: FetchEvent, url: URL): Promise<Response> {
  const answer = await fetch(event.request).catch(() => null)
  if (!answer) return offline(url.pathname)
  if (answer.ok && (isLeaving(url) || isForStrangers(answer))) await inTurn(forgetAll)
  else if (answer.type === 'opaqueredirect') event.waitUntil(sentAway(url))
  else await forgetBy(answer, url.pathname)
  return answer
}

/** The same for what React Router asks on the way to another page; a redirect is a 202 there. */
async function pageData(request: Request, url: URL): Promise<Response> {
  const answer = await fetch(request)
  if (answer.status === 200 && isLeaving(url)) await inTurn(forgetAll)
  else await forgetBy(answer, url.pathname)
  return answer
}

/** Whither a page leads is hidden from workers, but not from who asks as React Router does. */
async function sentAway({ pathname, search }: URL) {
  if (!(await inTurn(keptPaths)).some(isBeside(pathname))) return
  await askAndForget(`${pathname}.data${search}`, (answer) => answer && goneBy(answer, pathname))
}

type IsGone = ((kept: string) => boolean) | null

/** How often a lesson was kept. */
let keepings = 0

/**
 * Forgets what the answer says is over. Where a lesson was kept meanwhile it may be older than that, by somebody who is
 * in the course again, or newer: it is asked for once more.
 */
async function askAndForget(address: string, goneIn: (answer: Response | null) => IsGone) {
  for (;;) {
    const keptBefore = keepings
    const timeout = AbortSignal.timeout(patience)
    const isGone = goneIn(await fetch(address, { signal: timeout }).catch(() => null))
    if (isGone === null || (await inTurn(() => forgetSince(keptBefore, isGone)))) return
  }
}

/** False where a lesson was kept since. */
async function forgetSince(keptBefore: number, isGone: (kept: string) => boolean) {
  if (keepings !== keptBefore) return false
  await forget(isGone)
  return true
}

/** Almost always nothing has to be forgotten, and a page waits for no turn. */
async function forgetBy(answer: Response, path: string) {
  const isGone = goneBy(answer, path)
  if (isGone) await inTurn(() => forget(isGone))
}

/** Which of the lessons that are kept an answer says are over. */
function goneBy(answer: Response, path: string): IsGone {
  const isOver =
    answer.headers.has(noAccessHeader) || (isRefused(answer) && path.endsWith('/dashboard'))
  if (isOver) return isBeside(path)
  // A lesson that is gone, or is kept from now on under the address to which it leads.
  if (isRefused(answer) || answer.status === 202) return (kept) => kept === path
  return null
}

const isRefused = ({ status }: Response) => [401, 403, 404, 410].includes(status)

async function builtFile(request: Request): Promise<Response> {
  const files = await caches.open(names.files)
  const kept = await files.match(request)
  if (kept) return kept
  const answer = await fetch(request)
  if (answer.status === 200) {
    await files.put(request, answer.clone()).catch(() => {})
    await dropOldest(files, most.files)
  }
  return answer
}

async function dropOldest(cache: Cache, count: number) {
  const kept = await cache.keys()
  for (const old of kept.slice(0, Math.max(0, kept.length - count))) await cache.delete(old)
}

async function renewOfflinePage() {
  const pages = await caches.open(names.pages)
  // As for a stranger: nobody's name is in it.
  const answer = await fetch(offlinePage, {
    credentials: 'omit',
    cache: 'no-cache',
    signal: AbortSignal.timeout(patience),
  })
  if (answer.ok) await pages.put(offlinePage, answer)
}

async function welcome(owner: string) {
  await inTurn(() => belongsTo(owner))
  const kept = await caches.match(offlinePage, { cacheName: names.pages })
  const made = Date.parse(kept?.headers.get('date') ?? '')
  if (!(Date.now() - made < pageAge)) await renewOfflinePage().catch(() => {})
}

/** Empties the shelf when it is somebody else's. */
async function belongsTo(owner: string): Promise<Cache> {
  const lessons = await caches.open(names.lessons)
  if ((await (await lessons.match(ownerPath))?.text()) === owner) return lessons
  await forgetAll()
  const empty = await caches.open(names.lessons)
  await empty.put(ownerPath, new Response(owner))
  return empty
}

async function keep(owner: string, lesson: KeptLesson) {
  if (!lessonPath.test(lesson.path)) return
  keepings += 1
  const lessons = await belongsTo(owner)
  // Last opened comes last.
  await lessons.delete(lesson.path)
  // There is nothing to read in it.
  if (lesson.html === '') return
  await lessons.put(lesson.path, Response.json(lesson))
  const kept = (await lessons.keys()).filter(({ url }) => lessonPath.test(new URL(url).pathname))
  for (const old of kept.slice(0, Math.max(0, kept.length - most.lessons)))
    await lessons.delete(old)
}

const forgetAll = () => caches.delete(names.lessons)

/** Whether a lesson is of the same course as a page within it. */
function isBeside(pathOfPage: string) {
  const course = pathOfPage.match(/^\/course\/[^/]+\/(?=.)/)?.[0]
  return (path: string) => course !== undefined && path.startsWith(course)
}

async function keptPaths(): Promise<string[]> {
  const lessons = await caches.open(names.lessons)
  const paths = (await lessons.keys()).map(({ url }) => new URL(url).pathname)
  return paths.filter((path) => lessonPath.test(path))
}

async function forget(isGone: (path: string) => boolean) {
  const lessons = await caches.open(names.lessons)
  for (const path of await keptPaths()) if (isGone(path)) await lessons.delete(path)
}

/**
 * Somebody was told that they are in this course no more. By now they may be again: what is told comes late, too. Its
 * lessons may be kept under addresses that it had before.
 */
async function lookAgain(courseId: string) {
  for (const dashboard of await inTurn(() => dashboardsOf(courseId))) {
    await askAndForget(`${dashboard}.data`, (answer) =>
      answer?.ok && !answer.headers.has(noAccessHeader) ? null : isBeside(dashboard),
    )
  }
}

async function dashboardsOf(courseId: string): Promise<Set<string>> {
  const lessons = await caches.open(names.lessons)
  const dashboards = new Set<string>()
  for (const path of await keptPaths()) {
    const lesson: KeptLesson | undefined = await (await lessons.match(path))?.json()
    if (lesson?.courseId === courseId) dashboards.add(path.replace(/lesson\/[^/]+$/, 'dashboard'))
  }
  return dashboards
}

const escaped = (text: string) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')

/** A part of the offline page that waits to be filled. */
const partOf = (html: string, id: string) =>
  html.match(new RegExp(`<div[^>]* id="${id}"[^>]*>([^]*?)${marks.end}`))?.[1] ?? ''

const filled = (part: string, lesson: KeptLesson) =>
  part
    .replaceAll(`"${marks.address}"`, () => `"${escaped(lesson.path)}"`)
    .replaceAll(marks.course, () => escaped(lesson.course))
    .replaceAll(marks.title, () => escaped(lesson.title))
    // Made by React from rich text, where no text becomes markup.
    .replaceAll(marks.text, () => lesson.html)

async function offline(path: string): Promise<Response> {
  const found = await caches.match(offlinePage, { cacheName: names.pages })
  if (!found) return Response.error()
  const html = await found.text()
  const shelf = await caches.open(names.lessons)
  const lessons: KeptLesson[] = []
  for (const key of await shelf.keys()) {
    if (!lessonPath.test(new URL(key.url).pathname)) continue
    const lesson: KeptLesson | undefined = await (await shelf.match(key))?.json()
    if (lesson) lessons.unshift(lesson)
  }
  const open = lessons.find((lesson) => lesson.path === path)
  const list = lessons.map((lesson) => filled(partOf(html, 'kept-link'), lesson)).join('')
  const body = open
    ? filled(partOf(html, 'kept-lesson'), open)
    : partOf(html, list ? 'some-kept' : 'none-kept').replace(marks.list, () => list)
  const headers = new Headers(found.headers)
  for (const name of ['content-encoding', 'content-length', 'etag']) headers.delete(name)
  headers.set('cache-control', 'no-store')
  const whole = html.replace(
    /(<main\b[^>]*>)[^]*<\/main>/,
    (_, main: string) => `${main}${body}</main>`,
  )
  const title = open ? escaped(open.title) : 'You are offline'
  return new Response(
    whole.replace(/<title>[^<]*/, () => `<title>${title}`),
    { headers },
  )
}
