// Videos on their way into a course: many at once, stopped and gone on with, and what is made of them.
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import type { Locator, Page } from '@playwright/test'
import {
  complaintsOf,
  expect,
  expectNoAxeViolations,
  hydrated,
  leaveFilmsAsTheyAre,
  publishedCourse,
  sendSlowly,
  signedUp,
  test as journey,
  writeVideo,
} from './journey.ts'
import { startBuiltServer } from './server.ts'

/** ffmpeg as it is, except that it waits as long as `wait` is beside it, and fails as long as `fail` is. */
const gatedFfmpeg = (program: string) => `#!/bin/sh
case "$*" in *-encoders*|*-version*) exec ${program} "$@" ;; esac
while [ -e "$(dirname "$0")/wait" ]; do sleep 0.1; done
[ -e "$(dirname "$0")/fail" ] && exit 1
exec ${program} "$@"
`

const test = journey.extend<
  object,
  { programs: string; thunder: Awaited<ReturnType<typeof startBuiltServer>> }
>({
  programs: [
    // Playwright insists on the empty pattern.
    // oxlint-disable-next-line no-empty-pattern
    async ({}, use, { project, workerIndex }) => {
      const folder = join(project.outputDir, `programs-${workerIndex}`)
      await mkdir(folder, { recursive: true })
      for (const name of ['ffmpeg', 'ffprobe']) {
        await writeFile(join(folder, name), gatedFfmpeg(name))
        await chmod(join(folder, name), 0o755)
      }
      await use(folder)
    },
    { scope: 'worker' },
  ],
  thunder: [
    async ({ programs }, use) => {
      const server = await startBuiltServer({
        VIDEO_MAX_MB: '1',
        FFMPEG_PATH: join(programs, 'ffmpeg'),
      })
      await leaveFilmsAsTheyAre(server)
      await use(server)
      await server.stop()
    },
    { scope: 'worker', timeout: 240_000 },
  ],
})

const run = promisify(execFile)
const megabyte = 1024 * 1024
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

async function openEditor(page: Page, courseId: string) {
  await page.goto(`/create-lessons/${courseId}`)
  await hydrated(page)
}

const chapter = (page: Page) => page.getByRole('region', { name: /Chapter 1/ })
const rows = (page: Page) => chapter(page).locator('[data-lessons] > li')
const row = (page: Page, title: string) =>
  rows(page).filter({
    has: page.getByRole('heading', { level: 4, name: new RegExp(`^${title}`) }),
  })
const toggle = (page: Page, title: string) =>
  row(page, title).getByRole('heading', { level: 4 }).getByRole('button')
const titles = (page: Page) => rows(page).locator('h4 span.wrap-anywhere').allInnerTexts()

/** As a person drops files from the desktop. */
async function drop(target: Locator, paths: string[]) {
  const files = await Promise.all(
    paths.map(async (path) => ({
      name: basename(path),
      type: path.endsWith('.mp4') ? 'video/mp4' : 'text/plain',
      base64: (await readFile(path)).toString('base64'),
    })),
  )
  await target.evaluate((element, sent) => {
    const dataTransfer = new DataTransfer()
    for (const { name, type, base64 } of sent) {
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
      dataTransfer.items.add(new File([bytes], name, { type, lastModified: 1 }))
    }
    for (const kind of ['dragenter', 'dragover', 'drop']) {
      const options = { bubbles: true, cancelable: true, dataTransfer }
      element.dispatchEvent(new DragEvent(kind, options))
    }
  }, files)
}

test('several files that are dropped on a chapter become its lessons', async ({ page }) => {
  const complaints = complaintsOf(page)
  await signedUp(page.request, 'Dora Drop')
  const { id } = await publishedCourse(page.request, 'Bread by Film')
  const path = (name: string) => test.info().outputPath(name)
  const files = ['10_oven.mp4', '1_water.mp4', '2_flour.mp4', '3_large.mp4', '4_notes.mp4']
  for (const name of files.slice(0, 3)) await writeVideo(path(name), 700 * 1024)
  await writeVideo(path('3_large.mp4'), megabyte + 1)
  await writeFile(path('4_notes.mp4'), 'This is not a film. '.repeat(35_000))
  await openEditor(page, id)
  const sendAtOnce = await sendSlowly(page, 30 * 1024)

  await test.step('in their order, with names that can be read, and three on their way', async () => {
    await drop(chapter(page), files.map(path))
    await expect
      .poll(() => titles(page))
      .toEqual(['First lesson', 'Water', 'Flour', 'Large', 'Notes', 'Oven'])
    const bar = row(page, 'Water').getByRole('progressbar', { name: 'Video of “Water”' })
    await expect
      .poll(() => bar.evaluate((element) => (element as HTMLProgressElement).value))
      .toBeGreaterThan(0)
    await expect(row(page, 'Water')).toContainText(/\d+% · .+ of 700 KB · \d+ KB\/s · .+ left/)
    await expect(row(page, 'Oven')).toContainText('Waiting')
    await expect(row(page, 'Large')).toContainText(
      'Video file is too large. Please upload a file smaller than 1MB.',
    )
    await expect(page.getByText('Uploading 4 videos…')).toBeVisible()
    await expectNoAxeViolations(page)
  })

  await test.step('saving waits for them, and a cancelled one is gone', async () => {
    const save = page.getByRole('button', { name: 'Save Changes' })
    await save.click()
    const wait = 'Please wait for all video uploads to complete before saving.'
    await expect(page.getByText(wait).first()).toBeVisible()
    await page.getByRole('button', { name: 'Cancel the video of “Flour”' }).click()
    await expect(row(page, 'Flour').getByRole('progressbar')).toHaveCount(0)
    await expect(row(page, 'Oven')).not.toContainText('Waiting')
    await sendAtOnce()
    await expect(row(page, 'Notes')).toContainText(
      'Please upload a valid video file (MP4, WebM, OGG, AVI, MOV, QuickTime)',
    )
    await expect(chapter(page).getByRole('progressbar')).toHaveCount(0)
    await save.click()
    await expect(
      page.getByText('Please resolve all upload errors before saving.').first(),
    ).toBeVisible()
    await expectNoAxeViolations(page)
    for (const name of ['Large', 'Notes'])
      await page.getByRole('button', { name: `Remove the video of “${name}”` }).click()
    await save.click()
    await expect(page).toHaveURL(/\/dashboard$/)
  })

  const content = await (await page.request.get(`/rest/v1/courses/${id}/content`)).json()
  const saved = content.chapters[0].lessons.map(
    (lesson: { title: string; video: { filename: string } | null }) =>
      `${lesson.title}: ${lesson.video?.filename ?? ''}`,
  )
  expect(saved).toEqual([
    'First lesson: ',
    'Water: 1_water.mp4',
    'Flour: ',
    'Large: ',
    'Notes: ',
    'Oven: 10_oven.mp4',
  ])
  await openEditor(page, id)
  await expect(page.getByText('Videos of this course use 1.')).toBeVisible()
  expect(complaints).toEqual([])
})

test('videos that are chosen one after the other, while lessons come and change, all arrive', async ({
  page,
  programs,
  thunder,
}) => {
  // None is converted while the others are sent.
  await writeFile(join(programs, 'wait'), '')
  await signedUp(page.request, 'Mona Moment')
  const { id } = await publishedCourse(page.request, 'One After the Other')
  await openEditor(page, id)
  const film = await readFile('test/fixtures/lesson.mp4')
  // By a script within the page: some come between the drawing of a lesson and what follows from it.
  const chosen = await page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
    const names = Array.from({ length: 30 }, (_, number) => `film-${number}.mp4`)
    for (const name of names) {
      const input = document.querySelector<HTMLInputElement>('input[type=file][multiple]')!
      const files = new DataTransfer()
      files.items.add(new File([bytes], name, { type: 'video/mp4' }))
      input.files = files.files
      input.dispatchEvent(new Event('change', { bubbles: true }))
      // One after the other is what this is about.
      // oxlint-disable-next-line no-await-in-loop
      await new Promise((resolve) => setTimeout(resolve))
    }
    return names.length
  }, film.toString('base64'))
  await expect(rows(page).filter({ hasText: ', with video' })).toHaveCount(chosen)
  await leaveFilmsAsTheyAre(thunder)
  await rm(join(programs, 'wait'))
})

test('after a reload the same files go on at lessons that were never saved', async ({ page }) => {
  page.on('dialog', (dialog) => dialog.accept())
  await signedUp(page.request, 'Rea Load')
  const { id } = await publishedCourse(page.request, 'Stopped in the Middle')
  const names = ['a.mp4', 'b.mp4', 'c.mp4', 'd.mp4']
  const paths = names.map((name) => test.info().outputPath(name))
  const videos = await Promise.all(paths.map((path) => writeVideo(path, megabyte)))
  await openEditor(page, id)
  const sendAtOnce = await sendSlowly(page, 60 * 1024)
  const choose = page.getByLabel('Upload Videos as Lessons')
  // The keyboard reaches it.
  await page.getByRole('button', { name: 'Add Lesson' }).focus()
  await page.keyboard.press('Tab')
  await expect(choose).toBeFocused()
  await choose.setInputFiles(paths)
  await expect(row(page, 'A')).toContainText(/[2-9]\d% ·/)
  await expect(row(page, 'D')).toContainText('Waiting')

  await page.reload()
  await hydrated(page)
  await page.getByRole('button', { name: 'Restore', exact: true }).click()
  await expect.poll(() => titles(page)).toEqual(['First lesson', 'A', 'B', 'C', 'D'])
  await toggle(page, 'A').click()
  await expect(
    page.getByText(/Upload of “a\.mp4” stopped at \d+%\. Choose the same file again to go on\./),
  ).toBeVisible()

  await test.step('one that the server does not remove stays, and it is said why', async () => {
    await toggle(page, 'B').click()
    const stopped = page.getByText(/Upload of “b\.mp4” stopped at/)
    const address = '**/storage/v1/uploads/*'
    await page.route(address, (route) => route.abort())
    await row(page, 'B').getByRole('button', { name: 'Discard' }).click()
    const why = 'Failed to remove video: The server cannot be reached.'
    await expect(page.getByText(why)).toBeVisible()
    await expect(stopped).toBeVisible()
    await page.unroute(address)
  })

  const begun: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/storage/v1/uploads'))
      begun.push(request.url())
  })
  await sendAtOnce()
  await choose.setInputFiles(paths)
  const preview = page.getByLabel('Preview of a.mp4')
  await expect(preview).toBeVisible()
  await expect(chapter(page).getByRole('progressbar')).toHaveCount(0)
  await expect.poll(() => titles(page)).toEqual(['First lesson', 'A', 'B', 'C', 'D'])
  // Only the one whose turn had not come.
  expect(begun).toHaveLength(1)
  const delivered = await page.request.get((await preview.getAttribute('src')) ?? '')
  expect(sha256(await delivered.body())).toBe(sha256(videos[0]!))
  await page.getByRole('button', { name: 'Save Changes' }).click()
  await expect(page).toHaveURL(/\/dashboard$/)
})

test('an upload whose log-in ended goes on where it was, however often it was tried meanwhile', async ({
  page,
  context,
}) => {
  page.on('dialog', (dialog) => dialog.accept())
  const { email, password } = await signedUp(page.request, 'Lou Out')
  const { id } = await publishedCourse(page.request, 'Signed Out in the Middle')
  const path = test.info().outputPath('long.mp4')
  const video = await writeVideo(path, megabyte)
  const begun: string[] = []
  const offsets: number[] = []
  page.on('request', (request) => {
    if (!request.url().includes('/storage/v1/uploads')) return
    if (request.method() === 'POST') begun.push(request.url())
    if (request.method() === 'PATCH') offsets.push(Number(request.headers()['upload-offset']))
  })
  await openEditor(page, id)
  await toggle(page, 'First lesson').click()
  const choose = () => page.getByLabel('Choose a video').setInputFiles(path)
  const sendAtOnce = await sendSlowly(page, 60 * 1024)
  await choose()
  const bar = page.getByRole('progressbar', { name: 'long.mp4' })
  await expect
    .poll(() => bar.evaluate((element) => (element as HTMLProgressElement).value))
    .toBeGreaterThan(20)
  await page.reload()
  await sendAtOnce()
  await hydrated(page)
  await toggle(page, 'First lesson').click()
  await expect(page.getByText(/^Upload of “long\.mp4” stopped at/)).toBeVisible()

  await context.clearCookies()
  const asksWhereItStands = async (act: () => Promise<void>) => {
    const refused = page.waitForResponse(
      (answer) => answer.status() === 401 && answer.url().includes('/storage/v1/uploads'),
    )
    await act()
    expect((await refused).request().method()).toBe('HEAD')
    await expect(
      page
        .getByText('You are signed out. Please log in again in another tab, then try again.')
        .first(),
    ).toBeVisible()
  }
  const retry = page.getByRole('button', { name: 'Retry' })
  await asksWhereItStands(choose)
  await asksWhereItStands(() => retry.click())
  await expectNoAxeViolations(page)

  const logIn = await page.request.post('/auth/v1/sign-in/email', { data: { email, password } })
  expect(logIn.status()).toBe(200)
  await retry.click()
  const preview = page.getByLabel('Preview of long.mp4')
  await expect(preview).toBeVisible()
  expect(begun).toHaveLength(1)
  expect(offsets.at(-1)).toBeGreaterThan(0)
  const delivered = await page.request.get((await preview.getAttribute('src')) ?? '')
  expect(sha256(await delivered.body())).toBe(sha256(video))
})

test('an upload that fails while somebody is asked before leaving keeps them, and says why', async ({
  page,
}) => {
  await signedUp(page.request, 'Asta Asked')
  const { id } = await publishedCourse(page.request, 'Asked at the Door')
  const path = test.info().outputPath('door.mp4')
  await writeVideo(path, 100 * 1024)
  const refusal = Promise.withResolvers<void>()
  await page.route('**/storage/v1/uploads/*', async (route) => {
    if (route.request().method() !== 'PATCH') return route.fallback()
    await refusal.promise
    await route.fulfill({ status: 415, body: 'This file is no video.' })
  })
  await openEditor(page, id)
  await toggle(page, 'First lesson').click()
  await page.getByLabel('Choose a video').setInputFiles(path)
  await expect(page.getByRole('progressbar', { name: 'door.mp4' })).toBeVisible()
  const away = page.getByRole('link', { name: 'Cancel' })
  await away.click()
  const asked = page.getByRole('alertdialog', { name: 'Leave without saving?' })
  await expect(asked).toContainText('A video is still uploading')
  refusal.resolve()
  await expect(asked).toHaveCount(0)
  await expect(page.getByText('This file is no video.').first()).toBeVisible()
  await expect(page).toHaveURL(/\/create-lessons\//)
  // Nothing can be lost by now.
  await away.click()
  await expect(page).toHaveURL(/\/dashboard$/)
})

test('what is made of a video shows in every open tab, with a way on when it fails', async ({
  page,
  programs,
  thunder,
}) => {
  const gate = (name: string) => join(programs, name)
  await writeFile(gate('wait'), '')
  // Those of the tests before would all come first.
  await leaveFilmsAsTheyAre(thunder)
  await signedUp(page.request, 'Pia Process')
  const { id } = await publishedCourse(page.request, 'Processed')
  const path = test.info().outputPath('knead.mp4')
  const clip = 'testsrc=duration=1:size=160x90:rate=10'
  await run('ffmpeg', ['-f', 'lavfi', '-i', clip, '-pix_fmt', 'yuv420p', path])
  await openEditor(page, id)
  await page
    .getByRole('main')
    .getByRole('button', { name: /^First lesson/ })
    .click()
  await page.getByLabel('Choose a video').setInputFiles(path)
  await expect(page.getByLabel('Preview of knead.mp4')).toBeVisible()
  await expect(page.getByText(/^(Queued for processing|Processing \d+%)$/)).toBeVisible()
  await page.getByRole('button', { name: 'Save Changes' }).click()
  await expect(page).toHaveURL(/\/dashboard$/)

  const other = await page.context().newPage()
  await Promise.all([openEditor(page, id), openEditor(other, id)])
  await page
    .getByRole('main')
    .getByRole('button', { name: /^First lesson/ })
    .click()
  for (const tab of [page, other])
    await expect(tab.getByText(/^(Queued for processing|Processing \d+%)$/)).toBeVisible()
  await expectNoAxeViolations(page)

  await writeFile(gate('fail'), '')
  await rm(gate('wait'))
  const again = page.getByRole('button', { name: 'Try again' })
  await expect(again).toBeVisible()
  await expect(page.getByText(/^This video could not be converted: .+/)).toBeVisible()
  await expect(other.getByText('Processing failed')).toBeVisible()
  await expectNoAxeViolations(page)

  await test.step('an answer that comes late brings no removed video back', async () => {
    const late = await page.context().newPage()
    await openEditor(late, id)
    await toggle(late, 'First lesson').click()
    const answer = Promise.withResolvers<void>()
    await late.route(/\/processing$/, async (route) => {
      await answer.promise
      await route.fulfill({ json: { processing: null } })
    })
    await late.getByRole('button', { name: 'Try again' }).click()
    await late.getByRole('button', { name: 'Remove video' }).click()
    await late.getByRole('button', { name: 'Link to a video instead' }).click()
    await late.getByLabel('Video address').fill('https://youtu.be/dQw4w9WgXcQ')
    const arrived = late.waitForResponse(/\/processing$/)
    answer.resolve()
    await (await arrived).finished()
    await late.evaluate(() => new Promise((resolve) => setTimeout(resolve, 200)))
    await expect(late.getByLabel('Video address')).toHaveValue('https://youtu.be/dQw4w9WgXcQ')
    await late.close()
  })

  await rm(gate('fail'))
  await again.click()
  await expect(again).toHaveCount(0)
  await expect(other.getByText('Processing failed')).toHaveCount(0)
  await expect(page.getByText(/^(Queued for processing|Processing \d+%)$/)).toHaveCount(0)
  const preview = page.getByLabel('Preview of knead.mp4')
  await expect(preview).toHaveAttribute('poster', /poster\.jpg$/)
  const poster = await page.request.get((await preview.getAttribute('poster')) ?? '')
  expect(poster.headers()['content-type']).toBe('image/jpeg')
  await other.close()
})
