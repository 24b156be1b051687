// A course leaves one creator as a file and arrives at another.
import { readFile, writeFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { zipByHand } from '../zip-by-hand.ts'
import { loseAnswer } from './lose-answer.ts'
import {
  complaintsOf,
  expect,
  expectNoAxeViolations,
  hydrated,
  publishedCourse,
  sendSlowly,
  signedUp,
  somebodyElse,
  test,
  writeVideo,
} from './journey.ts'

const noSidewaysScroll = (page: Page) =>
  expect
    .poll(() => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth))
    .toBeLessThanOrEqual(0)

async function openImports(page: Page) {
  await page.goto('/import-course')
  await hydrated(page)
}

const choose = (page: Page) => page.getByLabel('Choose a course file')

test('a creator exports a course, and somebody else imports it', async ({
  page,
  browser,
  baseURL,
}) => {
  const complaints = complaintsOf(page)
  await signedUp(page.request, 'Nora Exporter')
  const { id } = await publishedCourse(page.request, 'Knots for Sailors', ['Bowline', 'Hitch'])
  const video = test.info().outputPath('bowline.mp4')
  await writeVideo(video, 3 * 1024 * 1024)
  await page.goto(`/create-lessons/${id}`)
  await hydrated(page)
  await page
    .getByRole('main')
    .getByRole('button', { name: /^Bowline/ })
    .first()
    .click()
  await page.getByLabel('Choose a video').setInputFiles(video)
  await expect(page.getByLabel('Preview of bowline.mp4')).toBeVisible()
  await page.getByRole('button', { name: 'Save Changes' }).click()
  await expect(page).toHaveURL(/\/dashboard$/)

  await page.goto('/dashboard')
  await hydrated(page)
  const more = page.getByRole('button', { name: 'More: Knots for Sailors' })
  await more.focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  const exporting = page.getByRole('link', { name: 'Export', exact: true })
  await expect(exporting).toBeFocused()
  await expectNoAxeViolations(page)
  const downloading = page.waitForEvent('download')
  await page.keyboard.press('Enter')
  const download = await downloading
  expect(download.suggestedFilename()).toBe('knots-for-sailors.course.zip')
  const zip = test.info().outputPath('knots-for-sailors.course.zip')
  await download.saveAs(zip)
  const bytes = await readFile(zip)

  // The plan leaves no room for a copy, and the page says so.
  await more.focus()
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('button', { name: 'Duplicate' })).toBeFocused()
  await page.keyboard.press('Enter')
  const limit = 'Free plan users can create up to 1 course. You have reached this limit.'
  await expect(page.getByText(limit)).toBeVisible()
  await openImports(page)
  await expect(page.getByText(limit)).toBeVisible()
  await expect(choose(page)).toBeHidden()

  const other = await somebodyElse(browser, { baseURL, viewport: { width: 375, height: 800 } })
  await signedUp(other.page.request, 'Omar Importer')
  await other.page.goto('/create-course')
  await hydrated(other.page)
  await other.page.getByRole('link', { name: 'Import a course file' }).click()
  await expect(other.page).toHaveURL(/\/import-course$/)
  await expectNoAxeViolations(other.page)
  await noSidewaysScroll(other.page)
  await choose(other.page).setInputFiles(zip)
  await expect(other.page.getByText('Imported. It is a draft until you publish it.')).toBeVisible({
    timeout: 60_000,
  })
  await expectNoAxeViolations(other.page)
  await noSidewaysScroll(other.page)
  await other.page.getByRole('link', { name: /^Open course.*Knots for Sailors/ }).click()
  await expect(other.page.getByRole('heading', { level: 1 })).toHaveText('Knots for Sailors')
  await expect(other.page.getByText('Draft', { exact: true }).first()).toBeVisible()

  // Out again: the same bytes.
  const slug = new URL(other.page.url()).pathname.split('/')[2]
  const copy = await (await other.page.request.get(`/rest/v1/courses/${slug}`)).json()
  const again = await other.page.request.get(`/rest/v1/courses/${copy.id}/export`)
  expect((await again.body()).equals(bytes)).toBe(true)
  expect(complaints).toEqual([])
  await other.context.close()
})

test('a file that is no course is refused in words, and the next one may be', async ({ page }) => {
  await signedUp(page.request, 'Pia Mistaken')
  await openImports(page)
  await choose(page).setInputFiles({
    name: 'notes.txt',
    mimeType: 'text/plain',
    buffer: Buffer.from('Notes'),
  })
  await expect(
    page.getByText('Please choose a course file: the ZIP that “Export” gave you.'),
  ).toBeVisible()
  await page.getByRole('button', { name: 'Remove' }).click()
  const newer = test.info().outputPath('newer.course.zip')
  const course = { format: 'thunder-course', version: 99 }
  await writeFile(newer, zipByHand([{ name: 'course.json', data: JSON.stringify(course) }]))
  await page.route('**/rest/v1/course-imports', (route) => route.abort())
  await choose(page).setInputFiles(newer)
  await expect(page.getByText('Failed to start the import. Please try again.')).toBeVisible()
  await page.getByRole('button', { name: 'Choose another file' }).click()
  await page.unroute('**/rest/v1/course-imports')
  await choose(page).setInputFiles(newer)
  await expect(page.getByText(/^This file was made by a newer version of Thunder\./)).toBeVisible()
  await expectNoAxeViolations(page)
  await expect(choose(page)).toBeEnabled()
  await page.getByRole('button', { name: /^Remove/ }).click()
  await expect(page.getByText(/^This file was made by a newer/)).toBeHidden()
})

test('a course whose answer was lost is imported once', async ({ page }) => {
  await signedUp(page.request, 'Lea Lost')
  const zip = test.info().outputPath('lost.course.zip')
  const course = { format: 'thunder-course', version: 99 }
  await writeFile(zip, zipByHand([{ name: 'course.json', data: JSON.stringify(course) }]))
  // Nothing else tells the page what became of it.
  await page.route('**/realtime/**', (route) => route.abort())
  await openImports(page)
  await loseAnswer(page, 'POST', () => choose(page).setInputFiles(zip), '**/rest/v1/course-imports')
  await expect(page.getByText('Failed to start the import. Please try again.')).toBeVisible()
  const own = async () => (await (await page.request.get('/rest/v1/course-imports')).json()).imports
  await expect.poll(async () => (await own())[0]?.status).toBe('failed')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText(/^This file was made by a newer version of Thunder\./)).toBeVisible()
  await expect(choose(page)).toBeEnabled()
  expect(await own()).toHaveLength(1)
})

test('who leaves while a course file goes up is asked, and goes on with the same file later', async ({
  page,
}) => {
  await signedUp(page.request, 'Quin Leaver')
  const zip = test.info().outputPath('sails.course.zip')
  const course = { format: 'thunder-course', version: 99, rest: '.'.repeat(1024 * 1024) }
  await writeFile(zip, zipByHand([{ name: 'course.json', data: JSON.stringify(course) }]))
  await openImports(page)
  const sendAtOnce = await sendSlowly(page, 60 * 1024)
  await choose(page).setInputFiles(zip)
  const bar = page.getByRole('progressbar', { name: 'sails.course.zip' })
  await expect
    .poll(() => bar.evaluate((element) => (element as HTMLProgressElement).value))
    .toBeGreaterThan(10)

  const away = page.getByRole('link', { name: 'Back to Dashboard' })
  const asked = page.getByRole('alertdialog', { name: 'Leave without saving?' })
  await away.click()
  await expect(asked).toContainText('The course file is still uploading.')
  await expectNoAxeViolations(page)
  await asked.getByRole('button', { name: 'Stay on this page' }).click()
  await expect(bar).toBeVisible()
  await away.click()
  const broken = page.waitForEvent('requestfailed', (request) => request.method() === 'PATCH')
  await asked.getByRole('button', { name: 'Leave without saving' }).click()
  await expect(page).toHaveURL(/\/dashboard$/)
  await broken

  await openImports(page)
  await sendAtOnce()
  const stopped = page.getByText(/Upload of “sails\.course\.zip” stopped at \d+%\./)
  await expect(stopped).toBeVisible()
  await expectNoAxeViolations(page)
  // Whoever uses this browser next reads nothing of it.
  const cookies = await page.context().cookies()
  await page.context().clearCookies()
  await signedUp(page.request, 'Rita Reader')
  await openImports(page)
  await expect(choose(page)).toBeVisible()
  await expect(stopped).toHaveCount(0)
  await page.context().clearCookies()
  await page.context().addCookies(cookies)
  await openImports(page)
  await expect(stopped).toBeVisible()
  const offsets: number[] = []
  page.on('request', (request) => {
    if (request.method() === 'PATCH') offsets.push(Number(request.headers()['upload-offset']))
  })
  await choose(page).setInputFiles(zip)
  await expect(page.getByText(/^This file was made by a newer version of Thunder\./)).toBeVisible()
  expect(offsets[0]).toBeGreaterThan(0)
  await expect(stopped).toHaveCount(0)
  // Nothing can be lost by now.
  await away.click()
  await expect(page).toHaveURL(/\/dashboard$/)
})
