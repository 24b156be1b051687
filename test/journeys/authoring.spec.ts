// What authors do with chapters and lessons, and what must not get lost while they do it.
import type { Locator, Page } from '@playwright/test'
import {
  complaintsOf,
  expect,
  expectNoAxeViolations,
  expectNoSidewaysScrolling,
  hold,
  hydrated,
  lettersAreThere,
  publishedCourse,
  sendSlowly,
  signedUp,
  test,
  writeVideo,
} from './journey.ts'

interface Lesson {
  id: string
  title: string
  content: unknown
  durationMinutes: number | null
}
interface Content {
  contentVersion: number
  chapters: { id: string; title: string; lessons: Lesson[] }[]
}

const paragraph = (text: string) => ({
  type: 'doc',
  content: [{ type: 'paragraph', content: [{ type: 'text', text }] }],
})

async function contentOf(page: Page, courseId: string): Promise<Content> {
  return (await page.request.get(`/rest/v1/courses/${courseId}/content`)).json()
}

async function outlineOf(page: Page, courseId: string) {
  const { chapters } = await contentOf(page, courseId)
  return chapters.map(({ title, lessons }) => `${title}: ${lessons.map((one) => one.title).join()}`)
}

/** A draft of whoever is signed in; without chapters unless they are given. */
async function draftCourse(page: Page, title: string, chapters: Record<string, string[]> = {}) {
  const made = await page.request.post('/rest/v1/courses', {
    data: { title, description: paragraph(`All about ${title}.`), category: 'Tech' },
  })
  const { id } = (await made.json()) as { id: string }
  const { contentVersion } = await contentOf(page, id)
  const named = Object.entries(chapters).map(([chapter, lessons]) => ({
    title: chapter,
    lessons: lessons.map((lesson) => ({ title: lesson, content: paragraph(`On ${lesson}.`) })),
  }))
  if (named.length > 0) {
    const data = { contentVersion, chapters: named }
    const saved = await page.request.put(`/rest/v1/courses/${id}/content`, { data })
    expect(saved.status()).toBe(200)
  }
  return id
}

async function openEditor(page: Page, courseId: string) {
  await page.goto(`/create-lessons/${courseId}`)
  await hydrated(page)
  await lettersAreThere(page)
}

const tea = { Leaves: ['Green', 'Black', 'White'], Water: ['Heat'] }
const toggle = (within: Page | Locator, name: string) =>
  within.getByRole('button', { name: new RegExp(`^${name}`) })
const handle = (page: Page, name: string) =>
  page.getByRole('button', { name: `Reorder “${name}”`, exact: true })
const save = (page: Page) => page.getByRole('button', { name: 'Save Changes' })
const offer = (page: Page) => page.getByText('You have unsaved changes from an earlier visit')
/** What a screen reader was told last. */
const said = (page: Page, text: string) =>
  expect(page.getByRole('status').filter({ hasText: text }).first()).toBeAttached()

/** Chapters and lessons as the page shows them. */
const shownOutline = (page: Page) =>
  page.locator('section[data-item]').evaluateAll((chapters) =>
    chapters.map((chapter) => {
      const name = (item: Element) =>
        /“(.*)”/.exec(item.querySelector('button[id$="-handle"]')?.ariaLabel ?? '')?.[1]
      const lessons = [...chapter.querySelectorAll('li[data-item]')].map(name)
      return `${name(chapter)}: ${lessons.join()}`
    }),
  )

/** With the Tab key alone. */
async function tabTo(page: Page, target: Locator) {
  const isThere = () => target.evaluate((element) => element === document.activeElement)
  for (let presses = 0; presses < 200; presses++) {
    if ((await target.count()) === 1 && (await isThere())) return
    await page.keyboard.press('Tab')
  }
  await expect(target).toBeFocused()
}

async function press(page: Page, ...keys: string[]) {
  for (const key of keys) await page.keyboard.press(key)
}

test('a course is written and put in order with the keyboard alone', async ({ page }) => {
  const complaints = complaintsOf(page)
  await signedUp(page.request, 'Key Board')
  const id = await draftCourse(page, 'Tea by keys')
  await openEditor(page, id)

  await test.step('chapters, lessons and formatted text', async () => {
    await tabTo(page, page.getByLabel('Chapter title'))
    await press(page, 'ControlOrMeta+a')
    await page.keyboard.type('Leaves')
    // Its fields come after the page.
    await expect(page.getByLabel('Lesson title')).toBeVisible()
    await tabTo(page, page.getByLabel('Lesson title'))
    await page.keyboard.type('Green')
    const tools = page.getByRole('toolbar', { name: 'Lesson content: formatting' })
    // The editor comes after the page.
    await expect(tools).toBeVisible()
    await page.keyboard.press('Tab')
    await expect(tools.getByRole('button', { name: 'Heading 1' })).toBeFocused()
    await press(page, 'ArrowRight', 'ArrowRight', 'Enter')
    const text = page.getByRole('textbox', { name: 'Lesson content' })
    await expect(text).toBeFocused()
    await page.keyboard.type('Steep it')
    await press(page, 'Enter', 'ControlOrMeta+b')
    await page.keyboard.type('not too hot')
    await expect(text.locator('h3')).toHaveText('Steep it')
    await expect(text.locator('strong')).toHaveText('not too hot')
    await press(page, 'Escape')
    await tabTo(page, page.getByLabel('Duration in minutes'))
    await page.keyboard.type('12')
    for (const lesson of ['Black', 'White']) {
      await tabTo(page, page.getByRole('button', { name: 'Add Lesson' }))
      await page.keyboard.press('Enter')
      await expect(page.getByLabel('Lesson title').last()).toBeFocused()
      await page.keyboard.type(lesson)
      await press(page, 'Escape')
    }
    const adding = page.getByRole('button', { name: 'Add Chapter' })
    for (let presses = 0; presses < 80; presses++) {
      if (await adding.evaluate((button) => button === document.activeElement)) break
      await page.keyboard.press('Shift+Tab')
    }
    await page.keyboard.press('Enter')
    await expect(page.getByLabel('Chapter title').last()).toBeFocused()
    await page.keyboard.type('Water')
    await tabTo(page, page.getByLabel('Lesson title').last())
    await page.keyboard.type('Heat')
    await expect
      .poll(() => shownOutline(page))
      .toEqual(['Leaves: Green,Black,White', 'Water: Heat'])
  })

  await test.step('a lesson moves within its chapter', async () => {
    await handle(page, 'White').focus()
    await press(page, 'Space')
    await said(page, '“White” is lifted, 3 of 3 in “Leaves”.')
    await press(page, 'ArrowUp', 'ArrowUp')
    await said(page, '1 of 3 in “Leaves”')
    await press(page, 'Space')
    await said(page, '“White” is now 1 of 3 in “Leaves”.')
    await expect(handle(page, 'White')).toBeFocused()
    await expect
      .poll(() => shownOutline(page))
      .toEqual(['Leaves: White,Green,Black', 'Water: Heat'])
  })

  await test.step('Escape leaves it where it was', async () => {
    await press(page, 'Space', 'End', 'Escape')
    await said(page, '“White” stays where it was.')
    await expect
      .poll(() => shownOutline(page))
      .toEqual(['Leaves: White,Green,Black', 'Water: Heat'])
  })

  await test.step('and into another chapter, with all that is in it', async () => {
    await handle(page, 'Green').focus()
    await press(page, 'Enter', 'ArrowDown', 'ArrowDown')
    await said(page, '1 of 2 in “Water”')
    await press(page, 'Enter')
    await expect(handle(page, 'Green')).toBeFocused()
    await expect
      .poll(() => shownOutline(page))
      .toEqual(['Leaves: White,Black', 'Water: Green,Heat'])
    const water = page.getByRole('region', { name: 'Water' })
    await expect(water.getByRole('textbox', { name: 'Lesson content' }).first()).toContainText(
      'not too hot',
    )
    await expect(water.getByLabel('Duration in minutes').first()).toHaveValue('12')
  })

  await test.step('a chapter moves, too', async () => {
    await handle(page, 'Water').focus()
    await press(page, 'Space', 'ArrowUp', 'Space')
    await expect
      .poll(() => shownOutline(page))
      .toEqual(['Water: Green,Heat', 'Leaves: White,Black'])
    await expectNoAxeViolations(page)
  })

  await test.step('saved', async () => {
    await tabTo(page, save(page))
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/\/dashboard$/)
    const { chapters } = await contentOf(page, id)
    expect(await outlineOf(page, id)).toEqual(['Water: Green,Heat', 'Leaves: White,Black'])
    expect(chapters[0]?.lessons[0]?.durationMinutes).toBe(12)
    expect(JSON.stringify(chapters[0]?.lessons[0]?.content)).toContain('"bold"')
  })
  expect(complaints).toEqual([])
})

async function centre(of: Locator) {
  const box = (await of.boundingBox())!
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
}

test('lessons and chapters are dragged, with a mouse and with a finger', async ({
  browser,
  page,
  thunder,
}) => {
  await signedUp(page.request, 'Drag Drop')
  const id = await draftCourse(page, 'Tea by hand', tea)
  // All of it in sight, so that the page need not scroll.
  await page.setViewportSize({ width: 1280, height: 1500 })
  await openEditor(page, id)

  await test.step('with the mouse, into another chapter', async () => {
    const from = await centre(handle(page, 'Black'))
    const to = (await page.locator('li[data-item]', { hasText: 'Heat' }).boundingBox())!
    await page.mouse.move(from.x, from.y)
    await page.mouse.down()
    await page.mouse.move(from.x, from.y + 20)
    await page.mouse.move(from.x + 5, to.y + 4, { steps: 5 })
    await said(page, '1 of 2 in “Water”')
    await page.mouse.up()
    await expect
      .poll(() => shownOutline(page))
      .toEqual(['Leaves: Green,White', 'Water: Black,Heat'])
  })

  await test.step('a press without moving, and Escape while dragging, change nothing', async () => {
    await handle(page, 'Green').click()
    const from = await centre(handle(page, 'Green'))
    await page.mouse.move(from.x, from.y)
    await page.mouse.down()
    await page.mouse.move(from.x, from.y + 150, { steps: 4 })
    await page.keyboard.press('Escape')
    await page.mouse.up()
    await expect
      .poll(() => shownOutline(page))
      .toEqual(['Leaves: Green,White', 'Water: Black,Heat'])
  })

  await test.step('with a finger, on a phone', async () => {
    const phone = await browser.newContext({
      baseURL: thunder.url,
      // Not the draft that this browser has kept: its offer would move the page.
      storageState: { cookies: await page.context().cookies(), origins: [] },
      viewport: { width: 375, height: 1500 },
      hasTouch: true,
    })
    const small = await phone.newPage()
    await openEditor(small, id)
    const touch = await phone.newCDPSession(small)
    const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', x?: number, y?: number) =>
      touch.send('Input.dispatchTouchEvent', {
        type,
        touchPoints: x === undefined || y === undefined ? [] : [{ x, y }],
      })
    const from = await centre(handle(small, 'Water'))
    const to = (await small.locator('section[data-item]').first().boundingBox())!
    await send('touchStart', from.x, from.y)
    await send('touchMove', from.x, from.y - 20)
    await send('touchMove', from.x, Math.max(to.y, 130))
    await said(small, '1 of 2')
    await send('touchEnd')
    await expect
      .poll(() => shownOutline(small))
      .toEqual(['Water: Heat', 'Leaves: Green,Black,White'])
    await expectNoSidewaysScrolling(small)
    await phone.close()
  })

  await test.step('an upload goes on while its lesson moves', async () => {
    await toggle(page, 'White').click()
    const path = test.info().outputPath('white.mp4')
    await writeVideo(path, 2 * 1024 * 1024)
    const sendAtOnce = await sendSlowly(page, 50 * 1024)
    await page.getByLabel('Choose a video').setInputFiles(path)
    const bar = page.getByRole('progressbar', { name: 'white.mp4' })
    const percent = () => bar.evaluate((element) => (element as HTMLProgressElement).value)
    await expect.poll(percent, { intervals: [100] }).toBeGreaterThan(0)
    const before = await percent()
    await handle(page, 'White').focus()
    await press(page, 'Space', 'End', 'Space')
    await expect
      .poll(() => shownOutline(page))
      .toEqual(['Leaves: Green', 'Water: Black,Heat,White'])
    expect(await percent()).toBeGreaterThanOrEqual(before)
    await sendAtOnce()
    await expect(page.getByLabel('Preview of white.mp4')).toBeVisible()
    await save(page).click()
    await expect(page).toHaveURL(/\/dashboard$/)
    expect(await outlineOf(page, id)).toEqual(['Leaves: Green', 'Water: Black,Heat,White'])
  })
})

const keptDrafts = (page: Page) =>
  page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('thunder-draft:')))

test('what was not saved comes back, until it is saved, discarded or signed out', async ({
  page,
}) => {
  // Leaving with unsaved changes is asked about by the browser, too.
  page.on('dialog', (dialog) => dialog.accept())
  await signedUp(page.request, 'For Getful')
  const id = await draftCourse(page, 'Tea, unsaved', tea)
  await openEditor(page, id)

  await test.step('after a reload', async () => {
    await toggle(page, 'Green').click()
    await page.getByLabel('Lesson title').fill('Sencha')
    await page.getByRole('textbox', { name: 'Lesson content' }).click()
    await page.keyboard.type('Words that nobody saved. ')
    await page.reload()
    await hydrated(page)
    await expect(offer(page)).toBeVisible()
    await expect(page.getByText(/^This browser kept them on \w+ \d+, \d+/)).toBeVisible()
    await expect.poll(async () => (await shownOutline(page))[0]).toBe('Leaves: Green,Black,White')
    await expectNoAxeViolations(page)
    await page.getByRole('button', { name: 'Restore', exact: true }).click()
    await expect(offer(page)).toHaveCount(0)
    await expect.poll(async () => (await shownOutline(page))[0]).toBe('Leaves: Sencha,Black,White')
    await toggle(page, 'Sencha').click()
    await expect(page.getByRole('textbox', { name: 'Lesson content' })).toContainText(
      'Words that nobody saved.',
    )
  })

  await test.step('again and again, until it is saved', async () => {
    await page.reload()
    await hydrated(page)
    await page.getByRole('button', { name: 'Restore', exact: true }).click()
    await save(page).click()
    await expect(page).toHaveURL(/\/dashboard$/)
    expect(await outlineOf(page, id)).toEqual(['Leaves: Sencha,Black,White', 'Water: Heat'])
    await expect.poll(() => keptDrafts(page)).toEqual([])
    await openEditor(page, id)
    await expect(page.getByText('Everything is saved')).toBeVisible()
    await expect(offer(page)).toHaveCount(0)
  })

  await test.step('leaving asks, and what is left behind is kept', async () => {
    await page.getByLabel('Chapter title').first().fill('Foliage')
    await page.getByRole('link', { name: 'Cancel' }).click()
    const question = page.getByRole('alertdialog', { name: 'Leave without saving?' })
    await expect(question).toContainText('This browser keeps it for you until you come back.')
    await expectNoAxeViolations(page)
    await question.getByRole('button', { name: 'Stay on this page' }).click()
    await expect(page).toHaveURL(/\/create-lessons\//)
    await page.getByRole('link', { name: 'Cancel' }).click()
    await question.getByRole('button', { name: 'Leave without saving' }).click()
    await expect(page).toHaveURL(/\/dashboard$/)
    expect(await outlineOf(page, id)).toEqual(['Leaves: Sencha,Black,White', 'Water: Heat'])
    await openEditor(page, id)
    await expect(offer(page)).toBeVisible()
  })

  await test.step('typing on before choosing loses neither', async () => {
    await page.getByLabel('Chapter title').last().fill('Liquid')
    await expect.poll(() => keptDrafts(page)).toHaveLength(2)
    await page.getByRole('button', { name: 'Restore', exact: true }).click()
    await expect
      .poll(() => shownOutline(page))
      .toEqual(['Foliage: Sencha,Black,White', 'Water: Heat'])
    await expect(offer(page)).toBeVisible()
    await page.getByRole('button', { name: 'Restore', exact: true }).click()
    await expect
      .poll(() => shownOutline(page))
      .toEqual(['Leaves: Sencha,Black,White', 'Liquid: Heat'])
  })

  await test.step('discarded, it is gone', async () => {
    await page.reload()
    await hydrated(page)
    for (const left of [1, 0]) {
      await page.getByRole('button', { name: 'Discard', exact: true }).click()
      await expect(offer(page)).toHaveCount(left)
    }
    await expect.poll(() => keptDrafts(page)).toEqual([])
  })

  await test.step('whoever signs out leaves nothing for the next person', async () => {
    await page.getByLabel('Chapter title').first().fill('Secret')
    await expect.poll(() => keptDrafts(page)).toHaveLength(1)
    await page.getByRole('button', { name: 'Account menu' }).click()
    await page.getByRole('button', { name: 'Sign Out' }).click()
    await expect(page.getByRole('link', { name: 'Login' }).first()).toBeVisible()
    await expect.poll(() => keptDrafts(page)).toEqual([])
  })
})

test('a browser without room says that it cannot keep changes', async ({ page }) => {
  page.on('dialog', (dialog) => dialog.accept())
  await signedUp(page.request, 'No Room')
  const id = await draftCourse(page, 'Tea, no room', tea)
  await page.addInitScript(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException('full', 'QuotaExceededError')
    }
  })
  await openEditor(page, id)
  await page.getByLabel('Chapter title').first().fill('Foliage')
  await expect(page.getByText(/no room in this browser to keep them/)).toBeVisible()
  await page.getByRole('link', { name: 'Cancel' }).click()
  const question = page.getByRole('alertdialog', { name: 'Leave without saving?' })
  await expect(question).not.toContainText('This browser keeps it')
  await question.getByRole('button', { name: 'Stay on this page' }).click()
  await save(page).click()
  await expect(page).toHaveURL(/\/dashboard$/)
})

test('who goes on while a save is on its way stays with it', async ({ page }) => {
  await signedUp(page.request, 'Meanwhile')
  const id = await draftCourse(page, 'Tea meanwhile', tea)
  await openEditor(page, id)
  const chapterTitle = page.getByLabel('Chapter title')
  await chapterTitle.first().fill('Foliage')
  const { held, letGo } = await hold(page, /\/content$/, 'PUT')
  await save(page).click()
  await expect.poll(() => held.length).toBe(1)
  await page.getByRole('button', { name: 'Publish', exact: true }).click({ force: true })
  await chapterTitle.last().fill('Liquid')
  letGo()
  await expect(
    page.getByText('Saved. What you did meanwhile is not saved yet.').first(),
  ).toBeVisible()
  await expect(page.getByText('Unsaved changes')).toBeVisible()
  expect(held).toHaveLength(1)
  expect(await outlineOf(page, id)).toEqual(['Foliage: Green,Black,White', 'Water: Heat'])
  await save(page).click()
  await expect(page).toHaveURL(/\/dashboard$/)
  expect(await outlineOf(page, id)).toEqual(['Foliage: Green,Black,White', 'Liquid: Heat'])
})

/** Leaves, although it is asked about, while a save is on its way; then that is answered. */
async function leaveMeanwhile(page: Page, { letGo, saved }: { letGo: () => void; saved: string }) {
  const ledAway: string[] = []
  await page.getByRole('contentinfo').getByRole('link', { name: 'About' }).click()
  await page
    .getByRole('alertdialog', { name: 'Leave without saving?' })
    .getByRole('button', { name: 'Leave without saving' })
    .click()
  await expect(page).toHaveURL(/\/about$/)
  page.on('request', (request) => {
    if (/\/(dashboard|create-lessons)\b/.test(request.url())) ledAway.push(request.url())
  })
  letGo()
  await expect(page.getByText(saved).first()).toBeVisible()
  // Going there would take two rounds to the server.
  for (let round = 0; round < 2; round++) await page.request.get('/rest/v1/dashboard')
  expect(ledAway.filter((url) => !url.includes('/rest/'))).toEqual([])
  await expect(page).toHaveURL(/\/about$/)
}

test('who leaves while a save is on its way is not led elsewhere when it is answered', async ({
  page,
}) => {
  await signedUp(page.request, 'Gone Meanwhile')
  await test.step('the form of a new course', async () => {
    await page.goto('/create-course')
    await hydrated(page)
    await page.getByLabel('Title').fill('Tea, left early')
    await page.getByLabel('Category').selectOption('Tech')
    await page.getByRole('textbox', { name: 'Description', exact: true }).click()
    await page.keyboard.type('All about leaving.')
    const { held, letGo } = await hold(page, /\/rest\/v1\/courses$/)
    await page.getByRole('button', { name: 'Continue', exact: true }).click()
    await expect.poll(() => held.length).toBe(1)
    await leaveMeanwhile(page, { letGo, saved: 'Your course is saved as a draft.' })
  })

  await test.step('its lessons', async () => {
    const { created } = await (await page.request.get('/rest/v1/dashboard')).json()
    const { id } = created[0]
    await openEditor(page, id)
    await page.getByLabel('Chapter title').fill('Leaves')
    const { held, letGo } = await hold(page, /\/content$/, 'PUT')
    await save(page).click()
    await expect.poll(() => held.length).toBe(1)
    await leaveMeanwhile(page, { letGo, saved: 'Your changes are saved.' })
    expect(await outlineOf(page, id)).toEqual(['Leaves: '])
  })
})

/** Saves a new chapter with a lesson; the server stores it, and its answer gets lost. */
async function saveUnheard(page: Page, title: string) {
  await page.getByRole('button', { name: 'Add Chapter' }).click()
  await page.getByLabel('Chapter title').last().fill(title)
  await page.getByLabel('Lesson title').last().fill(`About ${title}`)
  const content = /\/content$/
  await page.route(content, async (route) => {
    if (route.request().method() !== 'PUT') return route.fallback()
    await route.fetch()
    return route.abort()
  })
  await save(page).click()
  await expect(page.getByRole('main').getByText('Failed to save course.')).toBeVisible()
  await page.unroute(content)
}

test('a save whose answer is lost is not taken for somebody else’s', async ({ page }) => {
  page.on('dialog', (dialog) => dialog.accept())
  await signedUp(page.request, 'Lost Answer')
  const id = await draftCourse(page, 'Tea, unheard', tea)
  const chapterTitle = page.getByLabel('Chapter title')
  const begun = ['Leaves: Green,Black,White', 'Water: Heat']

  await test.step('when it is saved again', async () => {
    await openEditor(page, id)
    await saveUnheard(page, 'Cups')
    expect(await outlineOf(page, id)).toEqual([...begun, 'Cups: About Cups'])
    await chapterTitle.first().fill('Foliage')
    await save(page).click()
    await expect(page).toHaveURL(/\/dashboard$/)
    begun.splice(0, 2, 'Foliage: Green,Black,White', 'Water: Heat', 'Cups: About Cups')
    expect(await outlineOf(page, id)).toEqual(begun)
  })

  await test.step('after a reload, when it is all there is', async () => {
    await openEditor(page, id)
    await saveUnheard(page, 'Milk')
    await page.reload()
    await hydrated(page)
    await expect.poll(() => keptDrafts(page)).toEqual([])
    await expect(offer(page)).toHaveCount(0)
    begun.push('Milk: About Milk')
    expect(await shownOutline(page)).toEqual(begun)
  })

  await test.step('after a reload, when somebody went on', async () => {
    await saveUnheard(page, 'Sugar')
    await chapterTitle.first().fill('Leaves')
    await page.reload()
    await hydrated(page)
    await expect(offer(page)).toBeVisible()
    await page.getByRole('button', { name: 'Restore', exact: true }).click()
    begun.splice(0, 1, 'Leaves: Green,Black,White')
    begun.push('Sugar: About Sugar')
    await expect.poll(() => shownOutline(page)).toEqual(begun)
    await save(page).click()
    await expect(page).toHaveURL(/\/dashboard$/)
    expect(await outlineOf(page, id)).toEqual(begun)
  })
})

test('two tabs edit the same course', async ({ page, context }) => {
  page.on('dialog', (dialog) => dialog.accept())
  await signedUp(page.request, 'Two Tabs')
  const id = await draftCourse(page, 'Tea in two tabs', tea)
  const other = await context.newPage()
  await openEditor(page, id)
  const conflict = page.getByRole('alertdialog', { name: 'This course was changed elsewhere' })
  const chapterTitle = (of: Page) => of.getByLabel('Chapter title')

  await test.step('the second one to save is told, and keeps what it typed', async () => {
    await chapterTitle(page).first().fill('Foliage')
    await expect.poll(() => keptDrafts(page)).toHaveLength(1)
    // A page that is open keeps its draft to itself.
    await openEditor(other, id)
    await chapterTitle(other).last().fill('Liquid')
    await save(other).click()
    await expect(other).toHaveURL(/\/dashboard$/)
    await save(page).click()
    await expect(conflict).toBeVisible()
    await expectNoAxeViolations(page)
    const newest = conflict.getByRole('link', { name: 'See the newest version in a new tab' })
    await expect(newest).toHaveAttribute('target', '_blank')
    const [third] = await Promise.all([context.waitForEvent('page'), newest.click()])
    await hydrated(third)
    await expect(chapterTitle(third).last()).toHaveValue('Liquid')
    await expect(offer(third)).toHaveCount(0)
    await third.close()
    await conflict.getByRole('button', { name: 'Close' }).click()
    await expect(chapterTitle(page).first()).toHaveValue('Foliage')
    await expect(page.getByRole('main').getByRole('alert')).toContainText(
      'This course was changed in another tab',
    )
  })

  await test.step('mine becomes a draft, and goes into the newest version', async () => {
    await page.getByRole('button', { name: 'What can I do?' }).click()
    await conflict.getByRole('button', { name: /^Load the newest version/ }).click()
    await expect(conflict).toHaveCount(0)
    await expect
      .poll(() => shownOutline(page))
      .toEqual(['Leaves: Green,Black,White', 'Liquid: Heat'])
    await expect(page.getByText(/The course was saved elsewhere since/)).toBeVisible()
    await page.getByRole('button', { name: 'Restore', exact: true }).click()
    await expect
      .poll(() => shownOutline(page))
      .toEqual(['Foliage: Green,Black,White', 'Liquid: Heat'])
    await save(page).click()
    await expect(page).toHaveURL(/\/dashboard$/)
    expect(await outlineOf(page, id)).toEqual(['Foliage: Green,Black,White', 'Liquid: Heat'])
  })

  await test.step('or mine replaces theirs, once somebody is sure', async () => {
    await openEditor(page, id)
    await openEditor(other, id)
    await chapterTitle(other).last().fill('Ice')
    await other.getByRole('button', { name: 'Remove “Black”' }).click()
    await other.getByRole('button', { name: 'Remove lesson' }).click()
    await save(other).click()
    await expect(other).toHaveURL(/\/dashboard$/)
    await chapterTitle(page).first().fill('Plants')
    await save(page).click()
    await conflict.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('button', { name: 'Add Lesson' }).first().click()
    await page.getByRole('textbox', { name: 'Lesson content' }).last().click()
    await page.keyboard.type('Written before its title')
    await page.getByRole('button', { name: 'What can I do?' }).click()
    await conflict.getByRole('button', { name: 'Save mine over it…' }).click()
    await expect(conflict).toContainText('What was changed or added elsewhere goes')
    expect(await outlineOf(page, id)).toEqual(['Foliage: Green,White', 'Ice: Heat'])
    await conflict.getByRole('button', { name: 'Yes, replace it' }).click()
    const dropping = page.getByRole('alertdialog', { name: 'Save without these?' })
    await expect(dropping).toContainText('The untitled lesson 4 of “Plants”')
    await expectNoAxeViolations(page)
    // Whoever goes back is where they were: the conflict is still said.
    await dropping.getByRole('button', { name: 'Go back' }).click()
    await page.getByRole('button', { name: 'What can I do?' }).click()
    await conflict.getByRole('button', { name: 'Save mine over it…' }).click()
    await conflict.getByRole('button', { name: 'Yes, replace it' }).click()
    await dropping.getByRole('button', { name: 'Save without them' }).click()
    await expect(page).toHaveURL(/\/dashboard$/)
    expect(await outlineOf(page, id)).toEqual(['Plants: Green,Black,White', 'Liquid: Heat'])
    await expect.poll(() => keptDrafts(page)).toEqual([])
  })
})

const fromWord = `<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><style>p.MsoNormal{color:red}</style>
<!--[if gte mso 9]><xml><o:p>junk</o:p></xml><![endif]--></head><body>
<h1 style="mso-style:x">A title</h1><h4>Too small a heading</h4>
<p class=MsoNormal style="margin:0"><b style="mso-bidi-font-weight:normal">Bold</b> <span style="color:red;font-size:40pt">red</span><o:p></o:p></p>
<table><tr><td>In a table</td></tr></table></body></html>`
const fromDocs = `<b id="docs-internal-guid-1" style="font-weight:normal"><p dir="ltr"><span style="font-weight:700">Heavy</span>
<span style="font-style:italic">slanted</span></p><ul><li><p>One</p></li></ul></b>`
const hostile = `<script>window.hacked = 1</script><img src=x onerror="window.hacked = 2"><iframe src="https://example.com"></iframe>
<p onclick="window.hacked = 3" style="position:fixed">Harmless <a href="javascript:window.hacked=4">words</a>
<a href="https://example.com/" target=_blank>link</a></p>`

test('what is pasted keeps the formats of the toolbar and nothing else', async ({ page }) => {
  await signedUp(page.request, 'Copy Paste')
  const id = await draftCourse(page, 'Tea, pasted', { Leaves: ['Green'] })
  await openEditor(page, id)
  await toggle(page, 'Green').click()
  const text = page.getByRole('textbox', { name: 'Lesson content' })

  await test.step('the toolbar has the tools of the product, in their order', async () => {
    await expect(text).toBeVisible()
    const tools = page.getByRole('toolbar').getByRole('button')
    const names = () => tools.evaluateAll((all) => all.map((tool) => tool.ariaLabel))
    await expect
      .poll(names)
      .toEqual([
        'Heading 1',
        'Heading 2',
        'Heading 3',
        'Bold',
        'Italic',
        'Underline',
        'Strikethrough',
        'Ordered list',
        'Bullet list',
        'Blockquote',
        'Code block',
        'Link',
        'Clear formatting',
      ])
  })

  await test.step('from Word, Google Docs and a hostile page', async () => {
    await text.focus()
    await press(page, 'ControlOrMeta+End')
    for (const html of [fromWord, fromDocs, hostile]) {
      await page.keyboard.press('Enter')
      await text.evaluate((element, pasted) => {
        const clipboardData = new DataTransfer()
        clipboardData.setData('text/html', pasted)
        element.dispatchEvent(
          new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
        )
      }, html)
    }
    await expect(text).toContainText('In a table')
    await expect(text.locator('h1')).toHaveText('A title')
    await expect(text.locator('strong')).toHaveText(['Bold', 'Heavy'])
    await expect(text.locator('em')).toHaveText('slanted')
    await expect(text.locator('ul li')).toContainText(['One'])
    await expect(text.locator('a')).toHaveText('link')
    await expect(text.locator('h4, table, img, iframe, script, style, [style], span')).toHaveCount(
      0,
    )
    await expect(text).not.toContainText('junk')
    await expect(text).not.toContainText('mso')
    await expect(text).toContainText('Harmless words')
    expect(await page.evaluate(() => 'hacked' in window)).toBe(false)
  })

  await test.step('and is saved like that', async () => {
    await save(page).click()
    await expect(page).toHaveURL(/\/dashboard$/)
    const { chapters } = await contentOf(page, id)
    const stored = JSON.stringify(chapters[0]?.lessons[0]?.content)
    const types = new Set([...stored.matchAll(/"type":"(\w+)"/g)].map(([, type]) => type))
    expect([...types].toSorted()).toEqual([
      'bold',
      'bulletList',
      'doc',
      'heading',
      'italic',
      'link',
      'listItem',
      'paragraph',
      'text',
    ])
    expect(stored).not.toContain('javascript')
  })
})

test('a course of 100 chapters and 1,000 lessons', async ({ page }) => {
  await signedUp(page.request, 'Long Course')
  const numbers = Array.from({ length: 10 }, (_, index) => index + 1)
  const chapters = Object.fromEntries(
    Array.from({ length: 100 }, (_, part) => [
      `Part ${part + 1}`,
      numbers.map((number) => `Lesson ${part + 1}.${number}`),
    ]),
  )
  const id = await draftCourse(page, 'All of tea', chapters)
  await openEditor(page, id)
  await expect(page.getByText('100 chapters, 1000 lessons')).toBeVisible()
  // Only what is expanded is there.
  await expect(page.locator('section[data-item]')).toHaveCount(100)
  await expect(page.locator('li[data-item]')).toHaveCount(10)
  await toggle(page, 'Lesson 1\\.1 ?$').click()
  await expect(page.locator('.ProseMirror')).toHaveCount(1)
  await expect(page.getByRole('button', { name: /at most 100 chapters/ })).toBeVisible()
  await expect(
    page.getByRole('button', { name: 'A course can have at most 1,000 lessons' }),
  ).toBeVisible()

  await handle(page, 'Lesson 1.2').focus()
  await press(page, 'Space', 'End')
  await said(page, '11 of 11 in “Part 100”')
  await press(page, 'Space')
  await save(page).click()
  await expect(page).toHaveURL(/\/dashboard$/)
  const saved = await contentOf(page, id)
  expect(saved.chapters[0]?.lessons).toHaveLength(9)
  expect(saved.chapters[99]?.lessons.at(-1)?.title).toBe('Lesson 1.2')
})

test('a lesson says how long it takes; a published course keeps one', async ({
  browser,
  page,
  thunder,
}) => {
  await signedUp(page.request, 'Last Lesson')
  const { id, slug } = await publishedCourse(page.request, 'Tea, one lesson', ['Only'])
  await openEditor(page, id)
  await toggle(page, 'Only').click()
  await page.getByLabel('Duration in minutes').fill('9')
  await save(page).click()
  await expect(page).toHaveURL(/\/dashboard$/)
  await page.goto(`/course/${slug}/dashboard`)
  await expect(page.getByRole('link', { name: /Only.*9 min/ })).toBeVisible()
  await page.goto(`/course/${slug}/lesson/only`)
  await expect(page.getByText('9 min', { exact: true }).first()).toBeVisible()
  await expect(page.getByRole('link', { name: /Only.*9 min/ })).toBeVisible()
  const visitor = await browser.newContext({ baseURL: thunder.url, javaScriptEnabled: false })
  const publicPage = await visitor.newPage()
  await publicPage.goto(`/course/${slug}`)
  const inside = publicPage.getByRole('region', { name: 'Lessons Inside:' })
  await expect(inside.getByRole('listitem')).toHaveText(/^Only\s*9 min$/)
  await visitor.close()
  await openEditor(page, id)
  await toggle(page, 'Only').click()
  await page.getByLabel('Lesson title').fill('')
  await save(page).click()
  await page.getByRole('button', { name: 'Save without them' }).click()
  await expect(page.getByRole('main').getByRole('alert')).toContainText(
    'A published course needs at least one lesson.',
  )
  expect(await outlineOf(page, id)).toEqual(['Chapter 1: Only'])
})

test('without JavaScript each page that needs it says so', async ({ page, browser, thunder }) => {
  await signedUp(page.request, 'Nora Noscript')
  const { id, slug } = await publishedCourse(page.request, 'Paper boats')
  const plain = await browser.newContext({
    baseURL: thunder.url,
    javaScriptEnabled: false,
    storageState: await page.context().storageState(),
  })
  const reader = await plain.newPage()
  const pages = {
    [`/create-lessons/${id}`]: 'Writing lessons needs JavaScript.',
    [`/create-course?courseId=${id}`]: 'Making and changing a course needs JavaScript.',
    [`/course/${slug}/dashboard?tab=members`]: 'Inviting and removing people needs JavaScript.',
    [`/course/${slug}/dashboard?tab=discussion`]:
      'You can read the posts; writing, liking and comments need JavaScript.',
    [`/course/${slug}/moderation?view=settings`]: 'Changing the rules needs JavaScript.',
  }
  for (const [path, words] of Object.entries(pages)) {
    await reader.goto(path)
    // Playwright does not read the text in it.
    const notes = reader.locator('noscript [role=status]')
    await expect(notes.first(), path).toBeVisible()
    expect(await notes.allTextContents(), path).toContain(words)
  }
  await plain.close()
})

test('what has no title yet, but a text, comes back, and is removed only after a question', async ({
  page,
}) => {
  page.on('dialog', (dialog) => dialog.accept())
  await signedUp(page.request, 'Una Titled')
  const id = await draftCourse(page, 'Text first', { Leaves: ['Green'] })
  await openEditor(page, id)
  await page.getByRole('button', { name: 'Add Lesson' }).click()
  const remove = page.getByRole('button', { name: 'Remove “Untitled lesson 2”' })
  await remove.click()
  await expect(remove).toHaveCount(0)
  await page.getByRole('button', { name: 'Add Lesson' }).click()
  await page.getByRole('textbox', { name: 'Lesson content' }).last().click()
  await page.keyboard.type('Written before its title')
  await page.reload()
  await hydrated(page)
  await page.getByRole('button', { name: 'Restore', exact: true }).click()
  await remove.click()
  const dialog = page.getByRole('alertdialog', { name: 'Remove “Untitled lesson 2”?' })
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await toggle(page, 'Untitled lesson 2').click()
  await expect(page.getByText('Written before its title')).toBeVisible()
  await remove.click()
  await dialog.getByRole('button', { name: 'Remove lesson' }).click()
  await expect(remove).toHaveCount(0)
})
