// Watched means remembered: the exact second everywhere, the tick at the end, and nothing lost offline.
import type { APIRequestContext, Page } from '@playwright/test'
import { madeFilm } from './film.ts'
import {
  complaintsOf,
  expect,
  expectNoAxeViolations,
  hydrated,
  inDatabase,
  publishedCourse,
  signedUp,
  somebodyElse,
  test,
  uploadedVideo,
} from './journey.ts'
import { hidePage } from './look-away.ts'

const length = 12

/** Can be sought to any half second. */
const clip = () =>
  madeFilm(
    `-f lavfi -i testsrc2=size=320x180:rate=8:duration=${length} ` +
      '-c:v libx264 -preset ultrafast -pix_fmt yuv420p -g 4 -movflags +faststart',
  )

/** All of its lessons but the first have the clip as their video. */
async function courseWithClips(
  request: APIRequestContext,
  title: string,
  lessons = ['One', 'Two', 'Three'],
) {
  const course = await publishedCourse(request, title, lessons)
  const path = `/rest/v1/courses/${course.id}/content`
  const { contentVersion, chapters } = await (await request.get(path)).json()
  const bytes = await clip()
  const [one, ...others] = chapters[0].lessons
  for (const lesson of others) {
    lesson.videoId = await uploadedVideo(request, course.id, { filename: 'clip.mp4', bytes })
  }
  const saved = await request.put(path, {
    data: { contentVersion, chapters: [{ ...chapters[0], lessons: [one, ...others] }] },
  })
  expect(saved.status(), await saved.text()).toBe(200)
  return course
}

type Report = { seconds: number; played?: unknown[]; ended?: boolean }

/** The next report of this kind that the server answered; begin to wait before it is sent. */
async function reported(page: Page, isMeant: (report: Report) => boolean) {
  const response = await page.waitForResponse(
    (one) =>
      one.url().endsWith('/position') &&
      one.ok() &&
      isMeant(one.request().postDataJSON() as Report),
  )
  return {
    report: response.request().postDataJSON() as Report,
    answer: (await response.json()) as { accepted: boolean; completed: boolean },
  }
}

const videoOf = (page: Page) => page.locator('video')

/** Silent, from here; no gesture is needed for that. What is to be caught before the end is played at speed 1. */
const play = (page: Page, { from, speed = 2 }: { from?: number; speed?: number } = {}) =>
  videoOf(page).evaluate(
    async (element, wanted) => {
      const video = element as HTMLVideoElement
      video.muted = true
      video.playbackRate = wanted.speed
      if (wanted.from !== undefined) video.currentTime = wanted.from
      await video.play()
    },
    { from, speed },
  )

const pause = (page: Page) =>
  videoOf(page).evaluate((element) => {
    const video = element as HTMLVideoElement
    video.pause()
    return Math.round(video.currentTime * 100) / 100
  })

async function expectAt(page: Page, seconds: number) {
  await hydrated(page)
  await expect
    .poll(() => videoOf(page).evaluate((element) => (element as HTMLVideoElement).currentTime))
    .toBeCloseTo(seconds, 1)
}

const completed = (page: Page) => page.getByText(/^Completed on/)
const notCompleted = (page: Page) => page.getByText('Not completed yet')

test('a learner is brought back to the second, and ticked for what was watched', async ({
  browser,
  page,
  thunder,
}) => {
  await signedUp(page.request, 'Vera Clip')
  const course = await courseWithClips(page.request, 'Watched and Remembered')
  const two = `/course/${course.slug}/lesson/two`
  const { context, page: learner } = await somebodyElse(browser, { baseURL: thunder.url })
  const complaints = complaintsOf(learner)
  await signedUp(learner.request, 'Lena Watcher')
  const joined = await learner.request.post('/rest/v1/enrollments', {
    data: { courseId: course.id },
  })
  expect(joined.status()).toBe(200)

  let left = 0
  await test.step('what plays is saved every few seconds, and where it is paused', async () => {
    await learner.goto(two)
    await hydrated(learner)
    const places: number[] = []
    learner.on('response', (response) => {
      if (!response.url().endsWith('/position') || !response.ok()) return
      places.push(response.request().postDataJSON().seconds)
    })
    const saved = reported(learner, ({ seconds, played }) => seconds >= 4 && played !== undefined)
    await videoOf(learner).evaluate((element) => {
      const video = element as HTMLVideoElement
      // In the page, and not from outside: that may take seconds, in which the film ends.
      video.addEventListener('timeupdate', () => {
        if (video.currentTime >= 5.5) video.pause()
      })
    })
    await play(learner, { speed: 0.5 })
    expect((await saved).answer).toMatchObject({ accepted: true, completed: false })
    await expect(videoOf(learner)).toHaveJSProperty('paused', true)
    left = await pause(learner)
    await expect.poll(() => places).toContain(left)
    expect(left).toBeGreaterThan(4)
  })

  await test.step('the exact second after a reload, and in another browser', async () => {
    await learner.reload()
    await expectAt(learner, left)
    const state = await context.storageState()
    const other = await somebodyElse(browser, { baseURL: thunder.url, storageState: state })
    await other.page.goto(two)
    await expectAt(other.page, left)
    await other.context.close()
  })

  await test.step('the exact second from the dashboard, the course and the address of mails', async () => {
    await learner.goto('/dashboard')
    const name = /^Continue Watched and Remembered: Two at 0:0\d$/
    const goOn = learner.getByRole('link', { name })
    await expect(goOn).toBeVisible()
    await expectNoAxeViolations(learner)
    await goOn.click()
    await expect(learner).toHaveURL(thunder.url + two)
    await expectAt(learner, left)
    await learner.goto(`/course/${course.slug}/dashboard`)
    await expect(learner.getByText(/^Where you left: Two at 0:0\d$/)).toBeVisible()
    await learner.getByRole('link', { name: 'Continue', exact: true }).click()
    await expectAt(learner, left)
    await learner.goto(`/course/${course.slug}/continue`)
    await expect(learner).toHaveURL(thunder.url + two)
    await expectAt(learner, left)
  })

  await test.step('an address that says another second does not lose this one', async () => {
    await learner.goto(`${two}?t=7.5`)
    await expectAt(learner, 7.5)
    await learner.goto(two)
    await expectAt(learner, left)
  })

  await test.step('an address may say the second, until the place is saved', async () => {
    await learner.goto(`${two}?t=7.5`)
    await expectAt(learner, 7.5)
    const saved = reported(learner, ({ seconds }) => seconds === 3)
    await videoOf(learner).evaluate((element) => {
      ;(element as HTMLVideoElement).currentTime = 3
    })
    await saved
    await learner.reload()
    await expectAt(learner, 3)
  })

  await test.step('what was left at its very end starts from the beginning', async () => {
    await learner.goto(`${two}?t=${length - 1}`)
    await hydrated(learner)
    await play(learner, { speed: 1 })
    const second = () =>
      videoOf(learner).evaluate((element) => (element as HTMLVideoElement).currentTime)
    await expect.poll(second, { intervals: [100] }).toBeGreaterThan(0)
    expect(await pause(learner)).toBeLessThan(length - 1)
  })

  await test.step('skipping to the end completes nothing', async () => {
    const ended = reported(learner, (report) => report.ended === true)
    await play(learner, { from: length - 0.5 })
    expect((await ended).answer.completed).toBe(false)
    await expect(notCompleted(learner)).toBeVisible()
  })

  await test.step('watching to the end does', async () => {
    const ended = reported(learner, (report) => report.ended === true)
    await play(learner, { from: 0 })
    expect((await ended).answer).toMatchObject({ accepted: true, completed: true })
    await expect(completed(learner)).toBeVisible()
  })

  await test.step('the toggle wins: the end alone completes it no more', async () => {
    await learner.getByRole('button', { name: 'Completed' }).click()
    await expect(notCompleted(learner)).toBeVisible()
    // It is shown at once; here the server has answered.
    const again = learner.getByRole('button', { name: 'Mark Complete' })
    await expect(again).not.toHaveAttribute('aria-disabled')
    await learner.reload()
    await hydrated(learner)
    await expect(notCompleted(learner)).toBeVisible()
    const ended = reported(learner, (report) => report.ended === true)
    await play(learner, { from: length - 0.5 })
    expect((await ended).answer.completed).toBe(false)
    await expect(notCompleted(learner)).toBeVisible()
  })

  expect(complaints).toEqual([])
  await context.close()
})

test('a computer that wakes up goes on where another device is by now', async ({
  browser,
  page,
  thunder,
}) => {
  await signedUp(page.request, 'Lea Laptop')
  const course = await courseWithClips(page.request, 'Two Devices')
  const { chapters } = await (
    await page.request.get(`/rest/v1/courses/${course.id}/content`)
  ).json()
  const place = `/rest/v1/lessons/${chapters[0].lessons[1].id}/position`
  const { context, page: laptop } = await somebodyElse(browser, { baseURL: thunder.url })
  await signedUp(laptop.request, 'Luis Learner')
  await laptop.request.post('/rest/v1/enrollments', { data: { courseId: course.id } })
  const onThePhone = async (seconds: number) => {
    expect((await laptop.request.put(place, { data: { seconds } })).status()).toBe(200)
  }
  const seek = (seconds: number) =>
    videoOf(laptop).evaluate((element, to) => {
      ;(element as HTMLVideoElement).currentTime = to
    }, seconds)

  await onThePhone(2)
  await laptop.clock.install()
  await laptop.goto(`/course/${course.slug}/lesson/two`)
  await expectAt(laptop, 2)

  await test.step('in a page that was out of sight', async () => {
    await hidePage(laptop, true)
    await onThePhone(9)
    await laptop.clock.fastForward('01:00:00')
    await hidePage(laptop, false)
    await expectAt(laptop, 9)
  })

  await test.step('although it has something to tell from before', async () => {
    await laptop.route(`**${place}`, (route) => route.abort())
    const failed = laptop.waitForEvent('requestfailed', (request) => request.url().endsWith(place))
    await seek(5)
    await failed
    await onThePhone(7)
    await laptop.unroute(`**${place}`)
    const told = reported(laptop, ({ seconds }) => seconds === 5)
    await laptop.clock.fastForward('01:00:00')
    expect((await told).answer).toMatchObject({ seconds: 7 })
    await expectAt(laptop, 7)
  })

  await test.step('and where somebody plays it now, that is the place again', async () => {
    const told = reported(laptop, ({ seconds }) => seconds === 4)
    await seek(4)
    expect((await told).answer).toMatchObject({ seconds: 4 })
  })
  await context.close()
})

test('a video that is replaced while it is watched', async ({ browser, page, thunder }) => {
  await signedUp(page.request, 'Xenia Changes')
  const course = await courseWithClips(page.request, 'Another Film')
  const { context, page: learner } = await somebodyElse(browser, { baseURL: thunder.url })
  const complaints = complaintsOf(learner)
  await signedUp(learner.request, 'Lars Watching')
  await learner.request.post('/rest/v1/enrollments', { data: { courseId: course.id } })
  await learner.goto(`/course/${course.slug}/lesson/two`)
  await hydrated(learner)
  const source = () =>
    videoOf(learner).evaluate((element) => (element as HTMLVideoElement).currentSrc)
  const filmOf = (address: string) => address.match(/[\da-f-]{36}/)?.[0]
  await expect.poll(source).toMatch(/[\da-f-]{36}/)
  const before = filmOf(await source())

  const path = `/rest/v1/courses/${course.id}/content`
  const { contentVersion, chapters } = await (await page.request.get(path)).json()
  const bytes = await clip()
  const replacement = await uploadedVideo(page.request, course.id, { filename: 'b.mp4', bytes })
  for (const lesson of chapters[0].lessons) lesson.videoId = lesson.video?.id ?? null
  chapters[0].lessons[1].videoId = replacement
  const saved = await page.request.put(path, { data: { contentVersion, chapters } })
  expect(saved.status(), await saved.text()).toBe(200)

  await play(learner, { from: length - 3 })
  const notice = learner.getByText('The instructor changed the video of this lesson.')
  await expect(notice).toBeVisible()
  await expect.poll(async () => filmOf(await source())).toBe(replacement)
  expect(before).not.toBe(replacement)
  await expectAt(learner, 0)
  await expect(notCompleted(learner)).toBeVisible()

  const ended = reported(learner, (report) => report.ended === true)
  await play(learner, { from: 0 })
  expect((await ended).answer).toMatchObject({ accepted: true, completed: true })
  expect(complaints.filter((complaint) => !complaint.includes('409'))).toEqual([])
  await context.close()
})

test('a lesson that is ticked as the page is left stays ticked', async ({ page, context }) => {
  await signedUp(page.request, 'Tilda Tick')
  const { slug } = await publishedCourse(page.request, 'Ticked and Gone', ['One', 'Two'])
  await page.goto(`/course/${slug}/lesson/one`)
  await hydrated(page)
  // What leaves the page takes longer than the page is there.
  const network = await page.context().newCDPSession(page)
  await network.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 1500,
    downloadThroughput: -1,
    uploadThroughput: -1,
  })
  const sent = page.waitForRequest((request) => request.method() === 'POST')
  await page.getByRole('button', { name: 'Mark Complete' }).click()
  await sent
  await page.close()
  await expect
    .poll(async () => {
      const answer = await context.request.get(`/rest/v1/courses/${slug}/dashboard`)
      return (await answer.json()).completedCount
    })
    .toBe(1)
})

test('an administrator who only looks sees the lesson, and makes no progress', async ({
  browser,
  page,
  thunder,
}) => {
  await signedUp(page.request, 'Cleo Clip')
  const course = await courseWithClips(page.request, 'Looked at')
  const { context, page: looks } = await somebodyElse(browser, { baseURL: thunder.url })
  const { email } = await signedUp(looks.request, 'Ada Looks')
  await inDatabase(thunder, `update users set role = 'admin' where email = $1`, [email])
  const told: string[] = []
  looks.on('request', (request) => {
    if (/\/(position|completion)$/.test(request.url())) told.push(request.url())
  })
  await looks.goto(`/course/${course.slug}/lesson/two`)
  await hydrated(looks)
  const panel = looks.getByRole('region', { name: 'Completion' })
  await expect(panel).toContainText('You see this course as an administrator')
  await expect(panel.getByRole('button')).toHaveCount(0)
  await expectNoAxeViolations(looks)
  await play(looks, { from: length - 1 })
  await expect(videoOf(looks)).toHaveJSProperty('ended', true)
  await looks.reload()
  await expectAt(looks, 0)
  expect(told).toEqual([])
  await context.close()
})

test('what is watched without a connection counts when there is one again', async ({
  browser,
  page,
  thunder,
}) => {
  await signedUp(page.request, 'Otto Clip')
  const lessons = ['One', 'Two', 'Three', 'Four']
  const course = await courseWithClips(page.request, 'On the Train', lessons)
  const { context, page: train } = await somebodyElse(browser, { baseURL: thunder.url })
  await signedUp(train.request, 'Tilda Traveller')
  const joined = await train.request.post('/rest/v1/enrollments', {
    data: { courseId: course.id },
  })
  expect(joined.status()).toBe(200)

  /** Plays to the end with the connection gone after the first report. */
  async function watchOnTheTrain(on: Page, lesson: string) {
    await on.goto(`/course/${course.slug}/lesson/${lesson}`)
    await hydrated(on)
    const first = reported(on, ({ played }) => played !== undefined)
    await play(on, { speed: 0.5 })
    await first
    await expect
      .poll(() =>
        videoOf(on).evaluate((element) => {
          const { buffered } = element as HTMLVideoElement
          return buffered.length > 0 ? buffered.end(buffered.length - 1) : 0
        }),
      )
      .toBeGreaterThan(length - 0.5)
    await context.setOffline(true)
    await play(on)
    await expect(videoOf(on)).toHaveJSProperty('ended', true)
  }

  await test.step('in the same page, by itself', async () => {
    await watchOnTheTrain(train, 'two')
    await expect(notCompleted(train)).toBeVisible()
    const ended = reported(train, (report) => report.ended === true)
    await context.setOffline(false)
    expect((await ended).answer).toMatchObject({ accepted: true, completed: true })
    await expect(completed(train)).toBeVisible()
  })

  const keptIn = (on: Page) =>
    on.evaluate(() => Object.keys(localStorage).filter((key) => key.includes(':watched')))
  async function leaveOnTheTrain(lesson: string) {
    const closed = await context.newPage()
    await watchOnTheTrain(closed, lesson)
    await expect.poll(() => keptIn(closed)).toHaveLength(1)
    await closed.close()
    await context.setOffline(false)
  }

  await test.step('at the next visit, when the page was closed', async () => {
    await leaveOnTheTrain('three')
    const next = await context.newPage()
    const ended = reported(next, (report) => report.ended === true)
    await next.goto(`/course/${course.slug}/lesson/three`)
    expect((await ended).answer).toMatchObject({ accepted: true, completed: true })
    await expect(completed(next)).toBeVisible()
    await expect.poll(() => keptIn(next)).toEqual([])
    await next.close()
  })

  await test.step('at a visit of another lesson', async () => {
    await leaveOnTheTrain('four')
    const next = await context.newPage()
    const ended = reported(next, (report) => report.ended === true)
    await next.goto(`/course/${course.slug}/lesson/two`)
    expect((await ended).answer).toMatchObject({ accepted: true, completed: true })
    await expect.poll(() => keptIn(next)).toEqual([])
    await next.goto(`/course/${course.slug}/lesson/four`)
    await expect(completed(next)).toBeVisible()
  })
  await context.close()
})
