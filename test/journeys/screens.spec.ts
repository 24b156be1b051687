// What every screen says and where it leads: the words of the specification that no other journey meets.
import { readFile } from 'node:fs/promises'
import { type BrowserContext, type Locator, type Page, request as requests } from '@playwright/test'
import { Client } from 'pg'
import sharp from 'sharp'
import { categories } from '../../src/domains/courses/rules.ts'
import { flagshipCourseId } from '../../src/domains/site/flagship.ts'
import { runningPostgresUrl } from '../../src/server/postgres/embedded.ts'
import {
  completeLessons,
  joinCourse,
  lessonsOf,
  makeCourse,
  makePerson,
  type MadePerson,
  sessionCookieOf,
} from '../factories.ts'
import { whileFailing } from './failing-call.ts'
import {
  expect,
  hold,
  hydrated,
  logInHere,
  newcomer,
  signUpHere,
  stopClock,
  test,
} from './journey.ts'
import { bootSecondNode } from './second-node.ts'
import { type BuiltServer, startBuiltServer } from './server.ts'

const summary = 'Four ingredients & <b>one</b> evening.'
/** Only in the summaries of the many courses, so that a search finds them and nothing else. */
const manyWord = 'accordion'
const notFoundText = "The course you're looking for doesn't exist or may have been removed."
const notYoursText =
  'It may have been deleted, or it belongs to somebody else. You can edit the courses you created.'
const noLessonText = "The lesson you're looking for doesn't exist or may have been removed."
const nowhere = '00000000-0000-7000-8000-000000000000'

const main = (page: Page) => page.getByRole('main')
const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true })
const link = (within: Page | Locator, name: string) =>
  within.getByRole('link', { name, exact: true })
const button = (within: Page | Locator, name: string) =>
  within.getByRole('button', { name, exact: true })
const card = (page: Page, title: string) =>
  page.getByRole('article').filter({ has: page.getByRole('link', { name: title, exact: true }) })

/** Sends a whole file as the person whose cookie it is; answers its id. */
async function uploaded(url: string, cookie: string, file: Buffer, metadata: object) {
  const api = await requests.newContext({ baseURL: url, extraHTTPHeaders: { cookie } })
  const encoded = Object.entries(metadata)
    .map(([key, value]) => `${key} ${Buffer.from(String(value)).toString('base64')}`)
    .join(',')
  const tus = { 'tus-resumable': '1.0.0' }
  const opened = await api.post('/storage/v1/uploads', {
    headers: { ...tus, 'upload-length': String(file.length), 'upload-metadata': encoded },
  })
  expect(opened.status()).toBe(201)
  const { location = '' } = opened.headers()
  const sent = await api.patch(location, {
    headers: { ...tus, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' },
    data: file,
  })
  expect(sent.ok(), await sent.text()).toBe(true)
  await api.dispose()
  return location.split('/').at(-1) ?? ''
}

/** A file that starts as an AVI does: accepted, and no browser plays it. */
const unplayable = Buffer.concat([
  Buffer.from('RIFF\x00\x10\x00\x00AVI LIST', 'latin1'),
  Buffer.alloc(4096),
])

/** Everybody and everything that the tests of this file look at. */
async function furnish(thunder: BuiltServer) {
  const { services, stop } = await bootSecondNode(thunder)
  const person = async (name: string) => {
    const made = await makePerson(services, { name })
    return { ...made, cookie: await sessionCookieOf(services, made.id) }
  }

  const cora = await person('Cora Maker')
  const ed = await person('Ed Itor')
  const newt = await person('Newt Newcomer')
  const lea = await person('Lea Learner')
  const max = await person('Max Minded')
  const liv = await person('Liv Event')
  const rex = await person('Rex Reader')
  const nina = await person('Nina Nobody')
  const bea = await person('Bea Busy')
  const many = await person('Manny Courses')

  const bread = await makeCourse(services, cora, {
    title: 'Bread for Two ⚡',
    shortDescription: summary,
    description: 'You need flour, water, salt and time.',
    category: 'Cooking',
    chapters: [
      {
        title: 'The dough',
        lessons: ['Mix by hand', 'Let it rest', 'Fold it ⚡', 'Shape it'].map((title) => ({
          title,
          content: `How to: ${title}.`,
        })),
      },
      { title: 'The oven', lessons: [{ title: 'Heat it' }, { title: 'Bake it dark' }] },
    ],
  })
  const picture = await sharp({
    create: { width: 1600, height: 900, channels: 3, background: '#b5651d' },
  })
    .jpeg()
    .toBuffer()
  const thumbnailId = await uploaded(thunder.url, cora.cookie, picture, {
    purpose: 'thumbnail',
    filename: 'bread.jpg',
    filetype: 'image/jpeg',
  })
  const breadLessons = await lessonsOf(services, bread.id)
  const film = await uploaded(
    thunder.url,
    cora.cookie,
    await readFile('test/fixtures/lesson.mp4'),
    { purpose: 'video', courseId: bread.id, filename: 'mix.mp4', filetype: 'video/mp4' },
  )
  const old = await uploaded(thunder.url, cora.cookie, unplayable, {
    purpose: 'video',
    courseId: bread.id,
    filename: 'rest.avi',
    filetype: 'video/x-msvideo',
  })
  await services.pool.query('update courses set thumbnail_id = $1 where id = $2', [
    thumbnailId,
    bread.id,
  ])
  for (const [index, video] of [film, old].entries()) {
    await services.pool.query('update lessons set video_id = $1 where id = $2', [
      video,
      breadLessons[index]!.id,
    ])
  }
  for (const reader of [lea, max, liv]) await joinCourse(services, reader, bread)
  await completeLessons(services, lea, bread, 1, new Date('2026-03-05T12:00:00Z'))

  const courses = []
  for (let number = 1; number <= 25; number++) {
    courses.push(
      await makeCourse(services, many, {
        title: `Songs, Part ${number}`,
        shortDescription: `With ${manyWord}.`,
        category: 'Music',
      }),
    )
  }
  for (const course of courses.slice(0, 12)) await joinCourse(services, bea, course)

  const edited = await makeCourse(services, ed, {
    title: 'Knots at Sea',
    category: 'Hobbies',
    shortDescription: 'For wet hands.',
    description: 'Ropes.',
    chapters: [
      { title: 'First knots', lessons: [{ title: 'Reef knot' }, { title: 'Bowline' }] },
      { title: 'Later knots', lessons: [{ title: 'Sheet bend' }] },
    ],
  })
  const rope = await uploaded(thunder.url, ed.cookie, unplayable, {
    purpose: 'video',
    courseId: edited.id,
    filename: 'rope.avi',
    filetype: 'video/x-msvideo',
  })
  await services.pool.query(
    `update lessons set video_id = $1 where course_id = $2 and slug = 'reef-knot'`,
    [rope, edited.id],
  )
  const flagshipId = (await flagshipCourseId(services.db))!
  const { rows } = await services.pool.query<{ instructorId: string }>(
    'select instructor_id as "instructorId" from courses where id = $1',
    [flagshipId],
  )
  await joinCourse(services, lea, { id: flagshipId, instructorId: rows[0]!.instructorId })
  const open = courses.at(-1)!
  await stop()
  return { cora, ed, newt, lea, max, liv, rex, nina, bea, bread, breadLessons, edited, open }
}

let made: Awaited<ReturnType<typeof furnish>>
test.beforeAll(async ({ thunder }) => {
  made = await furnish(thunder)
})

type Somebody = MadePerson & { cookie: string }

/** This context is theirs from here on. */
async function enter(context: BrowserContext, { cookie }: Somebody, url: string) {
  const [name = '', value = ''] = cookie.split('=', 2)
  await context.addCookies([{ name, value, url }])
}

/** Another browser, with this person in it, or a stranger. (A second tab would slow the first down.) */
async function pageOf(page: Page, thunder: BuiltServer, somebody?: Somebody) {
  const context = await page.context().browser()!.newContext({ baseURL: thunder.url })
  if (somebody) await enter(context, somebody, thunder.url)
  return context.newPage()
}

/** While `work` runs, the database is not as it should be. */
async function meddle(
  thunder: BuiltServer,
  { change, undo }: { change: string; undo: string },
  work: () => Promise<unknown>,
) {
  const database = new Client({
    connectionString: await runningPostgresUrl({ dataDir: thunder.dataDir }),
  })
  await database.connect()
  await database.query(change)
  try {
    await work()
  } finally {
    await database.query(undo)
    await database.end()
  }
}

/** What a press does that ignores how busy the button looks. */
const pressAnyway = (target: Locator) => target.click({ force: true })

test('pages that are elsewhere lead there', async ({ page, thunder }) => {
  const { bread, breadLessons, lea, rex, cora, ed, edited } = made
  const [first] = breadLessons
  const here = `/course/${bread.slug}`
  const lesson = `${here}/lesson/${first!.slug}`
  const expectWay = async (somebody: Somebody | null, from: string, to: string) => {
    const answer = await page.request.get(thunder.url + from, {
      maxRedirects: 0,
      headers: somebody ? { cookie: somebody.cookie } : {},
    })
    expect([answer.status() >= 300 && answer.status() < 400, answer.headers().location]).toEqual([
      true,
      to,
    ])
  }

  await expectWay(null, `/lesson/${first!.id}`, `/login?to=%2Flesson%2F${first!.id}`)
  await expectWay(lea, `/lesson/${first!.id}`, lesson)
  await expectWay(lea, here, `${here}/dashboard`)
  await expectWay(cora, here, `${here}/dashboard`)
  await expectWay(rex, `${here}/dashboard`, here)
  await expectWay(rex, lesson, here)
  await expectWay(null, `/course/${bread.id}`, here)
  const renamed = await page.request.patch(`/rest/v1/courses/${edited.id}`, {
    data: { title: 'Knots on Land' },
    headers: { cookie: ed.cookie },
  })
  expect(renamed.status()).toBe(200)
  await expectWay(null, '/course/knots-at-sea', '/course/knots-on-land')
  await expectWay(ed, '/course/knots-at-sea/dashboard', '/course/knots-on-land/dashboard')

  // The address by id is replaced: Back does not lead into it again.
  await enter(page.context(), lea, thunder.url)
  await page.goto('/dashboard')
  await page.goto(`/lesson/${first!.id}`)
  await expect(page).toHaveURL(thunder.url + lesson)
  await page.goBack()
  await expect(page).toHaveURL(/\/dashboard$/)
})

test('what is not there says so, and where to go instead', async ({ page, thunder }) => {
  const { lea, bread } = made
  const course = 'Course not found'
  const toDashboard = ['Back to dashboard', '/dashboard']
  const missing = [
    ['/course/no-such-course', 404, course, notFoundText, 'Back to courses', '/explore'],
    ['/course/no-such-course/dashboard', 404, course, notFoundText, ...toDashboard],
    [`/create-lessons/${nowhere}`, 404, course, notYoursText, ...toDashboard],
    [`/create-lessons/${bread.id}`, 403, course, notYoursText, ...toDashboard],
    [`/create-course?courseId=${bread.id}`, 403, course, notYoursText, ...toDashboard],
    [`/course/${bread.slug}/lesson/none`, 404, 'Lesson not found', noLessonText, ...toDashboard],
    [`/lesson/${nowhere}`, 404, 'Lesson not found', noLessonText, ...toDashboard],
  ] as const
  await enter(page.context(), lea, thunder.url)
  for (const [path, status, title, sentence, back, to] of missing) {
    const answer = await page.goto(path)
    expect([path, answer?.status()]).toEqual([path, status])
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(title)
    await expect(main(page)).toContainText(sentence)
    await expect(link(main(page), String(back))).toHaveAttribute('href', String(to))
  }
  await hydrated(page)
  await link(main(page), 'Back to dashboard').click()
  await expect(page).toHaveURL(/\/dashboard$/)
})

test('around every page: menus, footer, badge', async ({ page, thunder }) => {
  const { bea, lea } = made
  await test.step('the logo menu lists the courses, and scrolls', async () => {
    await enter(page.context(), bea, thunder.url)
    await page.goto('/explore')
    await hydrated(page)
    await button(page.getByRole('banner'), 'Thunder menu').click()
    const panel = page.locator('.menu-panel:popover-open')
    const titles = panel.locator('ul')
    await expect(titles.getByRole('link')).toHaveCount(12)
    await expect
      .poll(() => panel.evaluate(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight))
      .toBe(true)
    const last = link(titles, 'Songs, Part 1')
    await expect(last).toHaveAttribute('href', '/course/songs-part-1/dashboard')
    await last.click()
    await expect(page).toHaveURL(/\/course\/songs-part-1\/dashboard$/)
  })

  await test.step('titles without the mark; name and email; no PRO on Free', async () => {
    const other = await pageOf(page, thunder, lea)
    await other.goto('/dashboard')
    await hydrated(other)
    await button(other.getByRole('banner'), 'Thunder menu').click()
    const titles = other.locator('.menu-panel:popover-open ul').getByRole('link')
    await expect
      .poll(async () => (await titles.allTextContents()).toSorted())
      .toEqual(['Bread for Two', 'Thunder Bootcamp'])
    await other.keyboard.press('Escape')
    await button(other.getByRole('banner'), 'Account menu').click()
    const account = other.locator('.menu-panel:popover-open')
    await expect(account.getByText(lea.name, { exact: true })).toBeVisible()
    await expect(account.getByText(lea.email, { exact: true })).toBeVisible()
    await expect(account.getByText('PRO', { exact: true })).toHaveCount(0)
    await other.context().close()
  })

  await test.step('the footer, with the badge at the right; BUILT_WITH_BADGE=off hides it', async () => {
    await page.goto('/about')
    const footer = page.getByRole('contentinfo')
    for (const [name, href] of [
      ['About', '/about'],
      ['Privacy', '/privacy'],
      ['Terms', '/terms'],
      ['Blog', '/blog'],
      ['Help Center', '/help'],
    ] as const) {
      await expect(link(footer, name)).toHaveAttribute('href', href)
    }
    const badge = link(footer, 'Built with Thunder')
    await expect(badge).toBeVisible()
    const box = (await badge.boundingBox())!
    expect(box.x).toBeGreaterThan(640)

    const databaseUrl = (await runningPostgresUrl({ dataDir: thunder.dataDir })) ?? ''
    const plain = await startBuiltServer({
      BUILT_WITH_BADGE: 'off',
      DATABASE_URL: databaseUrl,
      FFMPEG_PATH: 'off',
      JOBS: 'off',
      HELP_URL: 'https://help.example/start',
    })
    try {
      await page.goto(`${plain.url}/about`)
      await expect(link(footer, 'Terms')).toBeVisible()
      await expect(link(footer, 'Help Center')).toHaveAttribute(
        'href',
        'https://help.example/start',
      )
      await expect(page.getByText('Built with')).toHaveCount(0)
    } finally {
      await plain.stop()
    }
  })
})

test('the dashboard of nobody yet, and of a creator', async ({ page, thunder }) => {
  const { nina, cora, bread } = made
  await enter(page.context(), nina, thunder.url)
  await page.goto('/dashboard')
  const taken = page.getByRole('region', { name: 'My Courses' })
  const created = page.getByRole('region', { name: 'Courses You Created' })
  await expect(taken.getByRole('heading', { name: 'No enrolled courses' })).toBeVisible()
  await expect(link(taken, 'Explore Courses')).toHaveAttribute('href', '/explore')
  await expect(created.getByRole('heading', { name: 'No courses yet' })).toBeVisible()
  await expect(link(created, 'Create Course')).toHaveAttribute('href', '/create-course')

  const creator = await pageOf(page, thunder, cora)
  await creator.goto('/dashboard')
  const own = creator.getByRole('region', { name: 'Courses You Created' }).getByRole('article')
  await expect(own.getByRole('heading')).toHaveText('Bread for Two')
  await expect(own.getByRole('link', { name: /^Edit Course\b.+Bread for Two$/ })).toHaveAttribute(
    'href',
    `/create-course?courseId=${bread.id}`,
  )
  await expect(own.getByRole('link', { name: /^Edit Content\b.+Bread for Two$/ })).toHaveAttribute(
    'href',
    `/create-lessons/${bread.id}`,
  )
  await expect(
    link(creator.getByRole('region', { name: 'My Courses' }), 'Explore Courses'),
  ).toHaveAttribute('href', '/explore')
  await creator.context().close()
})

test('explore: more courses, none, and what to do then', async ({ page, thunder }) => {
  await page.goto('/explore')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Explore All Courses')
  await expect(page.getByLabel('Category').getByRole('option')).toHaveText(['All', ...categories])
  expect(categories).toHaveLength(16)

  await test.step('12 more at each press, with the same filters', async () => {
    await page.goto(`/explore?search=${manyWord}&category=Music`)
    const cards = page.getByRole('list', { name: 'Courses' }).getByRole('article')
    const more = link(page, 'Load More Courses')
    await expect(cards).toHaveCount(12)
    await more.click()
    await expect(cards).toHaveCount(24)
    await expect(page).toHaveURL(`/explore?search=${manyWord}&category=Music&show=24#course-13`)
    await expect(page.getByPlaceholder('Search for anything')).toHaveValue(manyWord)
    await expect(page.getByLabel('Category')).toHaveValue('Music')
    await more.click()
    await expect(cards).toHaveCount(25)
    await expect(more).toHaveCount(0)
  })

  await test.step('in 3, 2 and 1 columns', async () => {
    const columns = () =>
      page
        .getByRole('list', { name: 'Courses' })
        .evaluate((list) => getComputedStyle(list).gridTemplateColumns.split(' ').length)
    for (const [width, count] of [
      [1280, 3],
      [768, 2],
      [375, 1],
    ] as const) {
      await page.setViewportSize({ width, height: 800 })
      await expect.poll(columns).toBe(count)
    }
    await page.setViewportSize({ width: 1280, height: 800 })
  })

  await test.step('nothing found, and back to everything', async () => {
    await page.goto(`/explore?search=${manyWord}&category=Cooking`)
    await expect(heading(page, 'No courses found')).toBeVisible()
    await link(page, 'Clear Filters').click()
    await expect(page).toHaveURL('/explore')
    await expect(page.getByRole('list', { name: 'Courses' })).toBeVisible()
  })

  await test.step('the call to action, for strangers and for people who are in', async () => {
    await expect(link(main(page), 'create your own')).toHaveAttribute('href', '/signup')
    await expect(link(main(page), 'Start Creating Today')).toHaveAttribute('href', '/signup')
    await enter(page.context(), made.rex, thunder.url)
    await page.reload()
    await expect(link(main(page), 'create your own')).toHaveAttribute('href', '/create-course')
    await expect(link(main(page), 'Create a Course')).toHaveAttribute('href', '/create-course')
    await expect(main(page).getByText('Start Creating Today')).toHaveCount(0)
  })
})

/** The picture is the uploaded one, and it is there. */
async function expectThumbnail(picture: Locator) {
  await expect(picture).toHaveAttribute('src', /^\/storage\/v1\/images\/[0-9a-f-]{36}\/640\.webp$/)
  await picture.scrollIntoViewIfNeeded()
  await expect
    .poll(() => picture.evaluate((image) => (image as HTMLImageElement).naturalWidth))
    .toBeGreaterThan(0)
}

test('a course on its card and on its public page', async ({ page }) => {
  const { bread, cora } = made
  // Otherwise it would not be a proof that the mark is taken off.
  const { title } = await (await page.request.get(`/rest/v1/courses/${bread.slug}`)).json()
  expect(title).toBe('Bread for Two ⚡')

  await test.step('cards', async () => {
    await page.goto('/explore?search=for Two&category=Cooking')
    const ours = card(page, 'Bread for Two')
    await expect(ours.getByRole('heading')).toHaveText('Bread for Two')
    await expect(ours.getByText('Cooking', { exact: true })).toBeVisible()
    await expect(ours.getByText('Free', { exact: true })).toBeVisible()
    await expect(ours.getByText(summary)).toBeVisible()
    await expect(ours.getByText('Verified')).toHaveCount(0)
    await expectThumbnail(ours.locator('img'))
    await expect(ours).toContainText('Created by Cora Maker')
    await ours.getByRole('link', { name: 'Cora Maker' }).click()
    await expect(page).toHaveURL(/\/user\/cora-maker/)
    await page.goto('/explore?search=Bootcamp')
    const flagship = card(page, 'Thunder Bootcamp')
    await expect(flagship.getByRole('heading')).toHaveText('Thunder Bootcamp Verified')
  })

  await test.step('public page', async () => {
    await page.goto(`/course/${bread.slug}`)
    await expect(page).toHaveTitle('Bread for Two · Thunder')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Bread for Two')
    const join = page.getByRole('complementary', { name: 'Join this course' })
    await expectThumbnail(join.locator('img'))
    await expect(join.getByText('Free', { exact: true })).toBeVisible()
    await expect(main(page).getByText('Cooking', { exact: true })).toBeVisible()
    await expect(main(page).getByText(`Created by ${cora.name}`)).toBeVisible()
    const units = main(page).getByRole('definition')
    await expect(units).toHaveText(['3', '2', '6'])
    await expect(main(page).getByRole('term')).toHaveText(['Members', 'Chapters', 'Lessons'])
    const inside = page.getByRole('region', { name: 'Lessons Inside:' }).getByRole('listitem')
    await expect(inside).toHaveText([
      // As long as its video.
      'Mix by hand 1 min',
      'Let it rest',
      'Fold it',
      'Shape it',
      'and 2 more',
    ])
    await expect(main(page).getByText('Verified')).toHaveCount(0)
    await link(main(page), 'Back').click()
    await expect(page).toHaveURL('/explore')
    await page.goto('/course/thunder-bootcamp')
    await expect(main(page).getByText('Verified', { exact: true })).toBeVisible()
  })
})

test('the member page', async ({ page, thunder }) => {
  const { bread, lea, cora } = made
  const here = `/course/${bread.slug}/dashboard`
  await enter(page.context(), lea, thunder.url)
  await page.goto(here)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Bread for Two')
  await expect(link(main(page), 'Back to Dashboard')).toHaveAttribute('href', '/dashboard')
  await expect(main(page).getByText('Verified')).toHaveCount(0)
  await expect(main(page).getByText('Edit Course')).toHaveCount(0)

  await test.step('the first lesson is ticked, the others have their numbers', async () => {
    const dough = page.getByRole('region', { name: 'Chapter 1: The dough' }).getByRole('listitem')
    await expect(dough.first()).toContainText('Completed')
    await expect(dough.nth(1)).toHaveText(/^2Let it rest/)
    await expect(dough.nth(2)).toHaveText(/^3Fold it$/)
    await expect(main(page).getByText('Completed', { exact: true })).toHaveCount(1)
  })

  await test.step('the card beside them', async () => {
    const progress = page.getByRole('complementary', { name: 'Your progress' })
    await expectThumbnail(progress.locator('img'))
    await expect(progress.getByText('Bread for Two', { exact: true })).toBeVisible()
    // As text: the tags are there to read.
    await expect(progress.getByText(summary, { exact: true })).toBeVisible()
    await expect(progress.getByText('6 lessons', { exact: true })).toBeVisible()
    await expect(progress.getByText('3 members', { exact: true })).toBeVisible()
    await expect(progress.getByText('1 of 6 lessons completed')).toBeVisible()
  })

  await test.step('About', async () => {
    await hydrated(page)
    await link(page, 'About').first().click()
    await expect(page).toHaveURL(`${here}?tab=about`)
    const inside = page.getByRole('region', { name: 'Lessons Inside:' }).getByRole('listitem')
    await expect(inside).toHaveText([
      'Mix by hand',
      'Let it rest',
      'Fold it',
      'Shape it',
      'and 2 more',
    ])
    const details = page.getByRole('complementary', { name: 'Course details' })
    await expect(details.getByRole('term')).toHaveText([
      'Price',
      'Category',
      'Level',
      'Application',
    ])
    await expect(details.getByRole('definition')).toHaveText([
      'Free',
      'Cooking',
      'Beginner',
      'Not Required',
    ])
    await expect(details.getByText(cora.name, { exact: true })).toBeVisible()
    await expect(details.getByText('Course Instructor', { exact: true })).toBeVisible()
  })

  await test.step('Discussion', async () => {
    await link(page, 'Discussion').first().click()
    await expect(page).toHaveURL(`${here}?tab=discussion`)
    await expect(page.getByRole('heading', { name: 'No posts yet' })).toBeVisible()
    await expect(button(main(page), 'Write something...')).toBeVisible()
    await expect(page.getByLabel('Sort by').getByRole('option')).toHaveText([
      'Newest',
      'Oldest',
      'Most liked',
      'Least liked',
      'Most helpful',
    ])
    await expect(link(main(page), 'Moderation')).toHaveCount(0)
    // An address that names nothing shows all.
    await page.goto(`${here}?tab=discussion&sort=upwards&channel=none&post=nothing`)
    await expect(page.getByLabel('Sort by')).toHaveValue('newest')
    await expect(
      page.getByText('This post was deleted, or you don’t have access to it.'),
    ).toBeVisible()
  })

  await test.step('a verified course, and what the instructor sees', async () => {
    await page.goto('/course/thunder-bootcamp/dashboard')
    await expect(main(page).getByText('Verified', { exact: true })).toBeVisible()
    const instructor = await pageOf(page, thunder, cora)
    await instructor.goto(here)
    await expect(link(main(instructor), 'Edit Course')).toHaveAttribute(
      'href',
      `/create-course?courseId=${bread.id}`,
    )
    await instructor.goto(`${here}?tab=discussion`)
    for (const [name, path] of [
      ['Moderation', `/course/${bread.slug}/moderation`],
      ['Rules', `/course/${bread.slug}/moderation?view=settings`],
    ] as const) {
      await expect(link(main(instructor), name)).toHaveAttribute('href', path)
    }
    await instructor.context().close()
  })
})

test('a lesson, completed and not', async ({ page, thunder }) => {
  const { bread, lea, max } = made
  const at = (slug: string) => `/course/${bread.slug}/lesson/${slug}`
  await test.step('where it is, and when it was completed', async () => {
    const reader = await pageOf(page, thunder, lea)
    await reader.goto(at('mix-by-hand'))
    await expect(main(reader).getByText('Completed on March 5, 2026')).toBeVisible()
    await reader.goto(at('fold-it'))
    await expect(reader.getByRole('heading', { level: 1 })).toHaveText('Fold it')
    await expect(reader).toHaveTitle('Fold it · Thunder')
    await expect(main(reader).getByText('Lesson 3 of 6', { exact: true })).toBeVisible()
    await expect(main(reader).getByText('Bread for Two · The dough')).toBeVisible()
    await expect(link(main(reader), 'Back to Course')).toHaveAttribute(
      'href',
      `/course/${bread.slug}/dashboard`,
    )
    await reader.context().close()
  })

  await enter(page.context(), max, thunder.url)
  await page.goto(at('shape-it'))
  await hydrated(page)
  const panel = page.getByRole('region', { name: 'Completion' })
  const posts = /\/lesson\/shape-it\.data/
  const dayOf = (moment: Date) => moment.toLocaleDateString('en-US', { dateStyle: 'long' })
  const began = new Date()
  await expect(panel.getByText('Not completed yet', { exact: true })).toBeVisible()

  await test.step('presses are ignored while a change is under way', async () => {
    const { held, letGo } = await hold(page, posts)
    await button(panel, 'Mark Complete').click()
    await expect(panel.getByText(/^Completed on/)).toBeVisible()
    await pressAnyway(panel.getByRole('button'))
    await pressAnyway(panel.getByRole('button'))
    await expect.poll(() => held.length).toBe(1)
    letGo()
    await expect(panel.getByRole('button')).not.toHaveAttribute('aria-disabled')
    expect(held).toHaveLength(1)
    await page.unrouteAll({ behavior: 'wait' })
  })

  await test.step('and back again, on the server too', async () => {
    await page.reload()
    await hydrated(page)
    // Midnight may have come in between.
    const days = [began, new Date()].map(dayOf).join('|')
    await expect(panel.getByText(new RegExp(`^Completed on (${days})$`))).toBeVisible()
    await button(panel, 'Completed').click()
    await expect(panel.getByText('Not completed yet', { exact: true })).toBeVisible()
    await expect(panel.getByRole('button')).not.toHaveAttribute('aria-disabled')
    await page.reload()
    await hydrated(page)
    await expect(panel.getByText('Not completed yet', { exact: true })).toBeVisible()
  })

  await test.step('what could not be saved is taken back, and said', async () => {
    // The page may read itself anew at any moment; that is another request.
    await page.route(posts, (route) =>
      route.request().method() === 'POST' ? route.abort() : route.fallback(),
    )
    await button(panel, 'Mark Complete').click()
    await expect(
      page.getByText('Your progress could not be saved. Please try again.'),
    ).toBeVisible()
    await expect(panel.getByText('Not completed yet', { exact: true })).toBeVisible()
    await expect(button(panel, 'Mark Complete')).toBeVisible()
  })
})

test('watching a video', async ({ page, thunder }) => {
  const { bread, max } = made
  await enter(page.context(), max, thunder.url)
  await page.goto(`/course/${bread.slug}/lesson/mix-by-hand`)
  await hydrated(page)
  const panel = page.getByRole('region', { name: 'Completion' })
  const video = page.locator('video')
  const completions: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST') completions.push(request.postData() ?? '')
  })
  /** From this second to its end, and until the server has answered to that. */
  const watchToTheEnd = async (from: (duration: number) => number) => {
    const noted = page.waitForResponse(
      (response) =>
        response.url().endsWith('/position') && response.request().postDataJSON().ended === true,
    )
    const duration = await video.evaluate((element) => (element as HTMLVideoElement).duration)
    await video.evaluate(async (element, second) => {
      const player = element as HTMLVideoElement
      player.muted = true
      player.playbackRate = 2
      player.currentTime = second
      await player.play()
    }, from(duration))
    await noted
  }

  await test.step('in a frame of 16:9', async () => {
    await expect
      .poll(() => video.evaluate((element) => (element as HTMLVideoElement).readyState))
      .toBeGreaterThan(0)
    const { width, height } = (await video.boundingBox())!
    expect(width / height).toBeCloseTo(16 / 9, 1)
  })

  await test.step('to its end completes the lesson', async () => {
    await watchToTheEnd(() => 0)
    await expect(panel.getByText(/^Completed on/)).toBeVisible()
    await expect(panel.getByRole('button')).not.toHaveAttribute('aria-disabled')
    // The report of the end was enough.
    expect(completions).toHaveLength(0)
  })

  await test.step('what the person chose wins', async () => {
    await button(panel, 'Completed').click()
    await expect(panel.getByText('Not completed yet', { exact: true })).toBeVisible()
    await expect(panel.getByRole('button')).not.toHaveAttribute('aria-disabled')
    await watchToTheEnd((duration) => duration - 0.5)
    await expect(panel.getByText('Not completed yet', { exact: true })).toBeVisible()
    expect(completions).toHaveLength(1)
  })

  await test.step('one that the browser cannot play', async () => {
    await page.goto(`/course/${bread.slug}/lesson/let-it-rest`)
    const failure = main(page).getByRole('alert')
    await expect(failure.getByText('Video format not supported', { exact: true })).toBeVisible()
    await expect(
      failure.getByText(
        'The video may be in a format not supported by your browser or may have been removed.',
        { exact: true },
      ),
    ).toBeVisible()
    const away = link(failure, 'Open video in new tab')
    await expect(away).toHaveAttribute('target', '_blank')
    const stored = await page.request.get((await away.getAttribute('href')) ?? '')
    expect((await stored.body()).equals(unplayable)).toBe(true)
    const { width, height } = (await failure.boundingBox())!
    expect(width / height).toBeCloseTo(16 / 9, 1)
  })
})

test('a completion in one browser ticks in another', async ({ page, thunder }) => {
  const { bread, liv } = made
  await enter(page.context(), liv, thunder.url)
  const listening = page.waitForResponse(/\/realtime\/v1\/events/)
  await page.goto(`/course/${bread.slug}/dashboard`)
  await listening
  const startedAt = await page.evaluate(() => performance.timeOrigin)
  await expect(main(page).getByText('0 of 6 lessons completed')).toBeVisible()

  const other = await pageOf(page, thunder, liv)
  await other.goto(`/course/${bread.slug}/lesson/heat-it`)
  await hydrated(other)
  await button(other, 'Mark Complete').click()

  await expect(main(page).getByText('1 of 6 lessons completed')).toBeVisible()
  const oven = page.getByRole('region', { name: 'Chapter 2: The oven' }).getByRole('listitem')
  await expect(oven.first()).toContainText('Completed')
  expect(await page.evaluate(() => performance.timeOrigin)).toBe(startedAt)
  await other.context().close()
})

test('a stream that is lost is asked for again after 1, 2, 5 and then each 10 seconds', async ({
  page,
  thunder,
}) => {
  const { bread, liv } = made
  await enter(page.context(), liv, thunder.url)
  // The clock moves only where it is moved, so that a busy machine makes no wait longer.
  await page.clock.install()
  await stopClock(page)
  await page.addInitScript(() => {
    const { fetch: ask } = window
    const asked: number[] = []
    Object.assign(window, { asked })
    window.fetch = (...request) => {
      if (String(request[0]).includes('/realtime/v1/events')) asked.push(Date.now())
      return ask(...request)
    }
  })
  /** When the stream was asked for, in milliseconds on the page's clock. */
  const asked = () => page.evaluate(() => (window as unknown as { asked: number[] }).asked)
  let failed = 0
  page.on('requestfailed', (request) => {
    if (request.url().includes('/realtime/v1/events')) failed += 1
  })
  await page.route('**/realtime/v1/events?*', (route) => route.abort())
  await page.goto(`/course/${bread.slug}/dashboard`)
  await expect
    .poll(
      async () => {
        // The clock goes on while the page waits, not while a request is under way.
        const { length } = await asked()
        if (failed > 0 && failed === length) await page.clock.runFor(200)
        return length
      },
      { intervals: [20], timeout: 60_000 },
    )
    .toBe(6)
  const times = await asked()
  const waits = times.slice(1).map((at, index) => at - times[index]!)
  for (const [index, seconds] of [1, 2, 5, 10, 10].entries()) {
    expect(waits[index]).toBeGreaterThanOrEqual(seconds * 1000)
    expect(waits[index]).toBeLessThan(seconds * 1000 + 1000)
  }
})

test('logging in and signing up', async ({ page, thunder }) => {
  const { rex } = made
  const problem = main(page).getByRole('alert')
  const password = page.getByLabel('Password', { exact: true })
  await test.step('one form leads to the other', async () => {
    await page.goto('/login?to=/explore')
    await hydrated(page)
    await link(main(page), 'Create an account').click()
    await expect(page).toHaveURL('/signup?to=%2Fexplore')
    await link(main(page), 'Log in').click()
    await expect(page).toHaveURL('/login?to=%2Fexplore')
    // The address changes before the form does.
    await expect(page.getByLabel('Confirm Password')).toHaveCount(0)
  })

  await test.step('a password can be looked at, and hidden again', async () => {
    await button(page, 'Show password').click()
    await expect(password).toHaveAttribute('type', 'text')
    await button(page, 'Hide password').click()
    await expect(password).toHaveAttribute('type', 'password')
  })

  await test.step('both fields are required', async () => {
    await button(page, 'Login').click()
    await expect(problem).toHaveText('Email address is required')
    await page.getByLabel('Email').fill(rex.email)
    await password.fill('   ')
    await button(page, 'Login').click()
    await expect(problem).toHaveText('Password is required')
  })

  await test.step("'Signing in...', once; spaces around do not matter", async () => {
    const { held, letGo } = await hold(page, /\/login\.data/)
    // A field of type email trims by itself; somebody else's program may not.
    await page.getByLabel('Email').evaluate((input) => input.setAttribute('type', 'text'))
    await logInHere(page, { email: `  ${rex.email} `, password: ` ${rex.password}  ` })
    const busy = button(page, 'Signing in...')
    await expect(busy).toBeVisible()
    await expect(page.getByLabel('Email')).toBeDisabled()
    await expect(password).toBeDisabled()
    await expect(page.getByRole('checkbox', { name: 'Remember me' })).toBeDisabled()
    await pressAnyway(busy)
    letGo()
    await expect(page).toHaveURL('/explore')
    expect(held).toHaveLength(1)
  })

  await test.step("'Creating account...', once, and not at all while the database fails", async () => {
    const other = await pageOf(page, thunder)
    await other.goto('/signup')
    await hydrated(other)
    const broken = {
      change: `create function refuse() returns trigger language plpgsql
                 as $$ begin raise exception 'refused for a test'; end $$;
               create trigger refuse before insert on users
                 for each row execute function refuse()`,
      undo: 'drop trigger refuse on users; drop function refuse',
    }
    await meddle(thunder, broken, async () => {
      await signUpHere(other, newcomer('Una Mono'))
      await expect(main(other).getByRole('alert')).toHaveText(
        'There was a temporary issue creating your account. Please try again in a moment.',
      )
    })
    const { held, letGo } = await hold(other, /\/signup\.data/)
    await signUpHere(other, newcomer('Una Mono'))
    const busy = button(other, 'Creating account...')
    await expect(busy).toBeVisible()
    await expect(other.getByLabel('Display Name')).toBeDisabled()
    await pressAnyway(busy)
    await busy.focus()
    await other.keyboard.press('Enter')
    letGo()
    await expect(other).toHaveURL(/\/dashboard$/)
    expect(held).toHaveLength(1)
    await other.context().close()
  })
})

test('joining: refused, busy, and twice', async ({ page, thunder }) => {
  const { open, rex } = made
  await enter(page.context(), rex, thunder.url)
  await page.goto(`/course/${open.slug}`)
  await hydrated(page)
  const second = await pageOf(page, thunder, rex)
  await second.goto(`/course/${open.slug}`)
  await hydrated(second)

  const problem = main(page).getByRole('alert')
  const full = {
    change: `update courses set students_count = 25 where id = '${open.id}'`,
    undo: `update courses set students_count = 0 where id = '${open.id}'`,
  }
  await meddle(thunder, full, async () => {
    await button(page, 'Join Course').click()
    await expect(problem).toHaveText(
      'This course has reached its maximum enrollment limit (25 students for free instructors)',
    )
  })
  const broken = {
    change: `create function refuse() returns trigger language plpgsql
               as $$ begin raise exception 'refused for a test'; end $$;
             create trigger refuse before insert on enrollments
               for each row execute function refuse()`,
    undo: 'drop trigger refuse on enrollments; drop function refuse',
  }
  await meddle(thunder, broken, async () => {
    await button(page, 'Join Course').click()
    await expect(problem).toHaveText('Failed to enroll in course. Please try again.')
  })
  // As when two transactions were in each other's way.
  const undone = {
    ...broken,
    change: broken.change.replace("test';", "test' using errcode = '40001';"),
  }
  await meddle(thunder, undone, async () => {
    await button(page, 'Join Course').click()
    await expect(problem).toHaveText(
      'There was a temporary issue with enrollment. Please try again in a moment.',
    )
  })

  const { held, letGo } = await hold(page, new RegExp(`/course/${open.slug}\\.data`))
  await button(page, 'Join Course').click()
  const busy = button(page, 'Enrolling...')
  await expect(busy).toBeVisible()
  await pressAnyway(busy)
  letGo()
  await expect(page).toHaveURL(`/course/${open.slug}/dashboard`)
  expect(held).toHaveLength(1)

  // The other browser does not know yet.
  await button(second, 'Join Course').click()
  await expect(second).toHaveURL(`/course/${open.slug}/dashboard`)
})

test('the form of a new course', async ({ page, thunder }) => {
  const { newt } = made
  await enter(page.context(), newt, thunder.url)

  await test.step('is closed while nobody knows whether it may be sent', async () => {
    // The query of the check cannot be answered for the moment.
    const broken = {
      change: 'alter table courses rename column instructor_id to renamed',
      undo: 'alter table courses rename column renamed to instructor_id',
    }
    await meddle(thunder, broken, () => page.goto('/create-course'))
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Course Information')
    await expect(
      page.getByText('We could not check whether you may create another course.'),
    ).toBeVisible()
    await hydrated(page)
    await expect(page.getByLabel('Title')).toBeDisabled()
    await expect(page.getByLabel('Category')).toBeDisabled()
    await expect(button(page, 'Continue')).toBeDisabled()
    await link(main(page), 'Try again').click()
    await expect(page.getByLabel('Title')).toBeEnabled()
  })

  await test.step('says what it is, and lets people go', async () => {
    await expect(page.getByText('Step 1 of 2', { exact: true })).toBeVisible()
    await expect(page.getByText('PNG, JPG, GIF up to 10MB', { exact: true })).toBeVisible()
    await expect(page.getByLabel('Category').getByRole('option')).toHaveText([
      'Select a category',
      ...categories,
    ])
    await expect(link(main(page), 'Cancel')).toHaveAttribute('href', '/dashboard')
    await hydrated(page)
    await link(main(page), 'Back to Dashboard').click()
    await expect(page).toHaveURL(/\/dashboard$/)
    await page.goto('/create-course')
  })

  /** The same form elsewhere, opened while there is no course yet. */
  const second = await pageOf(page, thunder, newt)
  await second.goto('/create-course')
  const fillIn = async (tab: Page) => {
    await hydrated(tab)
    await tab.getByLabel('Title').fill('A Course of Newt')
    await tab.getByLabel('Category').selectOption('Gardening')
  }
  const describe = async (tab: Page) => {
    await tab.getByRole('textbox', { name: 'Description', exact: true }).click()
    await tab.keyboard.type('Where pots go.')
  }

  await test.step('wants a description', async () => {
    await fillIn(page)
    await button(page, 'Continue').click()
    await expect(page.getByText('Description is required', { exact: true })).toBeVisible()
    await expect(page.getByRole('textbox', { name: 'Description', exact: true })).toHaveAttribute(
      'aria-invalid',
      'true',
    )
  })

  await test.step('that could not be sent says so, and can be sent again', async () => {
    await describe(page)
    const calls = /\/rest\/v1\/courses$/
    await page.route(calls, (route) => route.abort())
    await button(page, 'Continue').click()
    await expect(main(page).getByRole('alert')).toContainText(
      'Failed to create course. Please try again.',
    )
    await expect(page.getByLabel('Title')).toHaveValue('A Course of Newt')
    await page.unroute(calls)
    await button(page, 'Continue').click()
    await expect(page).toHaveURL(/\/create-lessons\//)
  })

  await test.step('refused by the server says why', async () => {
    await fillIn(second)
    await describe(second)
    await button(second, 'Continue').click()
    await expect(main(second).getByRole('alert')).toContainText(
      'Free plan users can create up to 1 course. You have reached this limit.',
    )
  })
})

test('the form of a course that exists', async ({ page, thunder }) => {
  const { cora, bread } = made
  await enter(page.context(), cora, thunder.url)
  // Her plan is used up; what she has stays hers to edit.
  await page.goto('/create-course')
  await expect(main(page).getByText('You have reached this limit.')).toBeVisible()
  await page.goto(`/create-course?courseId=${bread.id}`)
  await hydrated(page)
  await expect(main(page).getByText('You have reached this limit.')).toHaveCount(0)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Course Information')
  await expect(page.getByText('Step 1 of 2', { exact: true })).toBeVisible()
  await expect(page.getByLabel('Title')).toHaveValue('Bread for Two')
  await expect(page.getByLabel('Short description')).toHaveValue(summary)
  await expect(page.getByLabel('Category')).toHaveValue('Cooking')
  await expect(page.getByRole('textbox', { name: 'Description', exact: true })).toHaveText(
    'You need flour, water, salt and time.',
  )
  await expectThumbnail(page.getByAltText('The thumbnail of this course'))
  await expect(button(page, 'Save and continue')).toBeEnabled()
  await link(main(page), 'Cancel').click()
  await expect(page).toHaveURL(/\/dashboard$/)
})

test('the editor of chapters and lessons', async ({ page, thunder }) => {
  const { ed, edited } = made
  await enter(page.context(), ed, thunder.url)
  await page.goto(`/create-lessons/${edited.id}`)
  await hydrated(page)
  const first = page.getByRole('region', { name: 'First knots' })
  const later = page.getByRole('region', { name: 'Later knots' })
  const removal = (within: Locator) => within.getByRole('button', { name: /^Remove “/ })
  const remove = async (within: Page | Locator, name: string, confirm: string) => {
    await button(within, `Remove “${name}”`).click()
    await button(page.getByRole('alertdialog'), confirm).click()
  }

  await test.step('says what it is, and lets people go', async () => {
    await expect(
      page.getByText('Update your course chapters and lessons', { exact: true }),
    ).toBeVisible()
    await expect(heading(page, 'Course Structure')).toBeVisible()
    await expect(link(main(page), 'Back to Dashboard')).toHaveAttribute('href', '/dashboard')
    await link(main(page), 'Cancel').click()
    await expect(page).toHaveURL(/\/dashboard$/)
    await page.goBack()
    await hydrated(page)
  })

  await test.step('chapters and lessons open and close', async () => {
    const chapter = first.getByRole('button', { name: /^First knots/ })
    const lesson = first.getByRole('button', { name: /^Reef knot/ })
    const text = page.getByRole('textbox', { name: 'Lesson content' })
    await expect(chapter).toHaveAttribute('aria-expanded', 'true')
    await lesson.click()
    await expect(text).toBeVisible()
    await expect.poll(async () => (await text.boundingBox())?.height).toBeGreaterThanOrEqual(150)
    await lesson.click()
    await expect(text).toBeHidden()
    await chapter.click()
    await expect(lesson).toBeHidden()
    await expect(chapter).toHaveAttribute('aria-expanded', 'false')
    await chapter.click()
    await expect(lesson).toBeVisible()
  })

  await test.step('lists are at most eight levels deep', async () => {
    await first.getByRole('button', { name: /^Bowline/ }).click()
    const text = page.getByRole('textbox', { name: 'Lesson content' })
    await text.click()
    const tools = page.getByRole('toolbar', { name: 'Lesson content: formatting' })
    await button(tools, 'Bullet list').click()
    for (let level = 1; level <= 10; level++) {
      await page.keyboard.type(`${level}`)
      await page.keyboard.press('Enter')
      await page.keyboard.press('Tab')
    }
    await expect(text.locator('ul')).toHaveCount(8)
    await expect(text.locator('ul ul ul ul ul ul ul ul')).toHaveCount(1)
    await first.getByRole('button', { name: /^Bowline/ }).click()
  })

  await test.step('titles are required', async () => {
    const title = page.getByLabel('Chapter title').first()
    await title.fill('')
    await title.blur()
    await expect(page.getByText('Chapter title is required', { exact: true })).toBeVisible()
    await title.fill('First knots')
    await expect(page.getByText('Chapter title is required')).toHaveCount(0)
    await first.getByRole('button', { name: /^Reef knot/ }).click()
    await page.getByLabel('Lesson title').fill('')
    await page.getByLabel('Lesson title').blur()
    await expect(page.getByText('Lesson title is required', { exact: true })).toBeVisible()
  })

  await test.step('what would be dropped is asked about first', async () => {
    await button(page, 'Save Changes').click()
    const question = page.getByRole('alertdialog', { name: 'Save without these?' })
    await expect(question.getByRole('listitem')).toHaveText(
      'The untitled lesson 1 of “First knots”',
    )
    await button(question, 'Go back').click()
    await expect(question).toBeHidden()
    await page.getByLabel('Lesson title').fill('Reef knot')
  })

  const videosNow = async () => {
    const content = await (await page.request.get(`/rest/v1/courses/${edited.id}/content`)).json()
    return content.chapters[0].lessons.map(({ video }: { video: unknown }) => video !== null)
  }
  await test.step('a removed video goes with the next save', async () => {
    expect(await videosNow()).toEqual([true, false])
    await button(first, 'Remove video').click()
    await expect(
      first.getByText('MP4, WebM, OGG, AVI, MOV up to 50MB', { exact: true }),
    ).toBeVisible()
    expect(await videosNow()).toEqual([true, false])
  })

  await test.step('the last lesson of a chapter and the last chapter stay', async () => {
    // One for the chapter, none for its only lesson.
    await expect(removal(later)).toHaveCount(1)
    await expect(button(later, 'Remove “Sheet bend”')).toHaveCount(0)
    await remove(first, 'Bowline', 'Remove lesson')
    await expect(button(first, 'Remove “Reef knot”')).toHaveCount(0)
    await remove(later, 'Later knots', 'Remove chapter')
    await expect(later).toHaveCount(0)
    await expect(removal(first)).toHaveCount(0)
  })

  await test.step('a save that did not arrive says so, and works the next time', async () => {
    const calls = '**/rest/v1/courses/*/content'
    const saysSo = async () => {
      const sent = page.waitForRequest(calls)
      await button(page, 'Save Changes').click()
      await sent
      await expect(main(page).getByRole('alert')).toHaveText(
        'Failed to save course. Please try again.',
      )
    }
    await page.route(calls, (route) =>
      route.request().method() === 'PUT' ? route.abort() : route.fallback(),
    )
    await saysSo()
    await page.unroute(calls)
    await whileFailing(page, ['PUT', calls], saysSo)
    await button(page, 'Save Changes').click()
    await expect(page).toHaveURL(/\/dashboard$/)
    expect(await videosNow()).toEqual([false])
  })
})

/** When this page began to upload, again and again; none of it arrives. */
async function refuseUploads(page: Page): Promise<number[]> {
  const attempts: number[] = []
  await page.route('**/storage/v1/uploads', (route) => {
    attempts.push(performance.now())
    return route.abort()
  })
  return attempts
}

test('an upload that does not arrive is tried three times', async ({ page, thunder }) => {
  const { cora, bread } = made
  const picture = await sharp({
    create: { width: 32, height: 18, channels: 3, background: '#334455' },
  })
    .png()
    .toBuffer()
  await enter(page.context(), cora, thunder.url)
  const form = await pageOf(page, thunder, cora)
  await page.goto(`/create-lessons/${bread.id}`)
  await form.goto(`/create-course?courseId=${bread.id}`)
  await Promise.all([hydrated(page), hydrated(form)])
  const ofVideo = await refuseUploads(page)
  const ofPicture = await refuseUploads(form)

  await main(page)
    .getByRole('button', { name: /^Heat it/ })
    .click()
  await page
    .getByLabel('Choose a video')
    .setInputFiles({ name: 'heat.avi', mimeType: 'video/x-msvideo', buffer: unplayable })
  await button(form, 'Replace').click()
  await form
    .getByLabel('Choose an image')
    .setInputFiles({ name: 'bread.png', mimeType: 'image/png', buffer: picture })
  await button(form, 'Save picture').click()

  await expect(page.getByText('Failed to upload video. Please try again.')).toBeVisible()
  await expect(form.getByText('Failed to upload file after multiple attempts')).toBeVisible()
  for (const attempts of [ofVideo, ofPicture]) {
    expect(attempts).toHaveLength(3)
    // Seconds between them: 1, 2. A busy machine may be late, never early.
    const waits = attempts.slice(1).map((at, index) => at - attempts[index]!)
    for (const [index, wait] of waits.entries()) {
      expect(wait).toBeGreaterThan((index + 1) * 1000 - 200)
      expect(wait).toBeLessThan((index + 2) * 1000 + 2000)
    }
  }
  await expect(button(page, 'Retry')).toBeVisible()
})

test('About, Terms and Privacy', async ({ page }) => {
  await test.step('About: origin, mission, values, comparison, and the way in', async () => {
    await page.goto('/about')
    await expect(heading(page, 'It began with a list of complaints')).toBeVisible()
    const mission = page.getByRole('region', { name: 'Our mission' })
    await expect(mission).toContainText('Make teaching what you know as ordinary')
    const values = page.getByRole('region', { name: 'The rules we build by' })
    await expect(values.getByRole('heading', { level: 3 })).toHaveText([
      'Tell the truth',
      'Keep what people gave us',
      'Let everybody in',
      'Stay small',
    ])
    const comparison = page.getByRole('table', { name: 'Traditional platforms and Thunder' })
    await expect(comparison.getByRole('columnheader')).toHaveText([
      'Traditional platforms',
      'Thunder',
    ])
    await expect(comparison.getByRole('rowheader')).toHaveCount(8)
    await expect(comparison).toContainText(
      'Free plan: 5% of a sale. Pro, at $20 a month or $200 a year: no transaction fees.',
    )
    await expect(comparison.getByText('no transaction fees')).toHaveCount(1)
    await expect(comparison).toContainText('A small course is up in under 10 minutes.')
    await link(main(page), 'Create your free account').click()
    await expect(page).toHaveURL('/signup')
  })

  await test.step('Terms', async () => {
    await page.goto('/terms')
    const section = (name: string) =>
      page.locator('section').filter({ has: page.getByRole('heading', { name }) })
    await expect(page.getByText('Effective date: June 29, 2025', { exact: true })).toBeVisible()
    await expect(section('Prohibited courses').getByRole('listitem')).toHaveCount(5)
    await expect(section('Removal of courses')).toContainText('We may hide or remove a course')
    await expect(section('Ending an account')).toContainText(
      'We may suspend or terminate an account',
    )
    await expect(section('Plans')).toContainText('is free for hubs of up to 25 users.')
    await expect(section('Plans')).toContainText('Pro, for $20 a month or $200 a year')
    await expect(section('Who may use it')).toContainText('at least 13 years old')
    await expect(section('Limit of liability')).toContainText(
      'limited to the amounts that you paid to us in the last 12 months',
    )
    await expect(section('Governing law')).toContainText('The law of the State of California')
    await expect(section('Fees on sales')).toContainText(
      'on the Free plan we keep a transaction fee of 5% of each sale. On Pro there is none',
    )
  })

  await test.step('Privacy', async () => {
    await page.goto('/privacy')
    await expect(page.getByText('Effective date: June 29, 2025', { exact: true })).toBeVisible()
    await expect(main(page)).toContainText('at least 13 years old')
    await expect(main(page)).toContainText('California')
  })
})
