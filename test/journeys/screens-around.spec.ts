// What is around every screen and between them: menus, footer and dashboard, and addresses that lead elsewhere or nowhere.
import { runningPostgresUrl } from '../../src/server/postgres/embedded.ts'
import type { Services } from '../../src/server/services.ts'
import { joinCourse, lessonsOf, makeCourse } from '../factories.ts'
import { expect, hydrated, test } from './journey.ts'
import {
  button,
  enter,
  furnish,
  joinFlagship,
  link,
  main,
  makeBread,
  makeSomebody,
  pageOf,
  type Somebody,
} from './screens-world.ts'
import { startBuiltServer } from './server.ts'

const notFoundText = "The course you're looking for doesn't exist or may have been removed."
const notYoursText =
  'It may have been deleted, or it belongs to somebody else. You can edit the courses you created.'
const noLessonText = "The lesson you're looking for doesn't exist or may have been removed."
const nowhere = '00000000-0000-7000-8000-000000000000'

/** But for the bread, the addresses of these courses stand below: no other journey has any of their titles. */
async function peopleAndCourses(services: Services) {
  const person = (name: string) => makeSomebody(services, name)
  const cora = await person('Cora Maker')
  const ed = await person('Ed Itor')
  const lea = await person('Lea Learner')
  const rex = await person('Rex Reader')
  const nina = await person('Nina Nobody')
  const bea = await person('Bea Busy')
  const many = await person('Manny Courses')

  const bread = await makeBread(services, cora)
  await joinCourse(services, lea, bread)
  await joinFlagship(services, lea)
  for (let number = 1; number <= 12; number++) {
    const songs = await makeCourse(services, many, {
      title: `Songs, Part ${number}`,
      category: 'Music',
    })
    await joinCourse(services, bea, songs)
  }
  const knots = await makeCourse(services, ed, { title: 'Knots at Sea', category: 'Hobbies' })
  const breadLessons = await lessonsOf(services, bread.id)
  return { cora, ed, lea, rex, nina, bea, bread, breadLessons, knots }
}

let made: Awaited<ReturnType<typeof peopleAndCourses>>
test.beforeAll(async ({ thunder }) => {
  made = await furnish(thunder, peopleAndCourses)
})

test('pages that are elsewhere lead there', async ({ page, thunder }) => {
  const { bread, breadLessons, lea, rex, cora, ed, knots } = made
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
  await expectWay(lea, `/lesson/${first!.id}?t=83`, `${lesson}?t=83`)
  await expectWay(lea, here, `${here}/dashboard`)
  await expectWay(cora, here, `${here}/dashboard`)
  await expectWay(rex, `${here}/dashboard`, here)
  await expectWay(rex, lesson, here)
  await expectWay(rex, `/lesson/${first!.id}`, here)
  await expectWay(null, `/course/${bread.id}`, here)
  const renamed = await page.request.patch(`/rest/v1/courses/${knots.id}`, {
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
