// The course form, its picture, prices and questions, and what is said before a course is published.
import type { Page } from '@playwright/test'
import sharp from 'sharp'
import {
  complaintsOf,
  expect,
  expectNoAxeViolations,
  hold,
  hydrated,
  meddle,
  publishedCourse,
  signedUp,
  test,
} from './journey.ts'
import { loseAnswer } from './lose-answer.ts'

const emptyQuestions =
  'All application questions must have content. Please fill in all questions or remove empty ones.'

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const descriptionOf = (page: Page) =>
  page.getByRole('textbox', { name: 'Description', exact: true })
const says = (page: Page, words: string) => page.getByText(words, { exact: true })

async function openForm(page: Page, path = '/create-course') {
  await page.goto(path)
  await hydrated(page)
  // The description's editor comes after the page.
  await expect(descriptionOf(page)).toBeVisible()
}

async function fillIn(page: Page, title: string) {
  await page.getByLabel('Title').fill(title)
  await page.getByLabel('Category').selectOption('Hobbies')
  await descriptionOf(page).click()
  await page.keyboard.type('How to tie what must hold.')
}

async function expectFitsPhones(page: Page) {
  const size = page.viewportSize()!
  await page.setViewportSize({ width: 375, height: 800 })
  await expect
    .poll(() =>
      page.evaluate(() =>
        [document.documentElement, ...document.querySelectorAll('dialog')]
          .map((part) => part.scrollWidth - part.clientWidth)
          .filter((pixels) => pixels !== 0),
      ),
    )
    .toEqual([])
  await page.setViewportSize(size)
}

const storedForm = async (page: Page, courseId: string) =>
  (await page.request.get(`/rest/v1/courses/${courseId}/form`)).json()
const storedQuestions = async (page: Page, courseId: string) =>
  (await (await page.request.get(`/rest/v1/courses/${courseId}/application-questions`)).json())
    .questions as { id: string; question: string; required: boolean }[]

async function draftOf(page: Page, title: string, more: object = {}): Promise<string> {
  const paragraph = { type: 'paragraph', content: [{ type: 'text', text: `About ${title}` }] }
  const made = await page.request.post('/rest/v1/courses', {
    data: {
      title,
      description: { type: 'doc', content: [paragraph] },
      category: 'Hobbies',
      ...more,
    },
  })
  expect(made.status()).toBe(200)
  return (await made.json()).id
}

test('every field says what is wrong with it, and what is right is saved', async ({ page }) => {
  const complaints = complaintsOf(page)
  await signedUp(page.request, 'Fia Form')
  await openForm(page)

  await button(page, 'Continue').click()
  for (const words of [
    'Course title is required',
    'Description is required',
    'Please choose a category',
  ]) {
    await expect(says(page, words)).toBeVisible()
  }
  await expect(page.getByLabel('Title')).toBeFocused()
  await expectNoAxeViolations(page)

  await page.getByLabel('Title').fill('x'.repeat(121))
  await page.getByLabel('Short description').fill('x'.repeat(301))
  await expect(says(page, 'Course title can have at most 120 characters')).toBeVisible()
  await expect(says(page, 'Short description can have at most 300 characters')).toBeVisible()

  await fillIn(page, '!!!')
  await page.getByLabel('Short description').fill('')
  await page.getByLabel('Level').selectOption('Advanced')
  await expectFitsPhones(page)
  await button(page, 'Continue').click()
  await expect(page).toHaveURL(/\/create-lessons\/[0-9a-f-]{36}$/)
  const id = page.url().split('/').at(-1)!
  expect(await storedForm(page, id)).toMatchObject({
    title: '!!!',
    // A title of nothing but symbols has no address of its own.
    slug: id,
    level: 'Advanced',
    category: 'Hobbies',
    pricingType: 'one_time',
    priceAmount: 2900,
    applicationRequired: false,
    thumbnailId: null,
  })
  expect(complaints).toEqual([])
})

test('a price: the default, the limits, and free again', async ({ page }) => {
  await signedUp(page.request, 'Pia Price')
  await openForm(page)
  await fillIn(page, 'Dear knots')
  const pricing = page.getByLabel('Pricing')
  const price = page.getByLabel('Price (USD)')
  await expect(pricing).toHaveValue('one_time')
  await expect(price).toHaveValue('29')
  await expect(says(page, 'Each member pays it once.')).toBeVisible()
  const share = page.getByRole('paragraph').filter({ hasText: 'You receive' })
  await expect(share).toContainText(
    'You receive $26.41 of each sale: $29.00 less our fee of 5% ($1.45) and card processing, typically 2.9% + $0.30 ($1.14).',
  )
  await expectNoAxeViolations(page)
  await expectFitsPhones(page)

  const least = 'Price must be at least $1'
  for (const [typed, problem] of [
    ['', least],
    ['much', least],
    ['0.99', least],
    ['-5', least],
    ['10000.01', 'Price can be at most $10,000'],
    ['19.999', 'Price can have at most two decimals'],
  ] as const) {
    await price.fill(typed)
    await button(page, 'Continue').click()
    await expect(says(page, problem), typed).toBeVisible()
    await expect(price).toHaveAttribute('aria-invalid', 'true')
    await expect(share).toHaveCount(0)
    await price.fill('1')
    await expect(says(page, problem)).toHaveCount(0)
    await expect(share).toContainText('You receive $0.62')
  }

  // Free forces 0, so that the next price starts at the default again.
  await pricing.selectOption('Free')
  await expect(price).toHaveCount(0)
  await pricing.selectOption('Monthly subscription')
  await expect(price).toHaveValue('29')
  await expect(says(page, 'Each member pays it every month.')).toBeVisible()
  await expect(share).toContainText('of each monthly payment')
  await price.fill('1,234.50')
  await pricing.selectOption('One-time payment')
  await expect(price).toHaveValue('1,234.50')
  await pricing.selectOption('Monthly subscription')
  await button(page, 'Continue').click()
  await expect(page).toHaveURL(/\/create-lessons\//)
  const id = page.url().split('/').at(-1)!
  expect(await storedForm(page, id)).toMatchObject({ pricingType: 'monthly', priceAmount: 123_450 })

  await openForm(page, `/create-course?courseId=${id}`)
  await expect(pricing).toHaveValue('monthly')
  await expect(price).toHaveValue('1234.50')
  await pricing.selectOption('Free')
  await button(page, 'Save and continue').click()
  await expect(page).toHaveURL(/\/create-lessons\//)
  expect(await storedForm(page, id)).toMatchObject({ pricingType: 'free', priceAmount: 0 })
})

test('questions are asked, worded, moved and removed, by keyboard as well', async ({ page }) => {
  const complaints = complaintsOf(page)
  await signedUp(page.request, 'Quin Question')
  const id = await draftOf(page, 'Asking')
  await openForm(page, `/create-course?courseId=${id}`)
  const question = (number: number) => page.getByLabel(`Question ${number}`, { exact: true })
  const required = (number: number) => page.getByLabel(`Required: Question ${number}`)
  await expect(question(1)).toHaveCount(0)
  await page.getByLabel('Require application').check()
  await expect(page.getByLabel('Application instructions')).toHaveValue(
    'Write anything here that will be displayed to the applicant.',
  )
  const usual = [
    ['Why are you interested in this course?', true],
    ['What do you hope to achieve by taking this course?', true],
    ['Do you have any prior experience in this subject?', false],
  ] as const
  for (const [index, [words, isRequired]] of usual.entries()) {
    await expect(question(index + 1)).toHaveValue(words)
    await expect(required(index + 1)).toBeChecked({ checked: isRequired })
  }
  await expectNoAxeViolations(page)
  await expectFitsPhones(page)

  await button(page, 'Add Question').press('Enter')
  await expect(question(4)).toBeFocused()
  await expect(required(4)).toBeChecked()
  await button(page, 'Save and continue').click()
  await expect(says(page, emptyQuestions)).toBeVisible()
  await expect(question(4)).toHaveAttribute('aria-invalid', 'true')
  await expect(question(4)).toBeFocused()
  await question(4).fill('x'.repeat(301))
  await expect(says(page, 'A question can have at most 300 characters')).toBeVisible()
  await expect(says(page, emptyQuestions)).toHaveCount(0)
  await question(4).fill('When?')
  await button(page, 'Move “Question 4” up').press('Enter')
  await expect(question(3)).toHaveValue('When?')
  await expect(button(page, 'Move “Question 3” up')).toBeFocused()
  await expect(page.getByText('Question 4 is now 3 of 4.')).toBeAttached()
  await required(3).press('Space')
  await button(page, 'Remove “Question 2”').press('Enter')
  await expect(question(2)).toHaveValue('When?')
  await expect(question(2)).toBeFocused()
  await page.getByLabel('Application instructions').fill('Tell us who you are.')
  await button(page, 'Save and continue').click()
  await expect(page).toHaveURL(/\/create-lessons\//)
  expect(await storedForm(page, id)).toMatchObject({
    applicationRequired: true,
    applicationInstructions: 'Tell us who you are.',
  })
  const first = await storedQuestions(page, id)
  expect(first).toMatchObject([
    { question: usual[0][0], required: true },
    { question: 'When?', required: false },
    { question: usual[2][0], required: false },
  ])

  // Changed later, what is the same question keeps its id.
  await openForm(page, `/create-course?courseId=${id}`)
  await question(2).fill('When exactly?')
  await button(page, 'Remove “Question 1”').click()
  await button(page, 'Remove “Question 2”').click()
  await expect(button(page, 'Remove “Question 1”')).toBeDisabled()
  await button(page, 'Save and continue').click()
  await expect(page).toHaveURL(/\/create-lessons\//)
  expect(await storedQuestions(page, id)).toEqual([{ ...first[1], question: 'When exactly?' }])
  expect(complaints).toEqual([])
})

test('questions that cannot be loaded leave the usual ones, and lose nothing', async ({
  page,
  thunder,
}) => {
  await signedUp(page.request, 'Lost Lou')
  const own = [{ question: 'Only this?', required: true }]
  const id = await draftOf(page, 'Lost questions', {
    applicationRequired: true,
    applicationQuestions: own,
  })
  const away = {
    change: 'alter table course_application_questions rename column question to gone',
    undo: 'alter table course_application_questions rename column gone to question',
  }
  await meddle(thunder, away, () => page.goto(`/create-course?courseId=${id}`))
  await hydrated(page)
  await expect(page.getByLabel('Question 1', { exact: true })).toHaveValue(
    'Why are you interested in this course?',
  )
  await expect(page.getByText('Your questions could not be loaded')).toBeVisible()
  await page.getByLabel('Title').fill('Found questions')
  await button(page, 'Save and continue').click()
  await expect(page).toHaveURL(/\/create-lessons\//)
  expect((await storedForm(page, id)).title).toBe('Found questions')
  expect(await storedQuestions(page, id)).toMatchObject(own)
})

test('two tabs that change different fields keep both changes', async ({ page, context }) => {
  await signedUp(page.request, 'Tab Tabea')
  const id = await draftOf(page, 'Two tabs')
  const other = await context.newPage()
  await openForm(page, `/create-course?courseId=${id}`)
  await openForm(other, `/create-course?courseId=${id}`)
  await page.getByLabel('Short description').fill('From one tab')
  await button(page, 'Save and continue').click()
  await expect(page).toHaveURL(/\/create-lessons\//)
  await other.getByLabel('Level').selectOption('Intermediate')
  await button(other, 'Save and continue').click()
  await expect(other).toHaveURL(/\/create-lessons\//)
  expect(await storedForm(page, id)).toMatchObject({
    shortDescription: 'From one tab',
    level: 'Intermediate',
  })
})

test('two tabs that change the description: the later one is told, and keeps its text', async ({
  page,
  context,
}) => {
  await signedUp(page.request, 'Tab Tobias')
  const id = await draftOf(page, 'Two texts')
  const other = await context.newPage()
  for (const tab of [page, other]) await openForm(tab, `/create-course?courseId=${id}`)
  for (const [tab, text] of [
    [page, ' from one tab'],
    [other, ' from another'],
  ] as const) {
    await descriptionOf(tab).focus()
    await expect(descriptionOf(tab)).toHaveAttribute('contenteditable', 'true')
    await tab.keyboard.press('End')
    await tab.keyboard.type(text)
  }
  await button(page, 'Save and continue').click()
  await expect(page).toHaveURL(/\/create-lessons\//)
  await button(other, 'Save and continue').click()
  await expect(
    other.getByText(/^The description was changed in another tab or by somebody else/),
  ).toBeVisible()
  await expect(descriptionOf(other)).toHaveText('About Two texts from another')
  expect(JSON.stringify((await storedForm(page, id)).description)).toContain('from one tab')
})

test('the editor of the description comes with the first sign of somebody', async ({ page }) => {
  await signedUp(page.request, 'Edda Editor')
  const id = await draftOf(page, 'Hitches')
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('rich-text-editor-surface')) asked.push(request.url())
  })
  await openForm(page, `/create-course?courseId=${id}`)
  const description = descriptionOf(page)
  await expect(description).toHaveText('About Hitches')
  await expectNoAxeViolations(page)
  expect(asked).toEqual([])

  await description.focus()
  await expect(description).toHaveAttribute('contenteditable', 'true')
  await expect(description).toBeFocused()
  await page.keyboard.press('End')
  await page.keyboard.type(' and bends')
  await expect(description).toHaveText('About Hitches and bends')
  expect(asked).not.toEqual([])
})

test('leaving with unsaved work is asked about', async ({ page }) => {
  const complaints = complaintsOf(page)
  await signedUp(page.request, 'Leo Leaver')
  await openForm(page)
  await page.getByLabel('Title').fill('Half written')
  await page.getByRole('link', { name: 'Cancel' }).click()
  const dialog = page.getByRole('alertdialog', { name: 'Leave without saving?' })
  await expect(dialog).toBeVisible()
  // The dialog has a form of its own, which must not lie in the form of the course.
  await expect(page.locator('form form')).toHaveCount(0)
  await dialog.getByRole('button', { name: 'Stay on this page' }).click()
  await expect(page.getByLabel('Title')).toHaveValue('Half written')
  await page.getByRole('link', { name: 'Cancel' }).click()
  await dialog.getByRole('button', { name: 'Leave without saving' }).click()
  await expect(page).toHaveURL(/\/dashboard$/)
  expect(complaints).toEqual([])
})

/** Red on top, blue below; nothing of it is 16:9. */
async function redOverBlue(): Promise<Buffer> {
  const half = (background: string) => ({
    create: { width: 400, height: 300, channels: 3 as const, background },
  })
  return sharp(half('#ff0000')).extend({ bottom: 300, background: '#0000ff' }).png().toBuffer()
}

const choose = (page: Page, buffer: Buffer, name = 'knot.png', mimeType = 'image/png') =>
  page.getByLabel('Choose an image').setInputFiles({ name, mimeType, buffer })

const thumbnailOf = (page: Page) => page.getByRole('img', { name: 'The thumbnail of this course' })

async function dominantOf(page: Page): Promise<'red' | 'blue' | 'both'> {
  const stored = await page.request.get((await thumbnailOf(page).getAttribute('src'))!)
  const { width, height } = await sharp(await stored.body()).metadata()
  expect([width, height]).toEqual([640, 360])
  const [red, , blue] = (await sharp(await stored.body()).stats()).channels
  if (red!.mean > 240 && blue!.mean < 15) return 'red'
  return red!.mean < 15 && blue!.mean > 240 ? 'blue' : 'both'
}

test('a thumbnail is cropped by keyboard and by pointer, kept, and taken away', async ({
  page,
}) => {
  const complaints = complaintsOf(page)
  await signedUp(page.request, 'Cleo Crop')
  const id = await draftOf(page, 'Pictured')
  await openForm(page, `/create-course?courseId=${id}`)
  await expect(says(page, 'Without one, the course gets a default picture.')).toBeVisible()
  const dialog = page.getByRole('dialog', { name: 'Crop your picture' })

  await choose(page, await redOverBlue())
  await expect(dialog.getByLabel('Zoom')).toBeFocused()
  await expect(dialog.getByLabel('Left to right')).toBeDisabled()
  await dialog.getByLabel('Top to bottom').press('End')
  // Enter on a slider sends no form.
  await dialog.getByLabel('Top to bottom').press('Enter')
  await expect(dialog).toBeVisible()
  await expectNoAxeViolations(page)
  await expectFitsPhones(page)
  await dialog.getByRole('button', { name: 'Save picture' }).press('Enter')
  await expect(thumbnailOf(page)).toBeVisible()
  expect(await dominantOf(page)).toBe('blue')

  await button(page, 'Replace').click()
  await choose(page, await redOverBlue())
  const box = (await dialog.locator('img').locator('..').boundingBox())!
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2 + 700, { steps: 5 })
  await page.mouse.up()
  await expect(dialog.getByLabel('Top to bottom')).toHaveValue('0')
  const before = await thumbnailOf(page).count()
  expect(before).toBe(0)
  await dialog.getByRole('button', { name: 'Save picture' }).click()
  await expect(thumbnailOf(page)).toBeVisible()
  expect(await dominantOf(page)).toBe('red')
  await button(page, 'Save and continue').click()
  await expect(page).toHaveURL(/\/create-lessons\//)
  expect((await storedForm(page, id)).thumbnailId).toEqual(expect.any(String))

  await openForm(page, `/create-course?courseId=${id}`)
  await expect(thumbnailOf(page)).toBeVisible()
  await button(page, 'Remove').click()
  await expect(page.getByLabel('Choose an image')).toBeAttached()
  await button(page, 'Save and continue').click()
  await expect(page).toHaveURL(/\/create-lessons\//)
  expect((await storedForm(page, id)).thumbnailId).toBeNull()
  expect(complaints).toEqual([])
})

test('a thumbnail that is none, too large or damaged is refused with words', async ({ page }) => {
  await signedUp(page.request, 'Nils Nopicture')
  await openForm(page)
  await choose(page, Buffer.from('%PDF-1.7'), 'knot.pdf', 'application/pdf')
  const problem = page.getByRole('alert')
  await expect(problem).toHaveText('Please upload an image file (PNG, JPG, GIF or WebP)')
  await choose(page, Buffer.alloc(10 * 1024 * 1024 + 1), 'knot.jpg', 'image/jpeg')
  await expect(problem).toHaveText(
    'Image file is too large. Please upload a file smaller than 10MB.',
  )
  await expectNoAxeViolations(page)
  await choose(page, (await redOverBlue()).subarray(0, 60))
  const dialog = page.getByRole('dialog', { name: 'Crop your picture' })
  await expect(dialog.getByRole('alert')).toHaveText(
    'This image file is damaged. Please save it again and upload the new file.',
  )
  await expect(dialog.getByRole('button', { name: 'Save picture' })).toBeDisabled()
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await choose(page, await redOverBlue())
  await dialog.getByRole('button', { name: 'Save picture' }).click()
  await expect(thumbnailOf(page)).toBeVisible()
})

test('a form keeps what was typed when a part of it does not come, and is locked while it is saved', async ({
  page,
}) => {
  await signedUp(page.request, 'Lena Locked')
  await openForm(page)
  await fillIn(page, 'Half hitch')
  await page.route(/picture-cropper/, (route) => route.abort())
  await choose(page, await redOverBlue())
  await expect(page.getByText('This could not be loaded.').first()).toBeVisible()
  const title = page.getByLabel('Title')
  await expect(title).toHaveValue('Half hitch')
  await expect(page.getByLabel('Choose an image')).toBeAttached()

  const { held, letGo } = await hold(page, /\/rest\/v1\/courses$/)
  await title.press('Enter')
  await expect.poll(() => held.length).toBe(1)
  await title.focus()
  await expect(title).not.toBeFocused()
  await expect(button(page, 'Creating...')).toBeFocused()
  letGo()
  await expect(page).toHaveURL(/\/create-lessons\//)
})

test('a new course whose answer is lost is made once, and Back does not lead to a form that is over', async ({
  page,
}) => {
  await signedUp(page.request, 'Lotte Lostanswer')
  await page.goto('/dashboard')
  await hydrated(page)
  await openForm(page)
  await fillIn(page, 'Made once')
  const calls = '**/rest/v1/courses'
  await loseAnswer(page, 'POST', () => button(page, 'Continue').click(), calls)
  await expect(says(page, 'Failed to create course. Please try again.')).toBeVisible()
  // What programs read in such a case says nothing to people.
  const refusal = {
    defined: false,
    status: 409,
    code: 'IDEMPOTENCY_IN_FLIGHT',
    message: 'A request with this Idempotency-Key …',
  }
  for (const [answer, words] of [
    [{ status: 409, json: refusal }, 'This is still under way. Please try again in a moment.'],
    [{ status: 502, body: 'No server is ready.' }, 'Failed to create course. Please try again.'],
  ] as const) {
    await page.route(calls, (route) => route.fulfill(answer))
    await button(page, 'Continue').click()
    await expect(says(page, words)).toBeVisible()
    await page.unroute(calls)
  }
  await button(page, 'Continue').click()
  await expect(page).toHaveURL(/\/create-lessons\//)
  await page.goBack()
  await expect(page).toHaveURL('/dashboard')
  const { created } = await (await page.request.get('/rest/v1/dashboard')).json()
  expect(created.map(({ title }: { title: string }) => title)).toEqual(['Made once'])
})

test('a price whose answer was lost, and that is put back, is put back at the server too', async ({
  page,
}) => {
  await signedUp(page.request, 'Petra Putback')
  const id = await draftOf(page, 'Ten again', { pricingType: 'one_time', priceAmount: 1000 })
  await openForm(page, `/create-course?courseId=${id}`)
  const price = page.getByLabel('Price (USD)')
  await price.fill('20')
  const save = () => button(page, 'Save and continue').click()
  await loseAnswer(page, 'PATCH', save, `**/rest/v1/courses/${id}`)
  await expect(says(page, 'Failed to create course. Please try again.')).toBeVisible()
  expect(await storedForm(page, id)).toMatchObject({ priceAmount: 2000 })
  await price.fill('10')
  await save()
  await expect(page).toHaveURL(/\/create-lessons\//)
  expect(await storedForm(page, id)).toMatchObject({ pricingType: 'one_time', priceAmount: 1000 })
})

test('a picture that could not be uploaded keeps the form from being saved without it', async ({
  page,
}) => {
  await signedUp(page.request, 'Fay Ledpicture')
  await openForm(page)
  await fillIn(page, 'Seen by nobody')
  await page.route('**/storage/v1/uploads', (route) =>
    route.fulfill({ status: 403, body: 'No more.' }),
  )
  await choose(page, await redOverBlue())
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Save picture' }).click()
  await expect(button(page, 'Remove')).toBeVisible()
  await button(page, 'Continue').click()
  await expect(says(page, 'Please resolve all upload errors before saving.')).toBeVisible()
  await expect(page).toHaveURL('/create-course')
  await button(page, 'Remove').click()
  await button(page, 'Continue').click()
  await expect(page).toHaveURL(/\/create-lessons\//)
})

test('before publishing it is said what is missing, and where it is mended', async ({ page }) => {
  const complaints = complaintsOf(page)
  await signedUp(page.request, 'Pub Lisher')
  const id = await draftOf(page, 'Nearly there', { pricingType: 'one_time', priceAmount: 500 })
  await page.goto(`/create-lessons/${id}`)
  await hydrated(page)
  const dialog = page.getByRole('dialog')
  const lesson = `Left over right, ${'then over and under '.repeat(4)}, and pull`
  const needed = dialog.getByRole('list', { name: 'Needed' })
  const advice = dialog.getByRole('list', { name: 'A good course also has' })

  await button(page, 'Publish').click()
  // A new course starts with a lesson that has no title, which would not be saved.
  const notYet = page.getByRole('dialog', { name: 'Not ready to publish' })
  await expect(notYet).toBeVisible()
  await expect(needed).toContainText('Add at least one lesson before you publish this course.')
  await expect(advice.getByRole('listitem')).toHaveCount(3)
  await expect(button(page, 'Publish course')).toHaveCount(0)
  await expectNoAxeViolations(page)
  await expectFitsPhones(page)
  await needed.getByRole('button', { name: 'Add a lesson' }).click()
  await expect(dialog).toHaveCount(0)

  await expect(page.getByRole('heading', { name: 'Edit Course Content' })).toBeVisible()
  await page.getByLabel('Lesson title').fill(lesson)
  await button(page, 'Publish').click()
  await expect(page.getByRole('dialog', { name: 'Publish this course?' })).toBeVisible()
  await expect(needed).toContainText('It has 1 lesson')
  await expect(dialog).toContainText('You receive $4.30 of each sale')
  await expect(advice).toContainText('Text, a video or a link in every lesson; one has none')
  await expectNoAxeViolations(page)
  await expectFitsPhones(page)
  await advice.getByRole('button', { name: lesson }).click()
  await expect(dialog).toHaveCount(0)
  await expect(page.getByLabel('Lesson title')).toBeVisible()

  await button(page, 'Publish').click()
  const calls = /\/publish$/
  await page.route(calls, (route) => route.abort())
  await button(page, 'Publish course').click()
  await expect(dialog.getByRole('alert')).toHaveText('Failed to publish course. Please try again.')
  await page.unroute(calls)
  await button(page, 'Publish course').click()
  await expect(page.getByText('Your course is published')).toBeVisible()
  await expect(button(page, 'Unpublish')).toBeVisible()

  await openForm(page, `/create-course?courseId=${id}`)
  await page.getByLabel('Price (USD)').fill('7')
  await button(page, 'Save and continue').click()
  await expect(page).toHaveURL(/\/create-lessons\//)
  expect((await storedForm(page, id)).priceAmount).toBe(700)
  expect(complaints).toEqual([])
})

test('the limit is said where the form is closed, and own courses stay open', async ({ page }) => {
  await signedUp(page.request, 'Lim Limit')
  const { id } = await publishedCourse(page.request, 'The only one')
  await page.goto('/create-course')
  await expect(
    says(page, 'Free plan users can create up to 1 course. You have reached this limit.'),
  ).toBeVisible()
  await hydrated(page)
  await expect(page.getByLabel('Title')).toBeDisabled()
  await expect(page.getByLabel('Pricing')).toBeDisabled()
  await expect(page.getByLabel('Require application')).toBeDisabled()
  await expect(button(page, 'Continue')).toBeDisabled()
  await expectNoAxeViolations(page)
  await openForm(page, `/create-course?courseId=${id}`)
  await expect(page.getByLabel('Title')).toBeEnabled()
})
