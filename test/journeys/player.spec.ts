// The player of a lesson: a real film that the server converted, by keyboard, mouse and finger.
import { readFile } from 'node:fs/promises'
import type { APIRequestContext, Locator, Page, Route } from '@playwright/test'
import { madeFilm } from './film.ts'
import {
  complaintsOf,
  expect,
  expectNoAxeViolations,
  expectNoSidewaysScrolling,
  hydrated,
  inDatabase,
  leaveFilmsAsTheyAre,
  publishedCourse,
  signedUp,
  somebodyElse,
  test,
  uploadedVideo,
} from './journey.ts'

/** Half a minute with sound, in 4:3. */
const film = () =>
  madeFilm(
    '-f lavfi -i testsrc2=size=640x480:rate=8:duration=30 -f lavfi -i sine=duration=30 ' +
      '-c:v libx264 -preset ultrafast -pix_fmt yuv420p -g 16 -c:a aac',
  )

const spoken = ['Good morning.', 'Take the flour.', 'Then the water.', 'And a little salt.']
const captions = [
  'WEBVTT',
  ...spoken.map((text, at) => `00:${12 + at * 4}.000 --> 00:${16 + at * 4}.000\n${text}`),
]
  .join('\n\n')
  .replaceAll('00:', '00:00:')

/** A published course of whoever is signed in, with these videos in lessons of these names. */
async function courseOf(
  request: APIRequestContext,
  title: string,
  videosOf: (courseId: string) => Promise<Record<string, { videoId?: string; videoUrl?: string }>>,
) {
  const course = await publishedCourse(request, title)
  const videos = await videosOf(course.id)
  const { contentVersion } = await (
    await request.get(`/rest/v1/courses/${course.id}/content`)
  ).json()
  const content = { type: 'doc', content: [{ type: 'paragraph' }] }
  const lessons = Object.entries(videos).map(([name, video]) => ({
    title: name,
    content,
    ...video,
  }))
  const saved = await request.put(`/rest/v1/courses/${course.id}/content`, {
    data: { contentVersion, chapters: [{ title: 'Chapter 1', lessons }] },
  })
  expect(saved.status(), await saved.text()).toBe(200)
  return course
}

const secondOf = (video: Locator) =>
  video.evaluate((element) => (element as HTMLVideoElement).currentTime)
const isAt = (video: Locator, seconds: number) =>
  expect.poll(() => secondOf(video)).toBeCloseTo(seconds, 0)

function partsOf(page: Page) {
  const frame = page.getByRole('region', { name: /^Video: / })
  const button = (name: string | RegExp) => frame.getByRole('button', { name, exact: true })
  return { frame, button, video: frame.locator('video') }
}

test('a converted film: keys, speed, captions, transcript, quality', async ({
  page,
  thunder,
  browser,
}) => {
  // The film is converted first.
  test.setTimeout(480_000)
  const complaints = complaintsOf(page)
  await signedUp(page.request, 'Flora Baker')
  const streamed: string[] = []
  page.on('request', (request) => {
    if (/\/hls\//.test(request.url())) streamed.push(request.url())
  })
  const { frame, button, video } = partsOf(page)
  const course = await courseOf(page.request, 'Bread on Film', async (courseId) => {
    await leaveFilmsAsTheyAre(thunder)
    const videoId = await uploadedVideo(page.request, courseId, {
      filename: 'film.mp4',
      bytes: await film(),
    })
    for (const [language, file] of [
      ['en', captions],
      ['he', captions.replaceAll(/Good morning/g, 'בוקר טוב')],
    ]) {
      const saved = await page.request.put(`/rest/v1/media/${videoId}/captions/${language}`, {
        data: { file },
      })
      expect(saved.status(), await saved.text()).toBe(200)
    }
    const processing = async () =>
      (await (await page.request.get(`/rest/v1/media/${videoId}`)).json()).processing?.status
    await expect.poll(processing, { timeout: 240_000 }).toBe('done')
    return { 'The dough': { videoId } }
  })
  const address = `/course/${course.slug}/lesson/the-dough`

  await test.step('a frame of its own shape, with a poster, before anything plays', async () => {
    await page.goto(address)
    await hydrated(page)
    await expect(button('Play')).toBeVisible()
    const { width, height } = (await frame.boundingBox())!
    expect(width / height).toBeCloseTo(4 / 3, 1)
    await expect(video).toHaveAttribute('poster', /poster\.jpg$/)
    await expect(video).toHaveAttribute('preload', 'metadata')
    await expect(video).not.toHaveAttribute('controls')
    await expect(button('Picture in picture')).toBeVisible()
    expect(streamed).toEqual([])
    await expectNoAxeViolations(page)
  })

  await test.step('by keyboard', async () => {
    await expect(frame.getByText('0:00 / 0:30')).toBeVisible()
    await page.keyboard.press('k')
    await expect(button('Pause')).toBeVisible()
    await expect.poll(() => secondOf(video)).toBeGreaterThan(0.2)
    expect(streamed.some((url) => url.endsWith('.m3u8'))).toBe(true)
    await page.keyboard.press('k')
    await expect(button('Play')).toBeVisible()
    // A held key repeats, and plays all the same.
    await page.keyboard.down('k')
    await page.keyboard.down('k')
    await page.keyboard.up('k')
    await expect(button('Pause')).toBeVisible()
    await page.keyboard.press('k')
    await expect(button('Play')).toBeVisible()
    await page.keyboard.press('5')
    await isAt(video, 15)
    await page.keyboard.press('j')
    await isAt(video, 5)
    await page.keyboard.press('l')
    await isAt(video, 15)
    await frame.focus()
    await page.keyboard.press('ArrowRight')
    await isAt(video, 20)
    await page.keyboard.press('ArrowLeft')
    await isAt(video, 15)
    await page.keyboard.press('Home')
    await isAt(video, 0)
    await page.keyboard.press('m')
    await expect(button('Unmute')).toBeVisible()
    await page.keyboard.press('m')
    await expect(button('Mute')).toBeVisible()
    for (let presses = 0; presses < 3; presses++) await page.keyboard.press('ArrowDown')
    await expect(frame.getByRole('slider', { name: 'Volume' })).toHaveValue('0.7')
    await page.keyboard.press('>')
    await page.keyboard.press('>')
    await expect(button('Speed: 1.5×')).toBeVisible()
    await page.keyboard.press('Control+k')
    await expect(button('Play')).toBeVisible()
    await frame.getByRole('slider', { name: 'Seek' }).focus()
    await page.keyboard.press('ArrowRight')
    await isAt(video, 5)
    // Whoever dragged it goes on with Space.
    await page.keyboard.press(' ')
    await expect(button('Pause')).toBeVisible()
    await page.keyboard.press(' ')
    await expect(button('Play')).toBeVisible()
    await button('Play').focus()
    await page.keyboard.press(' ')
    await expect(button('Pause')).toBeVisible()
    await page.keyboard.press(' ')
    await expect(button('Play')).toBeVisible()
  })

  await test.step('full screen', async () => {
    await page.keyboard.press('f')
    await expect(button('Leave full screen')).toBeVisible()
    // The window grows a moment after the frame.
    const uncovered = () =>
      frame.evaluate(({ clientWidth, clientHeight }) => [
        window.innerWidth - clientWidth,
        window.innerHeight - clientHeight,
      ])
    await expect.poll(uncovered).toEqual([0, 0])
    await page.keyboard.press('f')
    await expect(button('Full screen')).toBeVisible()
  })

  await test.step('captions, and the transcript that follows, seeks and is searched', async () => {
    await button('Captions').click()
    // By keys: to be pressed, an item of a menu would be scrolled to, and its panel moves with the page.
    await button('English').press('Enter')
    await page.keyboard.press('5')
    await isAt(video, 15)
    await expect(frame.locator('[data-captions]')).toHaveText('Good morning.')
    // With the full stop on its left.
    await button('Captions').click()
    await button('Hebrew').press('Enter')
    await expect(frame.getByText('בוקר טוב.')).toHaveCSS('direction', 'rtl')
    await button('Captions').click()
    await button('English').press('Enter')
    await expect(frame.locator('[data-captions]')).toHaveText('Good morning.')
    await page.keyboard.press('c')
    await expect(frame.locator('[data-captions]')).toBeHidden()
    await page.keyboard.press('c')
    await expect(frame.locator('[data-captions]')).toHaveText('Good morning.')

    await page.getByRole('button', { name: 'Transcript' }).click()
    const transcript = page.getByRole('region', { name: 'Transcript' })
    const said = transcript.getByRole('listitem')
    await expect(said).toHaveCount(4)
    await expect(transcript.locator('[aria-current=true]')).toContainText('Good morning.')
    await transcript.getByRole('button', { name: 'Then the water.' }).focus()
    await page.keyboard.press('Enter')
    await isAt(video, 20)
    await expect(transcript.locator('[aria-current=true]')).toContainText('Then the water.')
    await expect(frame.locator('[data-captions]')).toHaveText('Then the water.')
    const search = transcript.getByLabel('Search transcript')
    await search.click()
    // Letters that are keys of the player everywhere else.
    await page.keyboard.type('flkm')
    await expect(transcript.getByText('0 lines found')).toBeVisible()
    await isAt(video, 20)
    await search.fill('the')
    await expect(transcript.getByText('2 lines found')).toBeVisible()
    await expect(transcript.locator('mark')).toHaveText(['the', 'The', 'the'])
    await transcript.getByRole('button', { name: 'Take the flour.' }).click()
    await isAt(video, 16)
    await expectNoAxeViolations(page)
  })

  await test.step('quality', async () => {
    await button('Quality').click()
    await expect(frame.locator(':popover-open').getByRole('button')).toHaveText([
      /^Auto/,
      '480p',
      '360p',
      'Original',
    ])
    await button('360p').press('Enter')
    // From the beginning, so that the film does not end meanwhile.
    await page.keyboard.press('0')
    await isAt(video, 0)
    const seen = () => video.evaluate((element) => (element as HTMLVideoElement).videoHeight)
    await page.keyboard.press('k')
    await expect.poll(seen).toBe(360)
    await page.keyboard.press('k')
    await expect(button('Play')).toBeVisible()
    const before = await secondOf(video)
    await button('Quality').click()
    await button('Original').press('Enter')
    await expect.poll(seen).toBe(480)
    await expect
      .poll(() => video.evaluate((element) => (element as HTMLVideoElement).currentSrc))
      .toMatch(/\/original$/)
    await expect.poll(() => secondOf(video)).toBeCloseTo(before, 1)
  })

  await test.step('pictures over the seek bar', async () => {
    const bar = frame.getByRole('slider', { name: 'Seek' })
    await bar.hover()
    const picture = frame.locator('[data-preview]')
    await expect(picture).toBeVisible()
    await expect(picture).toHaveCSS('background-image', /preview\.jpg/)
    await page.mouse.move(0, 0)
  })

  await test.step('what was chosen is there after a reload, at the same second', async () => {
    const saved = page.waitForResponse(
      (answer) =>
        answer.url().endsWith('/position') &&
        answer.request().postDataJSON().seconds === 24 &&
        answer.ok(),
    )
    await frame.focus()
    await page.keyboard.press('8')
    await saved
    await page.reload()
    await hydrated(page)
    await expect(page.getByText('Resumed at 0:24')).toBeVisible()
    await expect(button('Speed: 1.5×')).toBeVisible()
    await expect(frame.getByRole('slider', { name: 'Volume' })).toHaveValue('0.7')
    await isAt(video, 24)
    await expect(frame.locator('[data-captions]')).toHaveText('And a little salt.')
    // At once: four seconds later the film has ended, and a key begins it anew.
    await page.keyboard.press('k')
    await page.keyboard.press('k')
    // The stream began where the film was left, not at its beginning.
    await expect.poll(() => secondOf(video)).toBeGreaterThanOrEqual(24)
  })

  await test.step('on a phone', async () => {
    const { context, page: phone } = await somebodyElse(browser, {
      baseURL: thunder.url,
      viewport: { width: 375, height: 700 },
      hasTouch: true,
      storageState: await page.context().storageState(),
    })
    const parts = partsOf(phone)
    // Long before its end, which would come while it is looked at.
    await phone.goto(`${address}?t=2`)
    await hydrated(phone)
    await expect(parts.button('Play')).toBeVisible()
    await expectNoSidewaysScrolling(phone)
    // They leave a film that plays after two and a half seconds; a busy machine needs longer to press one.
    await phone.evaluate(() => {
      const wait = window.setTimeout
      Object.assign(window, {
        setTimeout: (act: () => void, time?: number) => wait(act, time === 2500 ? 60_000 : time),
      })
    })
    // The large sign in the middle is what a thumb goes for.
    await parts.video.tap()
    await expect(parts.button('Pause')).toBeVisible()
    await parts.button('Pause').tap()
    await parts.button('Play').tap()
    await expect(parts.button('Pause')).toBeVisible()
    await expectNoAxeViolations(phone)
    await context.close()
  })

  const waitsFor = async (cut: (route: Route) => Promise<void>) => {
    const { context, page: other } = await somebodyElse(browser, {
      baseURL: thunder.url,
      storageState: await page.context().storageState(),
    })
    const parts = partsOf(other)
    const isOut = () => other.route(/\/storage\/|\/healthz$/, cut)
    const isBack = () => other.unroute(/\/storage\/|\/healthz$/)
    const look = () =>
      other.waitForRequest(
        (request) => request.resourceType() === 'fetch' && request.url().endsWith('/original'),
      )
    const failure = other.getByText('Video format not supported')

    await isOut()
    let looked = look()
    await other.goto(`${address}?t=2`)
    await hydrated(other)
    await looked
    // The keys are heard as soon as the controls are there.
    await expect(parts.button('Play')).toBeVisible()
    await other.keyboard.press('k')
    await expect(parts.frame.getByText('Loading video')).toBeAttached()
    await look()
    await expect(failure).toBeHidden()
    await isBack()
    await expect.poll(() => secondOf(parts.video)).toBeGreaterThan(2)
    await other.keyboard.press('k')

    await other.reload()
    await hydrated(other)
    await expect(parts.button('Play')).toBeVisible()
    await isOut()
    looked = look()
    await other.keyboard.press('k')
    await looked
    await look()
    await expect(parts.button('Pause')).toBeVisible()
    await expect(failure).toBeHidden()
    await isBack()
    const before = await secondOf(parts.video)
    await expect.poll(() => secondOf(parts.video)).toBeGreaterThan(before)
    expect(
      await parts.video.evaluate((element) => (element as HTMLVideoElement).currentSrc),
    ).toMatch(/^blob:/)
    await context.close()
  }

  await test.step('a server that is out of reach for a moment', () =>
    waitsFor((route) => route.abort()))

  await test.step('a server whose database or store is away for a moment', () =>
    waitsFor((route) => route.fulfill({ status: 503 })))

  await test.step('a page that is older than its addresses', async () => {
    const { context, page: other } = await somebodyElse(browser, {
      baseURL: thunder.url,
      storageState: await page.context().storageState(),
    })
    const parts = partsOf(other)
    // Those of the first load are over. From then on the page comes with those of a later hour.
    const folder = /(\/storage\/v1\/videos\/[^/]+\/)/g
    await other.route(/\/captions\/|\/preview\./, (route) => {
      const url = route.request().url()
      return url.includes('/later-')
        ? route.continue({ url: url.replace('/later-', '/') })
        : route.fulfill({ status: 403 })
    })
    await other.route(/\.data(\?|$)/, async (route) => {
      const response = await route.fetch()
      const body = (await response.text()).replaceAll(folder, '$1later-')
      await route.fulfill({ response, body })
    })
    const refused = other.waitForResponse((answer) => answer.url().endsWith('/captions/en.vtt'))
    await other.goto(`${address}?t=20`)
    await hydrated(other)
    // What was switched on before is switched on here.
    expect((await refused).status()).toBe(403)
    await expect(parts.button('Play')).toBeVisible()
    const bar = parts.frame.getByRole('slider', { name: 'Seek' })
    await bar.hover()
    await expect(parts.frame.getByText(/^0:1\d$/)).toBeVisible()

    // It asks for what the page has been told since, or has it told now.
    await other.getByRole('button', { name: 'Transcript' }).click()
    const transcript = other.getByRole('region', { name: 'Transcript' })
    await expect(transcript.getByRole('listitem')).toHaveCount(4)
    await transcript.getByRole('button', { name: 'Good morning.' }).click()
    await expect(parts.frame.locator('[data-captions]')).toHaveText('Good morning.')
    await bar.hover()
    await expect(parts.frame.locator('[data-preview]')).toBeVisible()
    await context.close()
  })

  expect(complaints).toEqual([])
})

test('videos that are links, and a film that no browser plays', async ({ page, thunder }) => {
  await signedUp(page.request, 'Lina Links')
  const elsewhere: string[] = []
  await page.route(/^https:/, (route) => {
    elsewhere.push(route.request().url())
    return route.fulfill({ status: 200, contentType: 'text/html', body: '<p>Their player</p>' })
  })
  const course = await courseOf(page.request, 'Links of Others', async (courseId) => {
    const avi = await readFile('test/fixtures/kinds/film.avi')
    return {
      'A frame': { videoUrl: 'https://youtu.be/aqz-KE-bpKQ' },
      'A file': { videoUrl: 'https://films.example/film.mp4' },
      'An old film': {
        videoId: await uploadedVideo(page.request, courseId, { filename: 'film.avi', bytes: avi }),
      },
    }
  })
  const go = async (lesson: string) => {
    await page.goto(`/course/${course.slug}/lesson/${lesson}`)
    await hydrated(page)
  }

  await test.step('a provider hears of nobody before the press', async () => {
    await go('a-frame')
    const press = page.getByRole('button', { name: /^Play video from YouTube/ })
    await expect(press).toContainText('YouTube will see that you visit')
    await expectNoAxeViolations(page)
    expect(elsewhere).toEqual([])
    // Nothing is offered that only our own player can do.
    await page.getByRole('button', { name: 'Keyboard shortcuts' }).click()
    const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await expect(keys.getByRole('region', { name: 'Lesson' })).toBeVisible()
    await expect(keys.getByRole('region', { name: 'Video' })).toHaveCount(0)
    await page.keyboard.press('Escape')
    await expect(keys).toHaveCount(0)
    await expect(page.getByRole('switch')).toHaveCount(0)
    await press.click()
    const frame = page.locator('iframe')
    await expect(frame).toHaveAttribute('title', 'Video: A frame (YouTube)')
    await expect(page.frameLocator('iframe').getByText('Their player')).toBeVisible()
    expect(new URL(elsewhere[0]!).origin).toBe('https://www.youtube-nocookie.com')
  })

  await test.step('a file elsewhere plays in the same player, or says that it does not', async () => {
    await go('a-file')
    const failure = page.getByRole('main').getByRole('alert')
    await expect(failure.getByText('Video format not supported', { exact: true })).toBeVisible()
    await expect(failure.getByRole('link', { name: 'Open video in new tab' })).toHaveAttribute(
      'href',
      'https://films.example/film.mp4',
    )
  })

  await test.step('a film that only other players play, while it is processed', async () => {
    await inDatabase(
      thunder,
      `insert into video_processings (media_id, status, attempts, heartbeat_at)
       select id, 'running', 3, clock_timestamp() from media_files where filename = 'film.avi'
       on conflict (media_id) do update
          set status = 'running', attempts = 3, heartbeat_at = excluded.heartbeat_at`,
    )
    // A node that works says so again and again; who says nothing is taken for dead.
    const signsOfLife = setInterval(() => {
      void inDatabase(
        thunder,
        `update video_processings set heartbeat_at = clock_timestamp()
          where attempts = 3 and status = 'running'`,
      )
    }, 5000)
    await go('an-old-film')
    const failure = page.getByRole('main').getByRole('alert')
    await expect(failure.getByText('This video is still being processed')).toBeVisible()
    await expectNoAxeViolations(page)
    clearInterval(signsOfLife)
    await inDatabase(thunder, `update video_processings set status = 'failed' where attempts = 3`)
    await failure.getByRole('button', { name: 'Try again' }).click()
    await expect(failure.getByText('Video format not supported', { exact: true })).toBeVisible()
  })

  await test.step('a film that only other players play', async () => {
    // Before anything is made of it; afterwards the stream plays.
    await page.route('**/hls/**', (route) => route.fulfill({ status: 404 }))
    await go('an-old-film')
    const failure = page.getByRole('main').getByRole('alert')
    await expect(failure.getByText('Video format not supported', { exact: true })).toBeVisible()
    await expect(failure.getByRole('link', { name: 'Open video in new tab' })).toBeVisible()
    await expectNoAxeViolations(page)
    await failure.getByRole('button', { name: 'Try again' }).click()
    await expect(failure.getByText('Video format not supported', { exact: true })).toBeVisible()
  })
})

test('a key that is pressed the moment the controls come is not lost', async ({ page }) => {
  await signedUp(page.request, 'Flora Baker')
  const course = await courseOf(page.request, 'Bread at Once', async (courseId) => ({
    'The dough': { videoId: await uploadedVideo(page.request, courseId) },
  }))
  // A press that a script makes is none for the browser: with sound it may refuse to play.
  await page.addInitScript(() => {
    localStorage.setItem('thunder-player', JSON.stringify({ muted: true }))
  })
  await page.addInitScript(() => {
    const coming = new MutationObserver(() => {
      if (!document.querySelector('section button[aria-label="Play"]')) return
      coming.disconnect()
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'k', bubbles: true }))
    })
    coming.observe(document, { childList: true, subtree: true })
  })
  await page.goto(`/course/${course.slug}/lesson/the-dough`)
  const { video } = partsOf(page)
  await expect.poll(() => secondOf(video)).toBeGreaterThan(0)
})
