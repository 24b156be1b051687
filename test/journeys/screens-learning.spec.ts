// What the screens of learning say: the member page, lessons, and how a completion gets from one browser to another.
import type { Services } from '../../src/server/services.ts'
import { completeLessons, joinCourse } from '../factories.ts'
import { expect, hold, hydrated, stopClock, test } from './journey.ts'
import {
  addFilm,
  addThumbnail,
  button,
  enter,
  expectThumbnail,
  furnish,
  joinFlagship,
  link,
  main,
  makeBread,
  makeSomebody,
  pageOf,
  playableFilm,
  pressAnyway,
  summary,
  unplayable,
  unplayableFilm,
} from './screens-world.ts'

async function creatorAndMembers(services: Services) {
  const cora = await makeSomebody(services, 'Cora Maker')
  const lea = await makeSomebody(services, 'Lea Learner')
  const max = await makeSomebody(services, 'Max Minded')
  const liv = await makeSomebody(services, 'Liv Event')

  const bread = await makeBread(services, cora)
  await addThumbnail(services, cora, bread)
  await addFilm(services, cora, bread, 'mix-by-hand', playableFilm)
  await addFilm(services, cora, bread, 'let-it-rest', unplayableFilm)
  for (const reader of [lea, max, liv]) await joinCourse(services, reader, bread)
  await completeLessons(services, lea, bread, 1, new Date('2026-03-05T12:00:00Z'))
  await joinFlagship(services, lea)
  return { cora, lea, max, liv, bread }
}

let made: Awaited<ReturnType<typeof creatorAndMembers>>
test.beforeAll(async ({ thunder }) => {
  made = await furnish(thunder, creatorAndMembers)
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
