// What a first visit downloads and how soon it shows, in Chromium slowed down to a cheap phone on 4G.
import { gzipSync } from 'node:zlib'
import { type Browser, type BrowserContext, chromium, type Page } from '@playwright/test'
import type { Client } from 'pg'
import { browserArguments, findBrowser } from '../scripts/browser.mjs'
import { median } from './load.ts'
import type { Server } from './processes.ts'
import { kilobytes, type Row } from './row.ts'
import { seedFeed } from './seed-community.ts'
import { creatorOf, idNumbered, placeOf, sessionValueOf, type Size } from './seed-many.ts'

/** The course of a creator with Pro. */
const courseOfPro = ({ taught }: Size) => taught - 1

/**
 * Slow 4G as Lighthouse applies it in a browser: 150 ms a round trip and 1.6 Mbps. A request takes 3.75
 * round trips (name, connection, encryption and the question), of the line nine tenths are for content.
 */
const slowFourG = {
  offline: false,
  latency: 150 * 3.75,
  downloadThroughput: (1.6 * 0.9 * 1024 * 1024) / 8,
  uploadThroughput: (750 * 0.9 * 1024) / 8,
}

interface Visit {
  name: string
  url: string
  kind: 'content' | 'app' | 'reference'
  /** Person whose session the browser has; signed out without one. */
  person?: number
  /** Has to be on the page. */
  heading: RegExp
}

interface Weight {
  /** Bytes on the wire, headers included, by kind. */
  sent: { html: number; css: number; js: number; font: number; image: number; other: number }
  /** Bytes of JavaScript when compressed by gzip, inline scripts included. */
  jsGzip: number
  files: number
  foreign: string[]
  uncompressed: string[]
  /** Milliseconds. */
  fcp: number
  lcp: number
  tbt: number
  cls: number
  lcpElement: string
}

/** A task of more than 50 ms. */
interface Task {
  blocksFrom: number
  end: number
}

/** Runs in the page, before anything else; it can use nothing from outside itself. */
function observe() {
  const seen = { lcp: 0, lcpElement: '', fcp: 0, tasks: [] as Task[], cls: 0 }
  Object.assign(window, { benchSeen: seen })
  const looks: Record<string, (entry: PerformanceEntry) => void> = {
    paint(entry) {
      if (entry.name === 'first-contentful-paint') seen.fcp = entry.startTime
    },
    'largest-contentful-paint'(entry) {
      const { element } = entry as PerformanceEntry & { element?: Element | null }
      seen.lcp = entry.startTime
      seen.lcpElement = element?.localName ?? ''
    },
    longtask({ startTime, duration }) {
      const end = startTime + duration
      seen.tasks.push({ blocksFrom: startTime + 50, end })
    },
    'layout-shift'(entry) {
      const shift = entry as PerformanceEntry & { value: number; hadRecentInput: boolean }
      if (!shift.hadRecentInput) seen.cls += shift.value
    },
  }
  for (const [type, look] of Object.entries(looks)) {
    new PerformanceObserver((list) => list.getEntries().forEach(look)).observe({
      type,
      buffered: true,
    })
  }
}

const kinds: Record<string, keyof Weight['sent']> = {
  Document: 'html',
  Stylesheet: 'css',
  Script: 'js',
  Font: 'font',
  Image: 'image',
}

const inlineScripts = (html: string) =>
  [
    ...html.matchAll(
      /<script(?![^>]*\bsrc=)(?![^>]*application\/ld\+json)[^>]*>([\s\S]*?)<\/script>/g,
    ),
  ]
    .map((match) => match[1] ?? '')
    .join('\n')

async function slowPage(context: BrowserContext): Promise<Page> {
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', slowFourG)
  await session.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  await page.addInitScript(observe)
  return page
}

async function contextFor(
  browser: Browser,
  origin: string,
  visit: Visit,
  secret: string,
  javaScriptEnabled = true,
) {
  const context = await browser.newContext({
    viewport: { width: 412, height: 823 },
    deviceScaleFactor: 1.75,
    javaScriptEnabled,
  })
  if (visit.person !== undefined) {
    const value = sessionValueOf(visit.person, secret)
    await context.addCookies([{ name: 'thunder.session_token', value, url: origin }])
  }
  return context
}

async function weigh(
  browser: Browser,
  origin: string,
  visit: Visit,
  secret: string,
): Promise<Weight> {
  const context = await contextFor(browser, origin, visit, secret)
  const page = await slowPage(context)
  const session = await context.newCDPSession(page)
  await session.send('Network.enable')
  const sent = { html: 0, css: 0, js: 0, font: 0, image: 0, other: 0 }
  const kindOf = new Map<string, keyof Weight['sent']>()
  const foreign = new Set<string>()
  const uncompressed: string[] = []
  const scripts: Promise<string>[] = []
  session.on('Network.responseReceived', ({ requestId, type, response }) => {
    const kind = kinds[type] ?? 'other'
    kindOf.set(requestId, kind)
    const url = new URL(response.url)
    if (url.protocol !== 'data:' && url.host !== new URL(visit.url).host) foreign.add(url.host)
    const headers = new Map(
      Object.entries(response.headers).map(([key, value]) => [key.toLowerCase(), value]),
    )
    const text = ['html', 'css', 'js'].includes(kind) && visit.kind !== 'reference'
    // Below a kilobyte packing saves nothing.
    const small = Number(headers.get('content-length') ?? Infinity) < 1024
    if (text && !small && !headers.has('content-encoding')) uncompressed.push(url.pathname)
  })
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    sent[kindOf.get(requestId) ?? 'other'] += encodedDataLength
  })
  page.on('response', (response) => {
    if (response.request().resourceType() === 'script') scripts.push(response.text())
  })
  const answer = await page.goto(visit.url, { waitUntil: 'load' })
  const html = (await answer?.text()) ?? ''
  if (answer?.status() !== 200) throw new Error(`${visit.url} answered ${answer?.status()}`)
  await page.getByText(visit.heading).first().waitFor({ state: 'attached' })
  // Live pages keep a stream open, so the network is never idle: what comes within this time counts.
  await page.waitForTimeout(visit.kind === 'app' ? 4000 : 1500)
  const seen = await page.evaluate(
    () =>
      (
        window as unknown as {
          benchSeen: Pick<Weight, 'fcp' | 'lcp' | 'cls' | 'lcpElement'> & { tasks: Task[] }
        }
      ).benchSeen,
  )
  const sources = [...(await Promise.all(scripts)), inlineScripts(html)].filter(
    (source) => source !== '',
  )
  const jsGzip = sources.reduce((sum, source) => sum + gzipSync(source, { level: 9 }).length, 0)
  await context.close()
  // Counted from the first paint of content on: before it there is nothing to press.
  const { tasks, ...paints } = seen
  const tbt = tasks.reduce(
    (sum, { blocksFrom, end }) => sum + Math.max(0, end - Math.max(blocksFrom, seen.fcp)),
    0,
  )
  return { sent, jsGzip, files: kindOf.size, foreign: [...foreign], uncompressed, tbt, ...paints }
}

/** Whether the page shows its heading to a browser that runs no scripts. */
async function readsWithoutScripts(browser: Browser, origin: string, visit: Visit, secret: string) {
  const context = await contextFor(browser, origin, visit, secret, false)
  const page = await context.newPage()
  await page.goto(visit.url)
  const visible = await page.getByText(visit.heading).first().isVisible()
  await context.close()
  return visible
}

function visitsOf(thunder: Server, bare: Server, size: Size): Visit[] {
  const place = placeOf(1, size)
  const lesson = `${thunder.origin}/course/bench-course-${place.course}/lesson/step-${place.lesson}`
  const edited = size.taught
  const creator = creatorOf(edited, size)
  const pro = creatorOf(courseOfPro(size), size)
  return [
    {
      name: 'static page of 20 KB',
      url: `${bare.origin}/static`,
      kind: 'reference',
      heading: /A static page/,
    },
    { name: 'home', url: `${thunder.origin}/`, kind: 'content', heading: /./ },
    {
      name: 'explore',
      url: `${thunder.origin}/explore`,
      kind: 'content',
      heading: /Explore All Courses/,
    },
    {
      name: 'course page',
      url: `${thunder.origin}/course/bench-course-${edited}`,
      kind: 'content',
      heading: /Lessons Inside/,
    },
    {
      name: 'course page with a picture',
      url: `${thunder.origin}/course/thunder-bootcamp`,
      kind: 'content',
      heading: /Lessons Inside/,
    },
    {
      name: 'profile',
      url: `${thunder.origin}/user/person-${creatorOf(edited, size)}`,
      kind: 'content',
      heading: /Person /,
    },
    { name: 'Pro benefits', url: `${thunder.origin}/pro`, kind: 'content', heading: /Pro/ },
    {
      name: 'blog post',
      url: `${thunder.origin}/blog/thunder-versus-teachable`,
      kind: 'content',
      heading: /Teachable/,
    },
    { name: 'help', url: `${thunder.origin}/help`, kind: 'content', heading: /Help/ },
    {
      name: 'accessibility statement',
      url: `${thunder.origin}/accessibility`,
      kind: 'content',
      heading: /Accessibility/,
    },
    { name: 'log-in', url: `${thunder.origin}/login`, kind: 'app', heading: /Password/ },
    {
      name: 'billing',
      url: `${thunder.origin}/billing`,
      kind: 'app',
      person: place.person,
      heading: /Billing/,
    },
    {
      name: 'settings',
      url: `${thunder.origin}/settings`,
      kind: 'app',
      person: place.person,
      heading: /Settings/,
    },
    {
      name: 'lesson page',
      url: lesson,
      kind: 'app',
      person: place.person,
      heading: /Text of lesson/,
    },
    {
      name: 'discussion of 20 posts with a picture',
      url: `${thunder.origin}/course/bench-course-${place.course}/dashboard?tab=discussion`,
      kind: 'app',
      person: place.person,
      heading: /Post 20: /,
    },
    {
      name: 'content editor',
      url: `${thunder.origin}/create-lessons/${idNumbered(edited)}`,
      kind: 'app',
      person: creator,
      heading: /./,
    },
    {
      name: 'dashboard',
      url: `${thunder.origin}/dashboard`,
      kind: 'app',
      person: place.person,
      heading: /My Courses/,
    },
    {
      name: 'course form',
      url: `${thunder.origin}/create-course`,
      kind: 'app',
      person: place.person,
      heading: /Course Information/,
    },
    {
      name: 'analytics without Pro',
      url: `${thunder.origin}/analytics`,
      kind: 'app',
      person: creator,
      heading: /Creator Analytics/,
    },
    {
      name: 'analytics with Pro',
      url: `${thunder.origin}/analytics`,
      kind: 'app',
      person: pro,
      heading: /Revenue over time/,
    },
    {
      name: 'billing with Pro',
      url: `${thunder.origin}/billing`,
      kind: 'app',
      person: pro,
      heading: /Billing/,
    },
    {
      name: 'members, for the instructor',
      url: `${thunder.origin}/course/bench-course-${courseOfPro(size)}/dashboard?tab=members`,
      kind: 'app',
      person: pro,
      heading: /Invite people/,
    },
    {
      name: 'payments',
      url: `${thunder.origin}/payments`,
      kind: 'app',
      person: creator,
      heading: /Payments/,
    },
  ]
}

export async function measureWeights(options: {
  thunder: Server
  bare: Server
  database: Client
  size: Size
  secret: string
  repeats: number
}): Promise<Row[]> {
  const { thunder, bare, database, size, secret, repeats } = options
  const executablePath = await findBrowser()
  if (!executablePath) {
    console.error('No browser found (set CHROMIUM_PATH): pages are not weighed.')
    return []
  }
  const { course, person } = placeOf(1, size)
  await seedFeed(database, course, person)
  const pro = idNumbered(creatorOf(courseOfPro(size), size))
  await database.query('insert into plan_grants (user_id) values ($1) on conflict do nothing', [
    pro,
  ])
  const browser = await chromium.launch({ executablePath, args: browserArguments })
  try {
    const visits = visitsOf(thunder, bare, size)
    const weights = new Map(visits.map((visit) => [visit.name, [] as Weight[]]))
    for (let repeat = 0; repeat < repeats; repeat++) {
      for (const visit of visits) {
        weights.get(visit.name)!.push(await weigh(browser, thunder.origin, visit, secret))
      }
    }
    const rows: Row[] = []
    for (const visit of visits) {
      const still =
        visit.kind === 'content' &&
        (await readsWithoutScripts(browser, thunder.origin, visit, secret))
      rows.push(...rowsOf(visit, weights.get(visit.name)!, still))
      if (visit.name.startsWith('course page')) rows.push(...vitalsOf(visit.name, weights))
    }
    return rows
  } finally {
    await browser.close()
  }
}

function rowsOf({ name, kind }: Visit, weights: Weight[], readable: boolean): Row[] {
  const middle = (of: (weight: Weight) => number) => median(weights.map(of))
  const { sent, jsGzip, foreign, uncompressed, files, lcpElement } = weights.at(-1)!
  const all = Object.values(sent).reduce((sum, bytes) => sum + bytes, 0)
  const besides = all - sent.image
  const parts = Object.entries(sent).filter(([, bytes]) => bytes > 0)
  const timing =
    `FCP ${middle((weight) => weight.fcp).toFixed(0)} ms, LCP ${middle((weight) => weight.lcp).toFixed(0)} ms (${lcpElement}), ` +
    `TBT ${middle((weight) => weight.tbt).toFixed(0)} ms, CLS ${middle((weight) => weight.cls).toFixed(3)}`
  const rows: Row[] = [
    {
      what: `${name}: first visit`,
      measured: `${kilobytes(all)} in ${files} files (${parts.map(([part, bytes]) => `${part} ${kilobytes(bytes)}`).join(', ')}); ${timing}`,
      goal: '',
      met: null,
    },
  ]
  if (kind === 'reference') return rows
  const most = kind === 'content' ? 10 : 150
  rows.push({
    what: `${name}: JavaScript`,
    measured: `**${kilobytes(jsGzip)}** gzip`,
    goal: `<= ${most} KB gzip`,
    met: jsGzip <= most * 1024,
  })
  if (kind === 'content') {
    rows.push({
      what: `${name}: all besides pictures`,
      measured: `**${kilobytes(besides)}**`,
      goal: '<= 45 KB',
      met: besides <= 45 * 1024,
    })
  }
  const faults = [
    ...foreign.map((host) => `asks ${host}`),
    ...uncompressed.map((path) => `${path} is not compressed`),
    ...(kind === 'content' && !readable ? ['cannot be read without JavaScript'] : []),
  ]
  const promise = `no third-party host, text compressed${kind === 'content' ? ', readable without JavaScript' : ''}`
  rows.push({
    what: `${name}: promises`,
    measured: faults.join('; ') || 'kept',
    goal: promise,
    met: faults.length === 0,
  })
  return rows
}

function vitalsOf(name: string, weights: Map<string, Weight[]>): Row[] {
  const middle = (visit: string, of: (weight: Weight) => number) =>
    median(weights.get(visit)!.map(of))
  const lcpRatio = middle(name, ({ lcp }) => lcp) / middle('static page of 20 KB', ({ lcp }) => lcp)
  const tbt = middle(name, (weight) => weight.tbt)
  const cls = Math.max(...weights.get(name)!.map((weight) => weight.cls))
  return [
    {
      what: `${name}: LCP`,
      measured: `**${lcpRatio.toFixed(2)}x**`,
      goal: '<= 1.25x the static page',
      met: lcpRatio <= 1.25,
    },
    { what: `${name}: TBT`, measured: `${tbt.toFixed(0)} ms`, goal: '<= 10 ms', met: tbt <= 10 },
    { what: `${name}: CLS`, measured: cls.toFixed(3), goal: '0', met: cls === 0 },
  ]
}
