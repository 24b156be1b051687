// What a creator sees of a video where nothing converts it: what may not play, and what was open for long.
import { readFile } from 'node:fs/promises'
import {
  expect,
  expectNoAxeViolations,
  hydrated,
  publishedCourse,
  sendSlowly,
  signedUp,
  test as journey,
} from './journey.ts'
import { startBuiltServer } from './server.ts'

const test = journey.extend<object, { thunder: Awaited<ReturnType<typeof startBuiltServer>> }>({
  thunder: [
    // Playwright insists on the empty pattern.
    // oxlint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const server = await startBuiltServer({ FFMPEG_PATH: 'off' })
      await use(server)
      await server.stop()
    },
    { scope: 'worker', timeout: 240_000 },
  ],
})

test('a kind that browsers cannot play is told of on the collapsed lesson, and a preview outlives its address', async ({
  page,
}) => {
  await signedUp(page.request, 'Ava Avi')
  const { id } = await publishedCourse(page.request, 'Old Films')
  await page.goto(`/create-lessons/${id}`)
  await hydrated(page)
  const row = (title: string) =>
    page.locator('[data-lessons] > li').filter({
      has: page.getByRole('heading', { level: 4, name: new RegExp(`^${title}`) }),
    })

  await test.step('while it is on its way, and after', async () => {
    // A minute and a half for this small file: it is told for as long as it is looked at.
    const sendAtOnce = await sendSlowly(page, 64)
    await page.getByLabel('Upload Videos as Lessons').setInputFiles('test/fixtures/kinds/film.avi')
    await expect(row('Film')).toContainText('Browsers cannot play AVI files')
    await sendAtOnce()
    await expect(row('Film').getByText('May not play')).toBeVisible()
    await page.getByLabel('Upload Videos as Lessons').setInputFiles('test/fixtures/lesson.mp4')
    await expect(row('Lesson')).toContainText(', with video')
    await expect(page.getByText('May not play')).toHaveCount(1)
    await expectNoAxeViolations(page)
  })

  await test.step('an address that is too old is asked for again', async () => {
    const film = await readFile('test/fixtures/lesson.mp4')
    await page.route(/\/storage\/v1\/videos\/.+\/original$/, (route) =>
      route.request().url().includes('/renewed/')
        ? route.fulfill({ body: film, contentType: 'video/mp4' })
        : route.fulfill({ status: 403, body: '' }),
    )
    await page.route(/\/rest\/v1\/media\/[^/]+$/, async (route) => {
      const answer = await route.fetch()
      const media = await answer.json()
      const url = `/storage/v1/videos/${media.id}/renewed/original`
      await route.fulfill({ response: answer, json: { ...media, url } })
    })
    await row('Lesson').getByRole('heading', { level: 4 }).getByRole('button').click()
    const preview = page.getByLabel('Preview of lesson.mp4')
    await expect(preview).toHaveAttribute('src', /\/renewed\//)
    await expect
      .poll(() => preview.evaluate((element) => (element as HTMLVideoElement).readyState))
      .toBeGreaterThan(0)
  })

  await test.step('one that does not arrive is not called unplayable, and is loaded again', async () => {
    await page.unrouteAll()
    const [films, calls] = [/\/storage\/v1\/videos\/.+\/original$/, /\/rest\/v1\/media\/[^/]+$/]
    const toggle = (title: string) =>
      row(title).getByRole('heading', { level: 4 }).getByRole('button')
    const notLoaded = page.getByText('The preview could not be loaded.')
    const unplayable = page.getByText('This browser cannot play this file')
    const again = page.getByRole('button', { name: 'Load the preview again' })
    for (const address of [films, calls]) await page.route(address, (route) => route.abort())
    await toggle('Lesson').click()
    await toggle('Lesson').click()
    await expect(notLoaded).toBeVisible()
    await expect(unplayable).toHaveCount(0)
    await expectNoAxeViolations(page)

    // The server answers, the film still does not arrive.
    await page.unroute(calls)
    const asked = page.waitForRequest((request) => request.method() === 'HEAD')
    await again.click()
    await asked
    await expect(notLoaded).toBeVisible()
    await expect(unplayable).toHaveCount(0)

    await page.unroute(films)
    await again.click()
    await expect
      .poll(() =>
        page
          .getByLabel('Preview of lesson.mp4')
          .evaluate((element) => (element as HTMLVideoElement).readyState),
      )
      .toBeGreaterThan(0)
    await expect(notLoaded).toHaveCount(0)

    await toggle('Film').click()
    await expect(unplayable).toBeVisible()
  })
})
