// Free previews: a creator marks a lesson, and whoever passes by may see it and nothing else.
import type { APIRequestContext, Page } from '@playwright/test'
import {
  complaintsOf,
  expect,
  expectNoAxeViolations,
  expectNoSidewaysScrolling,
  hydrated,
  publishedCourse,
  signedUp,
  somebodyElse,
  test,
  uploadedVideo,
} from './journey.ts'

const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true })

/** In both themes, on a phone and on a desk, and never wider than the window. */
async function expectGoodOnEveryScreen(page: Page) {
  for (const width of [375, 1280]) {
    await page.setViewportSize({ width, height: 812 })
    await expectNoSidewaysScrolling(page)
    await expectNoAxeViolations(page)
  }
}

type Content = {
  contentVersion: number
  chapters: { lessons: { title: string; videoId?: string | null; isPreview?: boolean }[] }[]
}

/** Saves the content with what `change` makes of its lessons, through the API. */
async function changeLessons(
  request: APIRequestContext,
  courseId: string,
  change: (lessons: Content['chapters'][number]['lessons']) => void,
) {
  const path = `/rest/v1/courses/${courseId}/content`
  const { contentVersion, chapters }: Content = await (await request.get(path)).json()
  for (const { lessons } of chapters) change(lessons)
  const saved = await request.put(path, { data: { contentVersion, chapters } })
  expect(saved.status(), await saved.text()).toBe(200)
}

test('a lesson marked as a free preview is there for everybody, and no other is', async ({
  page,
  browser,
  baseURL,
}) => {
  await signedUp(page.request, 'Pia Preview')
  const titles = ['Welcome', 'Steeping', 'Leaves', 'Water', 'A last cup']
  const course = await publishedCourse(page.request, 'Tea in the open', titles)
  const videoId = await uploadedVideo(page.request, course.id)
  await changeLessons(page.request, course.id, (lessons) => {
    lessons[1]!.videoId = videoId
    lessons[4]!.isPreview = true
  })

  // The creator marks the lesson with the video in the editor.
  await page.goto(`/create-lessons/${course.id}`)
  await hydrated(page)
  await page.getByRole('button', { name: /^Steeping/ }).click()
  const mark = page.getByRole('checkbox', {
    name: 'Free preview: anybody may see this lesson without joining',
  })
  await mark.check()
  await page.getByRole('button', { name: 'Save Changes' }).click()
  await expect(page).toHaveURL('/dashboard')
  await page.goto(`/course/${course.slug}/dashboard`)
  await expect(page.getByRole('link', { name: /Steeping/ })).toContainText('Preview')

  // Somebody passes by, with and without scripts.
  const bare = await somebodyElse(browser, { baseURL, javaScriptEnabled: false })
  await bare.page.goto(`/course/${course.slug}`)
  await expect(link(bare.page, 'A last cup')).toBeVisible()
  await link(bare.page, 'Preview of Steeping').click()
  await expect(bare.page.getByRole('heading', { level: 1, name: 'Steeping' })).toBeVisible()
  await expect(bare.page.getByText('Preview lesson')).toBeVisible()
  await expect(bare.page.locator('video[controls]')).toBeVisible()
  // For browsers that do not play it.
  await expect(link(bare.page, 'Open video in new tab')).toHaveAttribute('href', /\/original$/)
  await expect(bare.page.getByRole('main').getByText('Steeping', { exact: true })).toHaveCount(2)
  await bare.context.close()

  const visitor = await somebodyElse(browser, { baseURL })
  const complaints = complaintsOf(visitor.page)
  await visitor.page.goto(`/course/${course.slug}`)
  await expect(visitor.page.getByRole('link', { name: 'Preview of Welcome' })).toHaveCount(0)
  await expectNoAxeViolations(visitor.page)
  await link(visitor.page, 'Preview of Steeping').click()
  await expect(visitor.page).toHaveURL(`/course/${course.slug}/preview/steeping`)
  // Not hydrated: the one script is inline.
  expect(await visitor.page.locator('script[src]').count()).toBe(0)
  const video = visitor.page.locator('video')
  await video.evaluate((element: HTMLVideoElement) => {
    element.muted = true
    return element.play()
  })
  await expect
    .poll(() => video.evaluate((element: HTMLVideoElement) => element.currentTime))
    .toBeGreaterThan(0.2)
  await expectGoodOnEveryScreen(visitor.page)

  // No other lesson is there.
  const closed = await visitor.page.goto(`/course/${course.slug}/preview/leaves`)
  expect(closed?.status()).toBe(404)
  await expect(visitor.page.getByRole('heading', { name: 'Lesson not found' })).toBeVisible()

  // The invitation leads to the course; who has joined gets the whole lesson.
  await visitor.page.goto(`/course/${course.slug}/preview/steeping`)
  await link(visitor.page, 'See the course and join').click()
  await expect(visitor.page).toHaveURL(`/course/${course.slug}`)
  await signedUp(visitor.context.request, 'Vera Visitor')
  await visitor.page.goto(`/course/${course.slug}/preview/steeping`)
  await hydrated(visitor.page)
  await expect(visitor.page.getByText('Preview lesson')).toBeVisible()
  const joined = await visitor.context.request.post('/rest/v1/enrollments', {
    data: { courseId: course.id },
  })
  expect(joined.status()).toBe(200)
  await visitor.page.goto(`/course/${course.slug}/preview/steeping`)
  await expect(visitor.page).toHaveURL(`/course/${course.slug}/lesson/steeping`)
  expect(complaints).toEqual([])

  // What is taken back is gone at once, also from the kept page.
  const passer = await somebodyElse(browser, { baseURL })
  const address = `/course/${course.slug}/preview/steeping`
  expect((await passer.page.goto(address))?.status()).toBe(200)
  await changeLessons(page.request, course.id, (lessons) => {
    for (const lesson of lessons) lesson.isPreview = false
    lessons[1]!.videoId = videoId
  })
  expect((await passer.page.goto(address))?.status()).toBe(404)
  await passer.page.goto(`/course/${course.slug}`)
  await expect(passer.page.getByRole('link', { name: /^Preview/ })).toHaveCount(0)
  await passer.context.close()
  await visitor.context.close()
})
