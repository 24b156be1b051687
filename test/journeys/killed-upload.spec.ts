// kill -9 at the worst moments: in the middle of an upload, and in the middle of other people's writes.
import { createHash } from 'node:crypto'
import type { Page } from '@playwright/test'
import {
  expect,
  hydrated,
  publishedCourse,
  sendSlowly,
  signedUp,
  test,
  writeVideo,
} from './journey.ts'

/** Bytes. More than one chunk of the uploader (5 MB), so that a middle exists on disk. */
const size = 24 * 1024 * 1024
/** Bytes per second while the server is being killed. */
const slowly = 1024 * 1024

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

async function openEditor(page: Page, courseId: string, lesson: string) {
  await page.goto(`/create-lessons/${courseId}`)
  await hydrated(page)
  await page
    .getByRole('main')
    .getByRole('button', { name: new RegExp(`^${lesson}`) })
    .click()
}

/** Waits until this much has left the browser. */
async function uploadedPercent(page: Page, atLeast: number) {
  const bar = page.getByRole('progressbar', { name: 'large.mp4' })
  await expect
    .poll(() => bar.evaluate((element) => (element as HTMLProgressElement).value), {
      intervals: [100],
    })
    .toBeGreaterThan(atLeast)
}

async function hashOfDelivered(page: Page): Promise<string> {
  const preview = page.getByLabel('Preview of large.mp4')
  await expect(preview).toBeVisible({ timeout: 60_000 })
  const delivered = await page.request.get((await preview.getAttribute('src')) ?? '')
  expect(delivered.status()).toBe(200)
  return sha256(await delivered.body())
}

test('an upload goes on in the open page after kill -9 of the server', async ({
  page,
  thunder,
}) => {
  const path = test.info().outputPath('large.mp4')
  const video = await writeVideo(path, size)
  await signedUp(page.request, 'Creator One')
  const { id } = await publishedCourse(page.request, 'Killed in the Middle')
  await openEditor(page, id, 'First lesson')
  const sendAtOnce = await sendSlowly(page, slowly)
  await page.getByLabel('Choose a video').setInputFiles(path)
  await uploadedPercent(page, 30)
  await thunder.kill9()
  // Said for the three seconds of the retries. When they are over, a press goes on from where the server is.
  const interrupted = page.getByText('The connection was interrupted. Trying again…')
  const retry = page.getByRole('button', { name: 'Retry' })
  await expect(interrupted.or(retry).first()).toBeVisible()
  await thunder.restart()
  await sendAtOnce()
  const preview = page.getByLabel('Preview of large.mp4')
  await expect(retry.or(preview)).toBeVisible({ timeout: 60_000 })
  // Pressed where it is: the upload may go on by itself just then.
  await retry.evaluateAll((buttons: HTMLElement[]) => buttons.forEach((button) => button.click()))
  expect(await hashOfDelivered(page)).toBe(sha256(video))
  await page.getByRole('button', { name: 'Save Changes' }).click()
  await expect(page).toHaveURL(/\/dashboard$/)
})

test('an upload goes on with the same file after kill -9 and a reload', async ({
  page,
  thunder,
}) => {
  const path = test.info().outputPath('large.mp4')
  const video = await writeVideo(path, size)
  await signedUp(page.request, 'Creator Two')
  const { id } = await publishedCourse(page.request, 'Killed and Reloaded')
  await openEditor(page, id, 'First lesson')
  const sendAtOnce = await sendSlowly(page, slowly)
  await page.getByLabel('Choose a video').setInputFiles(path)
  await uploadedPercent(page, 30)
  await thunder.kill9()
  await thunder.restart()
  page.once('dialog', (dialog) => dialog.accept())
  await openEditor(page, id, 'First lesson')
  await expect(page.getByText(/Upload of “large\.mp4” stopped at \d+%/)).toBeVisible()
  await sendAtOnce()

  let sent = 0
  page.on('request', (request) => {
    if (request.method() === 'PATCH') sent += Number(request.headers()['content-length'] ?? 0)
  })
  await page.getByLabel('Choose a video').setInputFiles(path)
  expect(await hashOfDelivered(page)).toBe(sha256(video))
  expect(sent).toBeLessThan(size)
})

test('what was acknowledged is there after kill -9 under writes', async ({
  page,
  browser,
  thunder,
}) => {
  await signedUp(page.request, 'Creator Three')
  const titles = Array.from({ length: 200 }, (_, index) => `Lesson ${index + 1}`)
  const { id, slug } = await publishedCourse(page.request, 'Written While Dying', titles)
  const content = await (await page.request.get(`/rest/v1/courses/${id}/content`)).json()
  const lessons: { id: string }[] = content.chapters[0].lessons
  const learner = await browser.newContext({ baseURL: thunder.url })
  await signedUp(learner.request, 'Learner Three')
  expect(
    (await learner.request.post('/rest/v1/enrollments', { data: { courseId: id } })).status(),
  ).toBe(200)

  const acknowledged: string[] = []
  const rest = lessons.values()
  let kill: Promise<void> | undefined
  const write = async () => {
    for (const lesson of rest) {
      const answer = await learner.request
        .put(`/rest/v1/lessons/${lesson.id}/completion`)
        .catch(() => null)
      if (!answer?.ok()) return
      acknowledged.push(lesson.id)
      if (acknowledged.length === 40) kill = thunder.kill9()
    }
  }
  await Promise.all(Array.from({ length: 8 }, write))
  expect(kill).toBeDefined()
  await kill
  await thunder.restart()

  const course = await (await learner.request.get(`/rest/v1/courses/${slug}/dashboard`)).json()
  const completed = new Set<string>(
    course.chapters
      .flatMap((chapter: { lessons: { id: string; completed: boolean }[] }) => chapter.lessons)
      .filter((lesson: { completed: boolean }) => lesson.completed)
      .map((lesson: { id: string }) => lesson.id),
  )
  expect(acknowledged.filter((lesson) => !completed.has(lesson))).toEqual([])
  expect(course.completedCount).toBe(completed.size)
  await learner.close()
})
