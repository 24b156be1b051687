// The pictures of the product that its own pages and the README show, of a server with demo content.
// With words after it, only pictures whose name has one.
import { mkdir } from 'node:fs/promises'
import { chromium, expect, type Locator, type Page } from '@playwright/test'
import sharp from 'sharp'
import { startBuiltServer } from '../test/journeys/server.ts'
import { browserArguments, findBrowser } from './browser.mjs'
import { actingOn } from './call-as.ts'
import { fillDiscussion } from './fill-discussion.ts'
import { fillPurchases, type Payer } from './fill-purchases.ts'
import { run } from './run.mjs'
import { waitForScreen } from './wait-for-screen.ts'

type Person = 'visitor' | 'learner' | 'graduate' | 'creator' | 'newcomer' | Payer

interface Picture {
  name: string
  as: Person
  path: string
  /** Of the window, in CSS pixels; the picture is always 16:10. */
  width: number
  /** What to do there before the picture. */
  prepare?: (page: Page) => Promise<unknown>
}

const folder = 'src/domains/site/pictures'
const forReadme = 'docs/images'
const shownInReadme = new Set(['payments-light', 'sale-dark'])
/** In pixels: for phones and narrow columns, and for sharp screens. */
const widths = [640, 1280]
const themes = ['light', 'dark'] as const
const words = process.argv.slice(2)
const { call, cookies, inDatabase } = actingOn<Person>(() => server)

/** So that this stands right below the header. */
const bringUp = (place: Locator) =>
  place.evaluate((element) => window.scrollTo(0, element.getBoundingClientRect().top - 88))

/** One who asks to come into a course. */
async function fillApplications(courseId: string) {
  await call('creator', 'PATCH', `/rest/v1/courses/${courseId}`, { applicationRequired: true })
  const questions = [
    { question: 'What would you like to have in your cupboard by winter?', required: true },
  ]
  const path = `/rest/v1/courses/${courseId}/application-questions`
  await call('creator', 'PUT', path, { questions })
  const { questions: asked } = await call('newcomer', 'GET', path)
  const answer = 'Tomatoes. Twenty kilos ripen in one week here, and I give most of them away.'
  const answers = [{ questionId: asked[0].id, answer }]
  await call('newcomer', 'POST', '/rest/v1/course_applications', { courseId, answers })
}

async function listPictures(): Promise<Picture[]> {
  const password = 'demo1234'
  for (const [as, name] of [
    ['learner', 'amelia-novak'],
    ['graduate', 'noah-fischer'],
    ['creator', 'mara-lindqvist'],
  ] as const) {
    const email = `${name}@demo.thunder.example`
    await call(as, 'POST', '/auth/v1/sign-in/email', { email, password })
  }
  const newcomer = { name: 'Robin Newcomer', email: 'robin@demo.thunder.example', password }
  await call('newcomer', 'POST', '/auth/v1/sign-up/email', newcomer)
  await fillDiscussion(call)
  await fillPurchases({ call, inDatabase })
  await call('creator', 'POST', '/rest/v1/billing/demo-upgrade', { plan: 'annual' })

  const bootcamp = '/course/thunder-bootcamp'
  const { chapters } = await call('learner', 'GET', `/rest/v1/courses/thunder-bootcamp/dashboard`)
  const [first] = chapters[0].lessons
  await call('learner', 'PUT', `/rest/v1/lessons/${first.id}/position`, { seconds: 31 })
  for (const [seconds, text] of [
    [12, 'What do people keep asking me? How I get my tomatoes through June.'],
    [31, 'Text for steps, a video where it moves, links for what comes next.'],
  ] as const) {
    await call('learner', 'POST', `/rest/v1/lessons/${first.id}/notes`, { text, seconds })
  }
  const { created } = await call('creator', 'GET', '/rest/v1/dashboard')
  const [toApply, toBuy] = created
  await call('creator', 'PATCH', `/rest/v1/courses/${toBuy.id}`, {
    pricingType: 'one_time',
    priceAmount: 2900,
  })
  await fillApplications(toApply.id)
  return [
    {
      name: 'course',
      as: 'visitor',
      path: `/course/${created.at(-1).slug}`,
      width: 1120,
    },
    {
      name: 'sale',
      as: 'newcomer',
      path: `/course/${toBuy.slug}`,
      width: 1120,
      async prepare(page) {
        const join = page.getByRole('button', { name: 'Join for $29' })
        await expect(join).toBeVisible()
      },
    },
    {
      name: 'applications',
      as: 'creator',
      path: `/course/${toApply.slug}/dashboard?tab=applications`,
      width: 1024,
      prepare: (page) => bringUp(page.getByRole('heading', { name: 'Applications' }).first()),
    },
    {
      name: 'explore',
      as: 'visitor',
      path: '/explore?sort=popular',
      width: 1024,
      prepare: (page) => bringUp(page.getByLabel('Search', { exact: false }).first()),
    },
    {
      name: 'lesson',
      as: 'learner',
      path: `${bootcamp}/lesson/${first.slug}`,
      width: 1120,
      async prepare(page) {
        await expect(page.getByText('Resumed at 0:31')).toBeVisible()
        // Its picture comes a moment after its time.
        await page.waitForFunction(() => {
          const video = document.querySelector('video')
          return video && !video.seeking && video.readyState >= 2 && video.currentTime > 30
        })
      },
    },
    {
      name: 'notes',
      as: 'learner',
      path: `${bootcamp}/lesson/${first.slug}`,
      width: 1120,
      async prepare(page) {
        await expect(page.getByText('Resumed at 0:31')).toBeVisible()
        const notes = page.getByRole('heading', { name: 'Your notes' })
        await bringUp(notes)
        await expect(page.getByText('Text for steps').first()).toBeVisible()
        await bringUp(notes)
      },
    },
    {
      name: 'dashboard',
      as: 'learner',
      path: '/dashboard',
      width: 1280,
      prepare: (page) => bringUp(page.getByRole('heading', { name: 'My Courses' })),
    },
    {
      name: 'editor',
      as: 'creator',
      path: `/create-lessons/${created[0].id}`,
      width: 1120,
      async prepare(page) {
        const lesson = page.getByRole('main').getByRole('heading', { level: 4 }).first()
        await lesson.getByRole('button').click()
        await expect(page.getByRole('textbox', { name: 'Lesson content' })).toBeVisible()
        await lesson.evaluate((row) => window.scrollTo(0, row.getBoundingClientRect().top - 230))
      },
    },
    {
      name: 'community',
      as: 'learner',
      path: `${bootcamp}/dashboard?tab=discussion`,
      width: 900,
      prepare: (page) =>
        bringUp(page.getByRole('article').filter({ hasText: 'When do you record' }).first()),
    },
    {
      name: 'analytics',
      as: 'creator',
      path: '/analytics?days=365',
      width: 1024,
      async prepare(page) {
        const chart = page.getByRole('figure', { name: 'Active learners' })
        // The charts come when somebody comes near them.
        await bringUp(chart)
        await expect(chart.getByRole('application')).toBeVisible()
        await bringUp(chart)
      },
    },
    {
      name: 'payments',
      as: 'seller',
      path: '/payments',
      width: 1024,
      prepare: (page) => bringUp(page.getByRole('heading', { name: 'Earnings History' })),
    },
  ]
}

async function take(page: Page, picture: Picture): Promise<Buffer> {
  const answer = await page.goto(server.url + picture.path)
  if (answer?.status() !== 200) throw new Error(`${picture.path} answered ${answer?.status()}`)
  await waitForScreen(page, picture.prepare)
  return page.screenshot({ animations: 'disabled', caret: 'hide' })
}

async function takeAll() {
  const code = await run('node', ['scripts/fill-demo.ts'], {
    env: { DATA_DIR: server.dataDir, LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (code !== 0) throw new Error('The demo content could not be made.')
  const pictures = (await listPictures()).filter(
    ({ name }) => words.length === 0 || words.some((word) => name.includes(word)),
  )
  await mkdir(folder, { recursive: true })
  for (const picture of pictures) {
    for (const theme of themes) {
      const context = await browser.newContext({
        viewport: { width: picture.width, height: Math.round(picture.width / 1.6) },
        deviceScaleFactor: 1280 / picture.width,
        colorScheme: theme,
        reducedMotion: 'reduce',
      })
      const [name, value] = (cookies.get(picture.as) ?? '').split('=')
      if (name && value) await context.addCookies([{ name, value, url: server.url }])
      const taken = await take(await context.newPage(), picture)
      for (const width of widths) {
        const file = `${folder}/${picture.name}-${theme}-${width}.webp`
        await sharp(taken)
          .resize(width, width / 1.6)
          .webp({ quality: 74, effort: 6 })
          .toFile(file)
      }
      if (shownInReadme.has(`${picture.name}-${theme}`)) {
        await sharp(taken)
          .resize(1000, 625)
          .webp({ quality: 74 })
          .toFile(`${forReadme}/${picture.name}-${theme}.webp`)
      }
      await context.close()
    }
    console.log(picture.name)
  }
}

const server = await startBuiltServer()
const browser = await chromium.launch({
  executablePath: await findBrowser(),
  args: browserArguments,
})
try {
  await takeAll()
} finally {
  await browser.close()
  await server.stop()
}
