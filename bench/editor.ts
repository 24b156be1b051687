// The content editor with courses of 10, 100 and 1,000 lessons: loading, saving, typing.
import { type CDPSession, chromium, type Page } from '@playwright/test'
import { browserArguments, findBrowser } from '../scripts/browser.mjs'
import { median } from './load.ts'
import type { Server } from './processes.ts'
import { kilobytes, type Row } from './row.ts'
import { cookieOf, creatorOf, idNumbered, type Size } from './seed-many.ts'

const lessonCounts = [10, 100, 1000]
/** Keys pressed in each field. */
const keys = 60

interface Course {
  id: string
  cookie: string
}
interface Content {
  contentVersion: number
  chapters: { title: string; lessons: { title: string; [other: string]: unknown }[] }[]
}

const words = 'A paragraph of some forty words, as lessons have them. '.repeat(4)
const content = {
  type: 'doc',
  content: Array.from({ length: 5 }, () => ({
    type: 'paragraph',
    content: [{ type: 'text', text: words }],
  })),
}

function chaptersWith(lessons: number): Content['chapters'] {
  const count = Math.ceil(lessons / 10)
  return Array.from({ length: count }, (_, chapter) => ({
    title: `Part ${chapter + 1}`,
    lessons: Array.from({ length: Math.min(10, lessons - chapter * 10) }, (_lesson, index) => ({
      title: `Lesson ${chapter + 1}.${index + 1}`,
      content,
      links: [{ title: 'More', url: 'https://example.com/' }],
    })),
  }))
}

async function call(origin: string, { id, cookie }: Course, body?: Content) {
  const started = performance.now()
  const sent = body && JSON.stringify(body)
  const response = await fetch(`${origin}/rest/v1/courses/${id}/content`, {
    method: sent ? 'PUT' : 'GET',
    headers: { cookie, ...(sent && { 'content-type': 'application/json' }) },
    body: sent,
  })
  const text = await response.text()
  const took = performance.now() - started
  if (!response.ok) throw new Error(`the content of ${id} answered ${response.status}: ${text}`)
  return { took, bytes: sent?.length ?? 0, answer: JSON.parse(text) as Content }
}

/** One course for each size, filled through the API. */
async function fill(origin: string, course: Course, lessons: number) {
  const { answer } = await call(origin, course)
  const { contentVersion } = answer
  return call(origin, course, { contentVersion, chapters: chaptersWith(lessons) })
}

const said = (times: number[]) =>
  `${Math.round(median(times))} ms (${Math.round(Math.min(...times))} to ${Math.round(Math.max(...times))})`

async function saves(origin: string, course: Course, lessons: number, repeats: number) {
  const first = await fill(origin, course, lessons)
  const loads: number[] = []
  const changes: number[] = []
  let bytes = 0
  for (let repeat = 0; repeat < repeats; repeat++) {
    const loaded = await call(origin, course)
    loads.push(loaded.took)
    const title = `Renamed ${repeat}`
    loaded.answer.chapters[0]!.lessons[0]!.title = title
    const saved = await call(origin, course, loaded.answer)
    if (saved.answer.chapters[0]!.lessons[0]!.title !== title) throw new Error('it was not saved')
    changes.push(saved.took)
    bytes = saved.bytes
  }
  const measured = `${said(changes)}; loading ${said(loads)}; all new ${Math.round(first.took)} ms; ${kilobytes(bytes)}`
  return { what: `saving ${lessons} lessons, one renamed`, measured, goal: '', met: null }
}

/** Milliseconds of the browser's main thread since it started. */
async function busyTime(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics')
  return 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0)
}

async function perKey(page: Page, session: CDPSession): Promise<number> {
  const before = await busyTime(session)
  for (let key = 0; key < keys; key++) await page.keyboard.press('x')
  return ((await busyTime(session)) - before) / keys
}

async function typing(page: Page, origin: string, { id }: Course, lessons: number): Promise<Row> {
  const session = await page.context().newCDPSession(page)
  await page.goto(`${origin}/create-lessons/${id}`)
  await page.locator('html[data-hydrated]').waitFor()
  await page.getByRole('button', { name: /^Lesson 1\.2/ }).click()
  const fields = {
    'chapter title': page.getByLabel('Chapter title').first(),
    'lesson title': page.getByLabel('Lesson title'),
    'lesson text': page.getByRole('textbox', { name: 'Lesson content' }),
  }
  await session.send('Performance.enable')
  const figures: string[] = []
  for (const [name, field] of Object.entries(fields)) {
    await field.click()
    await perKey(page, session)
    figures.push(`${name} ${(await perKey(page, session)).toFixed(1)} ms`)
  }
  return {
    what: `typing with ${lessons} lessons, main thread per key`,
    measured: figures.join(', '),
    goal: '',
    met: null,
  }
}

export async function measureEditor(
  thunder: Server,
  size: Size,
  secret: string,
  repeats: number,
): Promise<Row[]> {
  const { origin } = thunder
  const rows: Row[] = []
  const courses = lessonCounts.map((lessons, index) => {
    const number = 101 + index
    const cookie = cookieOf(creatorOf(number, size), secret)
    return { lessons, course: { id: idNumbered(number), cookie } }
  })
  for (const { lessons, course } of courses) {
    rows.push(await saves(origin, course, lessons, repeats))
  }
  const browser = await chromium.launch({
    executablePath: await findBrowser(),
    args: browserArguments,
  })
  try {
    for (const { lessons, course } of courses) {
      const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
      const at = course.cookie.indexOf('=')
      await context.addCookies([
        { name: course.cookie.slice(0, at), value: course.cookie.slice(at + 1), url: origin },
      ])
      rows.push(await typing(await context.newPage(), origin, course, lessons))
      await context.close()
    }
  } finally {
    await browser.close()
  }
  return rows
}
