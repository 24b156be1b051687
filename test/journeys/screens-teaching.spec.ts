// What the screens of teaching say: the form of a course, the editor of its content, and uploads that do not arrive.
import type { Locator, Page } from '@playwright/test'
import sharp from 'sharp'
import { categories } from '../../src/domains/courses/rules.ts'
import type { Services } from '../../src/server/services.ts'
import { makeCourse } from '../factories.ts'
import { whileFailing } from './failing-call.ts'
import { expect, hydrated, meddle, test } from './journey.ts'
import {
  addFilm,
  addThumbnail,
  button,
  enter,
  expectThumbnail,
  furnish,
  heading,
  link,
  main,
  makeBread,
  makeSomebody,
  pageOf,
  summary,
  unplayable,
  unplayableFilm,
} from './screens-world.ts'

async function creators(services: Services) {
  const cora = await makeSomebody(services, 'Cora Maker')
  const ed = await makeSomebody(services, 'Ed Itor')
  const newt = await makeSomebody(services, 'Newt Newcomer')

  const bread = await makeBread(services, cora)
  await addThumbnail(services, cora, bread)

  const edited = await makeCourse(services, ed, {
    title: 'Knots to Revise',
    category: 'Hobbies',
    shortDescription: 'For wet hands.',
    description: 'Ropes.',
    chapters: [
      { title: 'First knots', lessons: [{ title: 'Reef knot' }, { title: 'Bowline' }] },
      { title: 'Later knots', lessons: [{ title: 'Sheet bend' }] },
    ],
  })
  await addFilm(services, ed, edited, 'reef-knot', unplayableFilm)
  return { cora, ed, newt, bread, edited }
}

let made: Awaited<ReturnType<typeof creators>>
test.beforeAll(async ({ thunder }) => {
  made = await furnish(thunder, creators)
})

test('the form of a new course', async ({ page, thunder }) => {
  const { newt } = made
  await enter(page.context(), newt, thunder.url)

  await test.step('is closed while nobody knows whether it may be sent', async () => {
    // The query of the check cannot be answered for the moment.
    const broken = {
      change: 'alter table courses rename column instructor_id to renamed',
      undo: 'alter table courses rename column renamed to instructor_id',
    }
    await meddle(thunder, broken, () => page.goto('/create-course'))
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Course Information')
    await expect(
      page.getByText('We could not check whether you may create another course.'),
    ).toBeVisible()
    await hydrated(page)
    await expect(page.getByLabel('Title')).toBeDisabled()
    await expect(page.getByLabel('Category')).toBeDisabled()
    await expect(button(page, 'Continue')).toBeDisabled()
    await link(main(page), 'Try again').click()
    await expect(page.getByLabel('Title')).toBeEnabled()
  })

  await test.step('says what it is, and lets people go', async () => {
    await expect(page.getByText('Step 1 of 2', { exact: true })).toBeVisible()
    await expect(page.getByText('PNG, JPG, GIF up to 10MB', { exact: true })).toBeVisible()
    await expect(page.getByLabel('Category').getByRole('option')).toHaveText([
      'Select a category',
      ...categories,
    ])
    await expect(link(main(page), 'Cancel')).toHaveAttribute('href', '/dashboard')
    await hydrated(page)
    await link(main(page), 'Back to Dashboard').click()
    await expect(page).toHaveURL(/\/dashboard$/)
    await page.goto('/create-course')
  })

  /** The same form elsewhere, opened while there is no course yet. */
  const second = await pageOf(page, thunder, newt)
  await second.goto('/create-course')
  const fillIn = async (tab: Page) => {
    await hydrated(tab)
    await tab.getByLabel('Title').fill('A Course of Newt')
    await tab.getByLabel('Category').selectOption('Gardening')
  }
  const describe = async (tab: Page) => {
    await tab.getByRole('textbox', { name: 'Description', exact: true }).click()
    await tab.keyboard.type('Where pots go.')
  }

  await test.step('wants a description', async () => {
    await fillIn(page)
    await button(page, 'Continue').click()
    await expect(page.getByText('Description is required', { exact: true })).toBeVisible()
    await expect(page.getByRole('textbox', { name: 'Description', exact: true })).toHaveAttribute(
      'aria-invalid',
      'true',
    )
  })

  await test.step('that could not be sent says so, and can be sent again', async () => {
    await describe(page)
    const calls = /\/rest\/v1\/courses$/
    await page.route(calls, (route) => route.abort())
    await button(page, 'Continue').click()
    await expect(main(page).getByRole('alert')).toContainText(
      'Failed to create course. Please try again.',
    )
    await expect(page.getByLabel('Title')).toHaveValue('A Course of Newt')
    await page.unroute(calls)
    await button(page, 'Continue').click()
    await expect(page).toHaveURL(/\/create-lessons\//)
  })

  await test.step('refused by the server says why', async () => {
    await fillIn(second)
    await describe(second)
    await button(second, 'Continue').click()
    await expect(main(second).getByRole('alert')).toContainText(
      'Free plan users can create up to 1 course. You have reached this limit.',
    )
  })
})

test('the form of a course that exists', async ({ page, thunder }) => {
  const { cora, bread } = made
  await enter(page.context(), cora, thunder.url)
  // Her plan is used up; what she has stays hers to edit.
  await page.goto('/create-course')
  await expect(main(page).getByText('You have reached this limit.')).toBeVisible()
  await page.goto(`/create-course?courseId=${bread.id}`)
  await hydrated(page)
  await expect(main(page).getByText('You have reached this limit.')).toHaveCount(0)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Course Information')
  await expect(page.getByText('Step 1 of 2', { exact: true })).toBeVisible()
  await expect(page.getByLabel('Title')).toHaveValue('Bread for Two')
  await expect(page.getByLabel('Short description')).toHaveValue(summary)
  await expect(page.getByLabel('Category')).toHaveValue('Cooking')
  await expect(page.getByRole('textbox', { name: 'Description', exact: true })).toHaveText(
    'You need flour, water, salt and time.',
  )
  await expectThumbnail(page.getByAltText('The thumbnail of this course'))
  await expect(button(page, 'Save and continue')).toBeEnabled()
  await link(main(page), 'Cancel').click()
  await expect(page).toHaveURL(/\/dashboard$/)
})

test('the editor of chapters and lessons', async ({ page, thunder }) => {
  const { ed, edited } = made
  await enter(page.context(), ed, thunder.url)
  await page.goto(`/create-lessons/${edited.id}`)
  await hydrated(page)
  const first = page.getByRole('region', { name: 'First knots' })
  const later = page.getByRole('region', { name: 'Later knots' })
  const removal = (within: Locator) => within.getByRole('button', { name: /^Remove “/ })
  const remove = async (within: Page | Locator, name: string, confirm: string) => {
    await button(within, `Remove “${name}”`).click()
    await button(page.getByRole('alertdialog'), confirm).click()
  }

  await test.step('says what it is, and lets people go', async () => {
    await expect(
      page.getByText('Update your course chapters and lessons', { exact: true }),
    ).toBeVisible()
    await expect(heading(page, 'Course Structure')).toBeVisible()
    await expect(link(main(page), 'Back to Dashboard')).toHaveAttribute('href', '/dashboard')
    await link(main(page), 'Cancel').click()
    await expect(page).toHaveURL(/\/dashboard$/)
    await page.goBack()
    await hydrated(page)
  })

  await test.step('chapters and lessons open and close', async () => {
    const chapter = first.getByRole('button', { name: /^First knots/ })
    const lesson = first.getByRole('button', { name: /^Reef knot/ })
    const text = page.getByRole('textbox', { name: 'Lesson content' })
    await expect(chapter).toHaveAttribute('aria-expanded', 'true')
    await lesson.click()
    await expect(text).toBeVisible()
    await expect.poll(async () => (await text.boundingBox())?.height).toBeGreaterThanOrEqual(150)
    await lesson.click()
    await expect(text).toBeHidden()
    await chapter.click()
    await expect(lesson).toBeHidden()
    await expect(chapter).toHaveAttribute('aria-expanded', 'false')
    await chapter.click()
    await expect(lesson).toBeVisible()
  })

  await test.step('lists are at most eight levels deep', async () => {
    await first.getByRole('button', { name: /^Bowline/ }).click()
    const text = page.getByRole('textbox', { name: 'Lesson content' })
    await text.click()
    const tools = page.getByRole('toolbar', { name: 'Lesson content: formatting' })
    await button(tools, 'Bullet list').click()
    for (let level = 1; level <= 10; level++) {
      await page.keyboard.type(`${level}`)
      await page.keyboard.press('Enter')
      await page.keyboard.press('Tab')
    }
    await expect(text.locator('ul')).toHaveCount(8)
    await expect(text.locator('ul ul ul ul ul ul ul ul')).toHaveCount(1)
    await first.getByRole('button', { name: /^Bowline/ }).click()
  })

  await test.step('titles are required', async () => {
    const title = page.getByLabel('Chapter title').first()
    await title.fill('')
    await title.blur()
    await expect(page.getByText('Chapter title is required', { exact: true })).toBeVisible()
    await title.fill('First knots')
    await expect(page.getByText('Chapter title is required')).toHaveCount(0)
    await first.getByRole('button', { name: /^Reef knot/ }).click()
    await page.getByLabel('Lesson title').fill('')
    await page.getByLabel('Lesson title').blur()
    await expect(page.getByText('Lesson title is required', { exact: true })).toBeVisible()
  })

  await test.step('what would be dropped is asked about first', async () => {
    await button(page, 'Save Changes').click()
    const question = page.getByRole('alertdialog', { name: 'Save without these?' })
    await expect(question.getByRole('listitem')).toHaveText(
      'The untitled lesson 1 of “First knots”',
    )
    await button(question, 'Go back').click()
    await expect(question).toBeHidden()
    await page.getByLabel('Lesson title').fill('Reef knot')
  })

  const videosNow = async () => {
    const content = await (await page.request.get(`/rest/v1/courses/${edited.id}/content`)).json()
    return content.chapters[0].lessons.map(({ video }: { video: unknown }) => video !== null)
  }
  await test.step('a removed video goes with the next save', async () => {
    expect(await videosNow()).toEqual([true, false])
    await button(first, 'Remove video').click()
    await expect(
      first.getByText('MP4, WebM, OGG, AVI, MOV up to 50MB', { exact: true }),
    ).toBeVisible()
    expect(await videosNow()).toEqual([true, false])
  })

  await test.step('the last lesson of a chapter and the last chapter stay', async () => {
    // One for the chapter, none for its only lesson.
    await expect(removal(later)).toHaveCount(1)
    await expect(button(later, 'Remove “Sheet bend”')).toHaveCount(0)
    await remove(first, 'Bowline', 'Remove lesson')
    await expect(button(first, 'Remove “Reef knot”')).toHaveCount(0)
    await remove(later, 'Later knots', 'Remove chapter')
    await expect(later).toHaveCount(0)
    await expect(removal(first)).toHaveCount(0)
  })

  await test.step('a save that did not arrive says so, and works the next time', async () => {
    const calls = '**/rest/v1/courses/*/content'
    const saysSo = async () => {
      const sent = page.waitForRequest(calls)
      await button(page, 'Save Changes').click()
      // The alert of the time before goes with the press; none comes where it does not fail.
      await (await sent).response()
      await expect(main(page).getByRole('alert')).toHaveText(
        'Failed to save course. Please try again.',
      )
    }
    await page.route(calls, (route) =>
      route.request().method() === 'PUT' ? route.abort() : route.fallback(),
    )
    await saysSo()
    await page.unroute(calls)
    await whileFailing(page, ['PUT', calls], saysSo)
    await button(page, 'Save Changes').click()
    await expect(page).toHaveURL(/\/dashboard$/)
    expect(await videosNow()).toEqual([false])
  })
})

/** When this page began to upload, again and again; none of it arrives. */
async function refuseUploads(page: Page): Promise<number[]> {
  const attempts: number[] = []
  await page.route('**/storage/v1/uploads', (route) => {
    attempts.push(performance.now())
    return route.abort()
  })
  return attempts
}

test('an upload that does not arrive is tried three times', async ({ page, thunder }) => {
  const { cora, bread } = made
  const picture = await sharp({
    create: { width: 32, height: 18, channels: 3, background: '#334455' },
  })
    .png()
    .toBuffer()
  await enter(page.context(), cora, thunder.url)
  const form = await pageOf(page, thunder, cora)
  await page.goto(`/create-lessons/${bread.id}`)
  await form.goto(`/create-course?courseId=${bread.id}`)
  await Promise.all([hydrated(page), hydrated(form)])
  const ofVideo = await refuseUploads(page)
  const ofPicture = await refuseUploads(form)

  await main(page)
    .getByRole('button', { name: /^Heat it/ })
    .click()
  await page
    .getByLabel('Choose a video')
    .setInputFiles({ name: 'heat.avi', mimeType: 'video/x-msvideo', buffer: unplayable })
  await button(form, 'Replace').click()
  await form
    .getByLabel('Choose an image')
    .setInputFiles({ name: 'bread.png', mimeType: 'image/png', buffer: picture })
  await button(form, 'Save picture').click()

  await expect(page.getByText('Failed to upload video. Please try again.')).toBeVisible()
  await expect(form.getByText('Failed to upload file after multiple attempts')).toBeVisible()
  for (const attempts of [ofVideo, ofPicture]) {
    expect(attempts).toHaveLength(3)
    // Seconds between them: 1, 2. This process may hear late of any of them, so only the whole of it is looked at.
    const whole = attempts[2]! - attempts[0]!
    expect(whole).toBeGreaterThan(2000)
    expect(whole).toBeLessThan(30_000)
  }
  await expect(button(page, 'Retry')).toBeVisible()
})
