// A stream by way of a CDN, which here is the same server by another name: another origin for a browser.
import { madeFilm } from './film.ts'
import {
  complaintsOf,
  expect,
  hydrated,
  leaveFilmsAsTheyAre,
  publishedCourse,
  signedUp,
  test as usual,
  uploadedVideo,
} from './journey.ts'
import { freePort } from './free-port.ts'
import { type BuiltServer, startBuiltServer } from './server.ts'

const test = usual.extend<object, { thunder: BuiltServer }>({
  thunder: [
    // Playwright insists on the empty pattern.
    // oxlint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const port = await freePort()
      const server = await startBuiltServer({
        PORT: String(port),
        CDN_URL: `http://127.0.0.1:${port}`,
        CDN_SECRET: 'a secret that the CDN has as well',
      })
      await leaveFilmsAsTheyAre(server)
      await use(server)
      await server.stop()
    },
    { scope: 'worker', timeout: 240_000 },
  ],
})

/** So long that a player does not fetch all of it at once. */
const film = () =>
  madeFilm(
    '-f lavfi -i testsrc2=size=320x240:rate=8:duration=120 ' +
      '-c:v libx264 -preset ultrafast -pix_fmt yuv420p -g 16',
  )

test('a stream comes from the CDN, and goes on after its address is over', async ({
  page,
  thunder,
}) => {
  // The film is converted first.
  test.setTimeout(480_000)
  const complaints = complaintsOf(page)
  await signedUp(page.request, 'Flora Baker')
  const course = await publishedCourse(page.request, 'Bread from Afar')
  const videoId = await uploadedVideo(page.request, course.id, {
    filename: 'film.mp4',
    bytes: await film(),
  })
  const path = `/rest/v1/courses/${course.id}/content`
  const { contentVersion, chapters } = await (await page.request.get(path)).json()
  const [lesson] = chapters[0].lessons
  const saved = await page.request.put(path, {
    data: { contentVersion, chapters: [{ ...chapters[0], lessons: [{ ...lesson, videoId }] }] },
  })
  expect(saved.status(), await saved.text()).toBe(200)
  const processing = async () =>
    (await (await page.request.get(`/rest/v1/media/${videoId}`)).json()).processing?.status
  await expect.poll(processing, { timeout: 240_000 }).toBe('done')

  const cdn = thunder.url.replace('localhost', '127.0.0.1')
  const begun: string[] = []
  const segments: string[] = []
  page.on('request', (request) => {
    const url = request.url()
    if (url.endsWith('/main.m3u8') && url.startsWith(thunder.url)) begun.push(url)
    if (url.endsWith('.m4s')) segments.push(url)
  })
  const video = page.getByRole('region', { name: /^Video: / }).locator('video')
  const stateOf = () =>
    video.evaluate((element) => {
      const { currentTime, currentSrc, paused } = element as HTMLVideoElement
      return { currentTime, paused, isStream: currentSrc.startsWith('blob:') }
    })
  const plays = async (from: number) => {
    const { currentTime, paused, isStream } = await stateOf()
    return !paused && isStream && currentTime > from
  }

  // What the CDN says to an address that is over, of all but the beginning: once it plays, and until the player
  // has asked us for another address.
  const hasPlayed = Promise.withResolvers<void>()
  await page.route(/\/storage\/v1\/streams\/.+\/000[1-9]\d\.m4s$/, async (route) => {
    await hasPlayed.promise
    if (begun.length > 1) await route.continue()
    else await route.fulfill({ status: 403, headers: { 'access-control-allow-origin': '*' } })
  })

  await page.goto(`/course/${course.slug}/lesson/first-lesson`)
  await hydrated(page)
  // Keys are the controls', which come after the page.
  await expect(page.getByRole('button', { name: 'Play', exact: true })).toBeVisible()
  await page.keyboard.press('k')
  await expect.poll(() => plays(0.2)).toBe(true)
  expect(begun).toHaveLength(1)
  hasPlayed.resolve()
  await expect.poll(() => begun.length).toBe(2)
  await expect.poll(() => plays(0.5)).toBe(true)
  await page.keyboard.press('8')
  await expect.poll(() => plays(96.2)).toBe(true)
  expect(begun).toHaveLength(2)
  expect(segments.length).toBeGreaterThan(0)
  for (const url of segments) {
    expect(url.startsWith(`${cdn}/storage/v1/streams/${videoId}/`)).toBe(true)
  }
  // The refusals themselves; nothing of the page's own.
  expect(complaints.filter((one) => !/403/.test(one))).toEqual([])
})
