// An account that plays on more devices than it may, and the watermark over films.
import type { APIRequestContext, Browser, Locator, Page, Request } from '@playwright/test'
import { madeFilm } from './film.ts'
import {
  complaintsOf,
  expect,
  expectNoAxeViolations,
  expectNoSidewaysScrolling,
  hydrated,
  leaveFilmsAsTheyAre,
  type Newcomer,
  publishedCourse,
  signedUp,
  somebodyElse,
  test,
  uploadedVideo,
} from './journey.ts'

/** Ten minutes of little. */
const film = () =>
  madeFilm(
    '-f lavfi -i testsrc2=size=320x180:rate=2:duration=600 ' +
      '-c:v libx264 -preset ultrafast -pix_fmt yuv420p -g 4',
  )

/** A published course of whoever is signed in, whose one lesson is this film. */
async function filmCourse(request: APIRequestContext, title: string) {
  const course = await publishedCourse(request, title)
  const videoId = await uploadedVideo(request, course.id, {
    filename: 'film.mp4',
    bytes: await film(),
  })
  const address = `/rest/v1/courses/${course.id}/content`
  const { contentVersion } = await (await request.get(address)).json()
  const content = { type: 'doc', content: [{ type: 'paragraph' }] }
  const lessons = [{ title: 'The film', content, videoId }]
  const saved = await request.put(address, {
    data: { contentVersion, chapters: [{ title: 'Chapter 1', lessons }] },
  })
  expect(saved.status(), await saved.text()).toBe(200)
  return { ...course, videoId, lesson: `/course/${course.slug}/lesson/the-film` }
}

const browsers = {
  mac: 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
  windows:
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0',
  linux:
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
}

/** Another device on which this person is logged in. */
async function device(
  browser: Browser,
  baseURL: string,
  person: Newcomer,
  userAgent: keyof typeof browsers,
) {
  const { page, context } = await somebodyElse(browser, {
    baseURL,
    userAgent: browsers[userAgent],
    viewport: { width: 1280, height: 800 },
  })
  const { email, password } = person
  const answer = await page.request.post('/auth/v1/sign-in/email', { data: { email, password } })
  expect(answer.status(), await answer.text()).toBe(200)
  return { page, context, ...partsOf(page) }
}

/** Of one person, who is enrolled. */
async function threeDevicesOfALearner(browser: Browser, baseURL: string, courseId: string) {
  const { page, context } = await somebodyElse(browser, { baseURL })
  const person = await signedUp(page.request, 'Lea Learner')
  const joined = await page.request.post('/rest/v1/enrollments', { data: { courseId } })
  expect(joined.status()).toBe(200)
  await context.close()
  return {
    mac: await device(browser, baseURL, person, 'mac'),
    windows: await device(browser, baseURL, person, 'windows'),
    linux: await device(browser, baseURL, person, 'linux'),
  }
}

function partsOf(page: Page) {
  const frame = page.getByRole('region', { name: 'Video: The film' })
  return {
    frame,
    video: frame.locator('video'),
    button: (name: string | RegExp) => frame.getByRole('button', { name, exact: true }),
  }
}
type Device = Awaited<ReturnType<typeof device>>

const secondOf = (video: Locator) =>
  video.evaluate((element) => (element as HTMLVideoElement).currentTime)
const isPaused = (video: Locator) =>
  video.evaluate((element) => (element as HTMLVideoElement).paused)

async function expectPlaying({ video, button }: Pick<Device, 'video' | 'button'>) {
  await expect(button('Pause')).toBeVisible()
  const before = await secondOf(video)
  await expect.poll(() => secondOf(video)).toBeGreaterThan(before + 0.3)
}

async function opensAndPlays(at: Device, lesson: string) {
  await at.page.goto(lesson)
  await hydrated(at.page)
  await at.button('Play').click()
}

for (const kind of ['a stream', 'an upload as it is'] as const) {
  test(`two devices play ${kind}, a third takes the place of one, and it comes back`, async ({
    page,
    thunder,
    browser,
  }) => {
    test.setTimeout(480_000)
    await signedUp(page.request, 'Tess Teacher')
    await leaveFilmsAsTheyAre(thunder)
    const course = await filmCourse(page.request, `Shared: ${kind}`)
    if (kind === 'a stream') {
      const processing = async () =>
        (await (await page.request.get(`/rest/v1/media/${course.videoId}`)).json()).processing
          ?.status
      await expect.poll(processing, { timeout: 180_000 }).toBe('done')
    } else await leaveFilmsAsTheyAre(thunder)

    const { mac, windows, linux } = await threeDevicesOfALearner(browser, thunder.url, course.id)
    const complaints = [mac, windows, linux].flatMap((one) => [complaintsOf(one.page)])
    // What it cannot be told, the reports of its place in the film tell it.
    await windows.page.route('**/realtime/**', (route) => route.abort())

    await opensAndPlays(mac, course.lesson)
    await expectPlaying(mac)
    await opensAndPlays(windows, course.lesson)
    await expectPlaying(windows)

    await test.step('the third is told, and sees what it can do', async () => {
      await opensAndPlays(linux, course.lesson)
      const panel = linux.frame.getByRole('alert')
      await expect(panel).toContainText('You are watching on 2 other devices')
      await expect(panel.getByRole('listitem')).toHaveText([
        /^Chrome on Mac since \d+:\d\d [AP]M/,
        /^Edge on Windows since/,
      ])
      await expect.poll(() => isPaused(linux.video)).toBe(true)
      await expect(linux.button('Full screen')).toBeHidden()
      await expectNoAxeViolations(linux.page)
      await linux.page.setViewportSize({ width: 375, height: 700 })
      await expectNoSidewaysScrolling(linux.page)
      await expect(linux.button('Watch here instead of Edge on Windows')).toBeInViewport()
      // All of it is there at once, in the frame that the film has on a phone.
      expect(await panel.evaluate((one) => one.scrollHeight - one.clientHeight)).toBe(0)
      await expectNoAxeViolations(linux.page)
      await linux.page.setViewportSize({ width: 1280, height: 800 })
      await expectPlaying(mac)
    })

    await test.step('it takes the place of the first, which pauses and says why', async () => {
      // By keyboard, which goes on with the picture then.
      await linux.button('Watch here instead of Chrome on Mac').press('Enter')
      await expect(linux.frame.getByRole('alert')).toHaveCount(0)
      await expect(linux.frame).toBeFocused()
      await expectPlaying(linux)
      const panel = mac.frame.getByRole('alert')
      await expect(panel).toContainText('You went on watching on another device')
      await expect.poll(() => isPaused(mac.video)).toBe(true)
      await expectNoAxeViolations(mac.page)
      await expectPlaying(windows)
    })

    await test.step('the first goes on with one press, and now the third has stopped', async () => {
      const stoppedAt = await secondOf(mac.video)
      await mac.button('Continue here').click()
      await expectPlaying(mac)
      expect(await secondOf(mac.video)).toBeGreaterThanOrEqual(stoppedAt)
      await expect(linux.button('Continue here')).toBeVisible()
      await expect.poll(() => isPaused(linux.video)).toBe(true)
      await expectPlaying(windows)
    })

    await test.step('who hears nothing learns it all the same', async () => {
      await linux.page.reload()
      await hydrated(linux.page)
      await linux.button('Play').click()
      await linux.button('Watch here instead of Edge on Windows').click()
      await expectPlaying(linux)
      await expect(windows.button('Continue here')).toBeVisible()
      await expect.poll(() => isPaused(windows.video)).toBe(true)
    })

    await test.step('who logs out makes room', async () => {
      const out = await mac.page.request.post('/auth/v1/sign-out', { data: {} })
      expect(out.status()).toBe(200)
      await windows.page.reload()
      await hydrated(windows.page)
      await windows.button('Play').click()
      await expectPlaying(windows)
      await expectPlaying(linux)
    })

    expect(complaints.flat()).toEqual([])
    for (const one of [mac, windows, linux]) await one.context.close()
  })
}

const isQuestion = (request: Request) => request.headers().range === 'bytes=0-0'

/** The player's question why it gets no film, or the answer to it, takes until this has happened. */
async function questionTakesUntil(
  page: Page,
  happened: Promise<unknown>,
  what: 'asked' | 'answered',
) {
  await page.route('**/storage/v1/videos/**', async (route) => {
    if (!isQuestion(route.request())) return route.continue()
    if (what === 'asked') await happened
    const answer = await route.fetch()
    await happened
    await route.fulfill({ response: answer })
  })
}

for (const what of ['asked', 'answered'] as const) {
  test(`who takes a place before it is ${what} why there was no film plays all the same`, async ({
    page,
    thunder,
    browser,
  }) => {
    await signedUp(page.request, 'Tess Teacher')
    await leaveFilmsAsTheyAre(thunder)
    const course = await filmCourse(page.request, `Late: ${what}`)
    const { mac, windows, linux } = await threeDevicesOfALearner(browser, thunder.url, course.id)
    for (const one of [windows, mac]) {
      await opensAndPlays(one, course.lesson)
      await expectPlaying(one)
    }
    await opensAndPlays(linux, course.lesson)
    await linux.button('Watch here instead of Edge on Windows').click()
    await expect(windows.button('Continue here')).toBeVisible()
    await mac.page.request.post('/auth/v1/sign-out', { data: {} })

    const placeGiven = windows.page.waitForEvent('requestfinished', (request) =>
      request.url().endsWith('/stream'),
    )
    await questionTakesUntil(windows.page, placeGiven, what)
    const question = windows.page.waitForRequest(isQuestion)
    await windows.page.reload()
    await question
    await windows.button('Play').click()
    await expectPlaying(windows)
    await expect(windows.frame.getByRole('alert')).toBeHidden()
    for (const one of [mac, windows, linux]) await one.context.close()
  })
}

test('a watermark that its creator switches on lies over the film, also in full screen', async ({
  page,
  thunder,
  browser,
}) => {
  await signedUp(page.request, 'Mark Owner')
  await leaveFilmsAsTheyAre(thunder)
  const course = await filmCourse(page.request, 'Marked')
  await leaveFilmsAsTheyAre(thunder)
  const { page: learner, context } = await somebodyElse(browser, { baseURL: thunder.url })
  const person = await signedUp(learner.request, 'Lou Learner')
  await learner.request.post('/rest/v1/enrollments', { data: { courseId: course.id } })
  const { frame, button } = partsOf(learner)
  const mark = frame.locator('[data-watermark]')

  await learner.goto(course.lesson)
  await hydrated(learner)
  await expect(button('Picture in picture')).toBeVisible()
  await expect(mark).toHaveCount(0)

  await page.goto(`/create-course?courseId=${course.id}`)
  await hydrated(page)
  const choice = page.getByRole('checkbox', { name: 'Watermark on videos' })
  await expect(choice).not.toBeChecked()
  await expect(choice).toHaveAccessibleDescription(/it cannot prevent that/)
  await choice.check()
  await expectNoAxeViolations(page)
  await page.getByRole('button', { name: 'Save and continue' }).click()
  await expect(page).toHaveURL(/\/create-lessons\//)

  await learner.clock.install()
  await learner.goto(course.lesson)
  await hydrated(learner)
  await expect(mark).toHaveText(person.email)
  await expect(mark).toHaveAttribute('aria-hidden', 'true')
  await expect(mark).toHaveCSS('user-select', 'none')
  await expect(mark).toHaveCSS('pointer-events', 'none')
  // It jumps, for who wants less motion and for everybody else.
  await expect(mark).toHaveCSS('transition-duration', '0s')
  await expect(mark).toHaveCSS('animation-name', 'none')
  // The controls come after the page, and keys are theirs.
  await expect(button('Play')).toBeVisible()
  await expect(button('Picture in picture')).toBeHidden()
  await expectNoAxeViolations(learner)

  const place = () => mark.evaluate((element) => JSON.stringify(element.getBoundingClientRect()))
  await learner.keyboard.press('f')
  await expect(button('Leave full screen')).toBeVisible()
  await expect
    .poll(() => mark.evaluate((element) => document.fullscreenElement?.contains(element)))
    .toBe(true)
  await expect(mark).toBeInViewport({ ratio: 1 })
  const before = await place()
  await learner.clock.runFor(31_000)
  await expect.poll(place).not.toBe(before)
  await expect(mark).toBeInViewport({ ratio: 1 })
  await learner.keyboard.press('f')
  await expect(button('Full screen')).toBeVisible()

  await learner.setViewportSize({ width: 375, height: 700 })
  await expectNoSidewaysScrolling(learner)
  await expect(mark).toBeInViewport({ ratio: 1 })
  await expectNoAxeViolations(learner)
  await context.close()

  // The owner sees what it looks like, with the own address.
  await page.goto(course.lesson)
  await expect(page.locator('[data-watermark]')).toHaveText(/@example\.com$/)
})
