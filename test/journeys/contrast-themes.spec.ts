// Colours that the system chooses (contrast themes of Windows), and text of twice the size.
import type { Locator } from '@playwright/test'
import {
  expect,
  expectNoSidewaysScrolling,
  hydrated,
  publishedCourse,
  signedUp,
  somebodyElse,
  test,
  uploadedVideo,
} from './journey.ts'

const styleOf = (of: Locator, property: string) =>
  of.evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property)

test('nothing is said by a fill alone, and nothing is cut where text is twice as large', async ({
  page,
  browser,
  baseURL,
}) => {
  await signedUp(page.request, 'Cora Contrast')
  const course = await publishedCourse(page.request, 'In black and white')
  const videoId = await uploadedVideo(page.request, course.id)
  const address = `/rest/v1/courses/${course.id}/content`
  const { contentVersion } = await (await page.request.get(address)).json()
  const content = { type: 'doc', content: [{ type: 'paragraph' }] }
  const lessons = [{ title: 'The film', content, videoId }]
  const saved = await page.request.put(address, {
    data: { contentVersion, chapters: [{ title: 'Chapter 1', lessons }] },
  })
  expect(saved.status(), await saved.text()).toBe(200)
  const lesson = `/course/${course.slug}/lesson/the-film`
  const storageState = await page.context().storageState()

  for (const colorScheme of ['light', 'dark'] as const) {
    const { page: plain, context } = await somebodyElse(browser, {
      baseURL,
      storageState,
      colorScheme,
      forcedColors: 'active',
    })
    await plain.goto(lesson)
    await hydrated(plain)
    const frame = plain.getByRole('region', { name: 'Video: The film' })
    const ground = await styleOf(plain.locator('body'), 'background-color')
    const done = frame.locator('[data-seek] + div > .bg-spark')
    await expect(done).toBeAttached()
    const groove = done.locator('..')
    const [filled, empty] = await Promise.all(
      [done, groove].map((one) => styleOf(one, 'background-color')),
    )
    expect(new Set([filled, empty, ground]).size).toBe(3)
    // Its pictures have the colour of text, and so need the ground that text has.
    const bar = frame.getByRole('button', { name: 'Play' }).locator('../..')
    expect(await styleOf(bar, 'background-image')).toBe('none')
    expect(await styleOf(bar, 'background-color')).toBe(ground)
    const current = plain.locator('[data-lesson] [aria-current=page], a[aria-current=page]').first()
    expect(await styleOf(current, 'outline-style')).toBe('solid')
    const moonAndSun = plain.locator('[data-theme-toggle]').first().locator('span')
    await expect(moonAndSun.first()).toBeVisible()
    await expect(moonAndSun.last()).toBeHidden()

    await plain.goto('/settings/notifications')
    await hydrated(plain)
    const sign = plain.getByRole('checkbox', { checked: true }).first().locator('+ svg')
    expect(await styleOf(sign, 'stroke')).not.toBe(ground)
    await context.close()
  }

  // As a window of 1280 pixels is at 200 %.
  for (const large of [false, true]) {
    const viewport = large ? { width: 1280, height: 800 } : { width: 640, height: 400 }
    await page.setViewportSize(viewport)
    for (const path of [
      lesson,
      '/settings',
      `/create-lessons/${course.id}`,
      `/course/${course.slug}/dashboard?tab=discussion`,
      '/upgrade',
    ]) {
      await page.goto(path)
      await hydrated(page)
      if (large) await page.evaluate(() => (document.documentElement.style.fontSize = '200%'))
      await expectNoSidewaysScrolling(page)
    }
  }
})
