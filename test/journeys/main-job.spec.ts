// What Thunder is for, from one end to the other: a creator makes a course with a real video, a second
// person finds it, joins, watches, comes back to the same second, and finishes.
import type { Locator, Page } from '@playwright/test'
import sharp from 'sharp'
import {
  complaintsOf,
  expect,
  expectNoAxeViolations,
  hydrated,
  logInHere,
  newcomer,
  sendSlowly,
  signUpHere,
  somebodyElse,
  test,
  writeVideo,
} from './journey.ts'

test.setTimeout(600_000)

const creator = newcomer('Ada Baker')
const learner = newcomer('Lin Reader')
const title = 'Bread Without a Machine'
const slug = 'bread-without-a-machine'
const summary = 'Four ingredients, one evening, no machine.'

/** A picture as somebody might have it. */
const picture = () =>
  sharp({ create: { width: 1600, height: 900, channels: 3, background: '#b5651d' } })
    .jpeg()
    .toBuffer()

/** A lesson or chapter of the editor, by its name. */
const toggle = (page: Page, name: string | RegExp) =>
  page.getByRole('main').getByRole('button', { name }).first()

/** Writes one piece of every format that the toolbar has. */
async function writeEveryFormat(page: Page, editor: Locator, label: string) {
  const toolbar = page.getByRole('toolbar', { name: `${label}: formatting` })
  const press = (tool: string) => toolbar.getByRole('button', { name: tool, exact: true }).click()
  const type = (text: string) => page.keyboard.type(text)
  const enter = async (times = 1) => {
    for (let pressed = 0; pressed < times; pressed++) await page.keyboard.press('Enter')
  }

  await editor.click()
  for (const [tool, words] of [
    ['Heading 1', 'Large heading'],
    ['Heading 2', 'Middle heading'],
    ['Heading 3', 'Small heading'],
  ] as const) {
    await press(tool)
    await type(words)
    await enter()
  }
  for (const [tool, words] of [
    ['Bold', 'strong words'],
    ['Italic', 'slanted words'],
    ['Underline', 'underlined words'],
    ['Strikethrough', 'struck words'],
  ] as const) {
    await press(tool)
    await type(words)
    await press(tool)
    await type(' ')
  }
  await press('Link')
  const linkPanel = page.getByRole('dialog', { name: 'Add link' })
  await linkPanel.getByLabel('Text').fill('a link in the text')
  await linkPanel.getByLabel('Address').fill('example.com/flour')
  await linkPanel.getByRole('button', { name: 'Add link' }).click()
  await expect(linkPanel).toBeHidden()
  await expect(editor).toBeFocused()
  await page.keyboard.press('End')
  await enter()
  await press('Ordered list')
  await type('first step')
  await enter()
  await type('second step')
  await enter(2)
  await press('Bullet list')
  await type('a point')
  await enter(2)
  await press('Blockquote')
  await type('a quotation')
  await enter(2)
  await press('Code block')
  await type('flour + water')
  await page.keyboard.press('ArrowDown')
  await press('Bold')
  await type('plain again')
  await page.keyboard.press('Shift+Home')
  await press('Clear formatting')
}

async function expectEveryFormat(text: Locator) {
  for (const heading of ['Large heading', 'Middle heading', 'Small heading']) {
    await expect(text.getByRole('heading', { name: heading })).toBeVisible()
  }
  await expect(text.locator('strong')).toHaveText('strong words')
  await expect(text.locator('em')).toHaveText('slanted words')
  await expect(text.locator('u')).toHaveText('underlined words')
  await expect(text.locator('s')).toHaveText('struck words')
  await expect(text.locator('ol > li')).toHaveText(['first step', 'second step'])
  await expect(text.locator('ul > li')).toHaveText(['a point'])
  await expect(text.locator('blockquote')).toHaveText('a quotation')
  await expect(text.locator('pre code')).toHaveText('flour + water')
  await expect(text.getByText('plain again')).toBeVisible()
  const link = text.getByRole('link', { name: 'a link in the text' })
  await expect(link).toHaveAttribute('href', 'https://example.com/flour')
}

const secondsOf = (video: Locator) =>
  video.evaluate((element) => (element as HTMLVideoElement).currentTime)

/** Seeks and waits until the server has remembered it. */
async function leaveAt(page: Page, video: Locator, seconds: number) {
  const saved = page.waitForResponse(
    (response) =>
      response.url().endsWith('/position') &&
      response.request().postDataJSON().seconds === seconds &&
      response.ok(),
  )
  await video.evaluate((element, to) => {
    const player = element as HTMLVideoElement
    player.pause()
    player.currentTime = to
  }, seconds)
  await saved
}

test('a creator teaches, a learner finishes', async ({ browser, page, thunder }) => {
  const complaints = complaintsOf(page)
  let courseId = ''
  let videoUrl = ''
  const visitor = await somebodyElse(browser, { baseURL: thunder.url })

  await test.step('the creator signs up and is in the flagship course', async () => {
    await page.goto('/')
    await page.getByRole('link', { name: 'Create your free account' }).first().click()
    await hydrated(page)
    await expectNoAxeViolations(page)
    await signUpHere(page, creator)
    await expect(page).toHaveURL(/\/dashboard$/)
    await expect(page.getByRole('heading', { level: 1 })).toContainText(creator.name)
    const mine = page.getByRole('region', { name: 'My Courses' })
    await expect(mine.getByRole('link', { name: 'Thunder Bootcamp', exact: true })).toBeVisible()
    await expect(page.getByText('No courses yet')).toBeVisible()
    await expectNoAxeViolations(page)
  })

  await test.step('the flagship course can be taken', async () => {
    await page.getByRole('link', { name: 'Thunder Bootcamp' }).first().click()
    await expect(page).toHaveURL(/\/course\/thunder-bootcamp\/dashboard$/)
    await expect(page.getByText('Get Started')).toBeVisible()
    await page.getByRole('link', { name: 'Continue', exact: true }).click()
    await expect(page.locator('video')).toHaveJSProperty('error', null)
  })

  await test.step('the creator makes a course', async () => {
    await page.goto('/dashboard')
    await page.getByRole('link', { name: 'Create Course' }).first().click()
    await expect(page.getByRole('heading', { name: 'Course Information', level: 1 })).toBeVisible()
    await hydrated(page)
    await page.getByLabel('Title').fill(title)
    await page.getByLabel('Short description').fill(summary)
    const description = page.getByRole('textbox', { name: 'Description', exact: true })
    await description.click()
    await page.keyboard.type('You need flour, water, salt and time.')
    await page.getByLabel('Category').selectOption('Cooking')
    await page.getByLabel('Pricing').selectOption('Free')
    await page
      .getByLabel('Choose an image')
      .setInputFiles({ name: 'bread.jpg', mimeType: 'image/jpeg', buffer: await picture() })
    await page.getByRole('button', { name: 'Save picture' }).click()
    await expect(page.getByRole('img', { name: 'The thumbnail of this course' })).toBeVisible()
    await expectNoAxeViolations(page)
    await page.getByRole('button', { name: 'Continue', exact: true }).click()
    await expect(page).toHaveURL(/\/create-lessons\/[0-9a-f-]{36}$/)
    courseId = page.url().split('/').at(-1) ?? ''
  })

  await test.step('two chapters with three lessons, text in every format', async () => {
    await expect(page.getByRole('heading', { name: 'Edit Course Content' })).toBeVisible()
    await hydrated(page)
    await page.getByLabel('Chapter title').fill('The dough')
    await page.getByLabel('Lesson title').fill('Mix by hand')
    const editor = page.getByRole('textbox', { name: 'Lesson content' })
    await writeEveryFormat(page, editor, 'Lesson content')
    await expectEveryFormat(editor)
    await page.getByRole('button', { name: 'Add Link' }).click()
    await page.getByLabel('Link title').fill('The best flour')
    await page.getByLabel('Link URL').fill('https://example.com/best-flour')
    await page.getByLabel('Link description').fill('Where we buy ours')
    await page.getByRole('button', { name: 'Add Lesson' }).click()
    await expect(page.getByLabel('Lesson title').last()).toBeFocused()
    await page.keyboard.type('Let it rest')
    await page.getByRole('button', { name: 'Add Chapter' }).click()
    await expect(page.getByLabel('Chapter title').last()).toBeFocused()
    await page.keyboard.type('The oven')
    const second = page.getByRole('region', { name: 'The oven' })
    await expect(second).toBeVisible()
    if ((await second.getByLabel('Lesson title').count()) === 0) {
      await second.getByRole('button', { name: 'Add Lesson' }).click()
    }
    await second.getByLabel('Lesson title').fill('Bake it dark')
  })

  await test.step('a real video goes up, with a bar that moves', async () => {
    const path = test.info().outputPath('lesson.mp4')
    await writeVideo(path, 4 * 1024 * 1024)
    const sendAtOnce = await sendSlowly(page, 100 * 1024)
    await page.getByLabel('Choose a video').first().setInputFiles(path)
    const bar = page.getByRole('progressbar', { name: 'lesson.mp4' })
    const percent = () => bar.evaluate((element) => (element as HTMLProgressElement).value)
    await expect.poll(percent, { intervals: [100] }).toBeGreaterThan(0)
    const first = await percent()
    await expect.poll(percent, { intervals: [100] }).toBeGreaterThan(first)
    await expect(page.getByText(/ of 4\.\d MB · .*\/s/)).toBeVisible()
    // A part of a video is no video yet.
    await page.getByRole('button', { name: 'Save Changes' }).click()
    await expect(
      page.getByText('Please wait for all video uploads to complete before saving.').first(),
    ).toBeVisible()
    await sendAtOnce()
    const preview = page.getByLabel('Preview of lesson.mp4')
    await expect(preview).toBeVisible()
    videoUrl = (await preview.getAttribute('src')) ?? ''
    await expectNoAxeViolations(page)
  })

  await test.step('saved, it is a draft that nobody else sees', async () => {
    await page.getByRole('button', { name: 'Save Changes' }).click()
    await expect(page).toHaveURL(/\/dashboard$/)
    const created = page.getByRole('region', { name: 'Courses You Created' })
    await expect(created.getByRole('article').filter({ hasText: title })).toContainText('Draft')
    await expect(
      page
        .getByRole('region', { name: 'My Courses' })
        .getByRole('link', { name: title, exact: true }),
    ).toBeVisible()

    const hidden = await visitor.page.goto(`/course/${slug}`)
    expect(hidden?.status()).toBe(404)
    await expect(visitor.page.getByRole('heading', { name: 'Course not found' })).toBeVisible()
    await expectNoAxeViolations(visitor.page)
    await visitor.page.goto(`/explore?search=${encodeURIComponent(title)}`)
    await expect(visitor.page.getByRole('heading', { name: 'Explore All Courses' })).toBeVisible()
    await expect(visitor.page.getByRole('link', { name: title, exact: true })).toHaveCount(0)
  })

  await test.step('published, it has an address', async () => {
    await page.goto(`/create-lessons/${courseId}`)
    await hydrated(page)
    // What was saved is all there.
    await toggle(page, /^Mix by hand/).click()
    await expectEveryFormat(page.getByRole('textbox', { name: 'Lesson content' }))
    await page.getByRole('button', { name: 'Publish', exact: true }).click()
    await page.getByRole('button', { name: 'Publish course' }).click()
    await expect(page.getByText('Your course is published')).toBeVisible()
    await expect(page.getByRole('link', { name: `${thunder.url}/course/${slug}` })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Unpublish' })).toBeVisible()
  })

  await test.step('a second person finds it without signing in', async () => {
    const { page: guest } = visitor
    await guest.goto('/explore')
    await guest.getByPlaceholder('Search for anything').fill('bread')
    await guest.getByLabel('Category').selectOption('Cooking')
    await guest.getByRole('button', { name: 'Search' }).click()
    const card = guest.getByRole('article').filter({ hasText: title })
    await expect(card).toContainText(summary)
    await expect(card).toContainText('Free')
    await expect(card).toContainText(creator.name)
    await expectNoAxeViolations(guest)
    await card.getByRole('link', { name: title }).click()
    await expect(guest).toHaveURL(`${thunder.url}/course/${slug}`)
    await expect(guest.getByRole('heading', { name: title, level: 1 })).toBeVisible()
    await expectNoAxeViolations(guest)
  })

  await test.step('its page needs no JavaScript, and says what it is to machines', async () => {
    const plain = await somebodyElse(browser, { baseURL: thunder.url, javaScriptEnabled: false })
    const { page: reader } = plain
    await reader.goto(`/course/${slug}`)
    await expect(reader).toHaveTitle(`${title} · Thunder`)
    await expect(reader.getByRole('heading', { name: title, level: 1 })).toBeVisible()
    await expect(reader.getByText('You need flour, water, salt and time.')).toBeVisible()
    const inside = reader.getByRole('region', { name: 'Lessons Inside:' }).getByRole('listitem')
    await expect(inside).toHaveText([
      /^Mix by hand 1 min$/,
      /^Let it rest\s*$/,
      /^Bake it dark\s*$/,
    ])
    await expect(reader.getByRole('link', { name: 'Sign Up to Join' })).toBeVisible()
    const head = async (selector: string) => reader.locator(selector).getAttribute('content')
    expect(await head('meta[name=description]')).toBe(summary)
    expect(await head('meta[property="og:title"]')).toBe(title)
    expect(await head('meta[property="og:description"]')).toBe(summary)
    expect(await head('meta[property="og:url"]')).toBe(`${thunder.url}/course/${slug}`)
    const image = (await head('meta[property="og:image"]')) ?? ''
    expect((await reader.request.get(image)).headers()['content-type']).toBe('image/png')
    const machines = reader.locator('script[type="application/ld+json"]').first()
    const forMachines = await machines.textContent()
    expect(JSON.parse(forMachines ?? '')).toMatchObject({ '@type': 'Course', name: title })
    await expect(reader.locator('script[src]')).toHaveCount(0)
    expect(await reader.content()).not.toContain(creator.email)
    await plain.context.close()
  })

  await test.step('the second person signs up from there, comes back and joins', async () => {
    const { page: guest } = visitor
    await guest.getByRole('link', { name: 'Sign Up to Join' }).click()
    await hydrated(guest)
    await signUpHere(guest, learner)
    await expect(guest).toHaveURL(`${thunder.url}/course/${slug}`)
    await hydrated(guest)
    const refused = await guest.request.get(videoUrl)
    expect(refused.status()).toBe(403)
    await guest.getByRole('button', { name: 'Join Course' }).click()
    await expect(guest).toHaveURL(`${thunder.url}/course/${slug}/dashboard`)
    await expect(guest.getByText('Get Started')).toBeVisible()
    await expect(guest.getByText('0 of 3 lessons completed')).toBeVisible()
    await expect(guest.getByRole('heading', { name: 'Chapter 1: The dough' })).toBeVisible()
    await expect(guest.getByRole('heading', { name: 'Chapter 2: The oven' })).toBeVisible()
    await expectNoAxeViolations(guest)
    await guest.getByRole('link', { name: 'About', exact: true }).first().click()
    await expect(guest.getByText('You need flour, water, salt and time.')).toBeVisible()
    await expectNoAxeViolations(guest)
    await guest.getByRole('link', { name: 'Overview' }).click()
  })

  await test.step('the lesson: video, text, link', async () => {
    const { page: guest } = visitor
    await guest.getByRole('link', { name: 'Continue', exact: true }).click()
    await expect(guest).toHaveURL(`${thunder.url}/course/${slug}/lesson/mix-by-hand`)
    await hydrated(guest)
    const text = guest.locator('article .prose')
    await expectEveryFormat(text)
    await expect(text.getByRole('link')).toHaveAttribute('target', '_blank')
    const link = guest.getByRole('link', { name: /The best flour/ })
    await expect(link).toHaveAttribute('href', 'https://example.com/best-flour')
    await expect(link).toHaveAttribute('target', '_blank')
    await expect(guest.getByText('Where we buy ours')).toBeVisible()

    const video = guest.locator('video')
    await video.evaluate((element) => {
      const player = element as HTMLVideoElement
      player.muted = true
      player.playbackRate = 0.25
      return player.play()
    })
    await expect.poll(() => secondsOf(video)).toBeGreaterThan(0.3)
    // Its end would complete the lesson.
    await video.evaluate((element) => (element as HTMLVideoElement).pause())
    await expectNoAxeViolations(guest)
    // An address is its person's own, also among people who may see the same lesson.
    expect((await guest.request.get(videoUrl)).status()).toBe(403)
    const lesson = await guest.request.get(`/rest/v1/courses/${slug}/lessons/mix-by-hand`)
    const { url } = (await lesson.json()).video
    const part = await guest.request.get(url, { headers: { range: 'bytes=100-199' } })
    expect(part.status()).toBe(206)
    expect((await part.body()).length).toBe(100)

    const stranger = await somebodyElse(browser, { baseURL: thunder.url })
    expect((await stranger.context.request.get(url)).status()).toBe(401)
    await stranger.context.close()

    await leaveAt(guest, video, 7)
  })

  await test.step('left at 0:07, found at 0:07 in another browser', async () => {
    const other = await somebodyElse(browser, { baseURL: thunder.url })
    await other.page.goto(`/course/${slug}/lesson/mix-by-hand`)
    await hydrated(other.page)
    await logInHere(other.page, learner)
    await expect(other.page).toHaveURL(`${thunder.url}/course/${slug}/lesson/mix-by-hand`)
    await expect(other.page.getByText('Resumed at 0:07')).toBeVisible()
    await expect.poll(() => secondsOf(other.page.locator('video'))).toBeCloseTo(7, 1)
    await other.context.close()
  })

  await test.step('lesson after lesson, to the end', async () => {
    const { page: guest } = visitor
    const complete = async () => {
      await hydrated(guest)
      await guest.getByRole('button', { name: 'Mark Complete' }).click()
      await expect(guest.getByText(/^Completed on/)).toBeVisible()
      await expect(guest.getByRole('button', { name: 'Completed' })).not.toHaveAttribute(
        'aria-disabled',
      )
    }
    await complete()
    await guest.goto(`/course/${slug}/dashboard`)
    await expect(guest.getByText('Keep Going!')).toBeVisible()
    await expect(guest.getByText('1 of 3 lessons completed')).toBeVisible()
    await expect(guest.getByRole('complementary').getByText('33%')).toBeVisible()
    await expectNoAxeViolations(guest)
    await guest.goto('/dashboard')
    const card = guest
      .getByRole('region', { name: 'My Courses' })
      .getByRole('article')
      .filter({ hasText: title })
    await expect(card).toContainText('33%')

    await guest.goto(`/course/${slug}/lesson/let-it-rest`)
    await expect(guest.getByText('No video available for this lesson.')).toBeVisible()
    await complete()
    await guest.getByRole('link', { name: /Next lesson/ }).click()
    await expect(guest.getByRole('heading', { name: 'Bake it dark', level: 1 })).toBeVisible()
    await complete()
    await expect(guest.getByText('Course Completed!')).toBeVisible()
    await expectNoAxeViolations(guest)
    await guest.goto(`/course/${slug}/dashboard`)
    await expect(guest.getByText('Course Completed!')).toBeVisible()
    await expect(guest.getByText('3 of 3 lessons completed')).toBeVisible()
    await expectNoAxeViolations(guest)
    await guest.goto('/dashboard')
    await expect(card).toContainText('100%')
  })

  await test.step('the creator renames, moves and adds; what was completed stays completed', async () => {
    await page.goto(`/create-lessons/${courseId}`)
    await hydrated(page)
    await toggle(page, /^Let it rest/).click()
    await page.getByLabel('Lesson title').fill('Let it rest overnight')
    await page.getByLabel('Move to chapter').selectOption('The oven')
    await page.getByRole('button', { name: 'Move', exact: true }).click()
    const oven = page.getByRole('region', { name: 'The oven' })
    await expect(oven.getByRole('button', { name: /^Let it rest overnight/ })).toBeVisible()
    await oven.getByRole('button', { name: 'Add Lesson' }).click()
    await expect(page.getByLabel('Lesson title').last()).toBeFocused()
    await page.keyboard.type('Cut it cold')
    await page.getByRole('button', { name: 'Save Changes' }).click()
    await expect(page).toHaveURL(/\/dashboard$/)

    const { page: guest } = visitor
    await guest.goto(`/course/${slug}/dashboard`)
    await expect(guest.getByText('3 of 4 lessons completed')).toBeVisible()
    await expect(guest.getByRole('complementary').getByText('75%')).toBeVisible()
    await expect(guest.getByText('Keep Going!')).toBeVisible()
    const ovenLessons = guest.getByRole('region', { name: 'Chapter 2: The oven' }).getByRole('link')
    await expect(ovenLessons).toContainText([
      'Bake it dark',
      'Let it rest overnight',
      'Cut it cold',
    ])
    // The address that somebody shared before still leads to it.
    await guest.goto(`/course/${slug}/lesson/let-it-rest`)
    await expect(guest).toHaveURL(`${thunder.url}/course/${slug}/lesson/let-it-rest-overnight`)
    await expect(guest.getByText(/^Completed on/)).toBeVisible()
  })

  expect(complaints).toEqual([])
  await visitor.context.close()
})
