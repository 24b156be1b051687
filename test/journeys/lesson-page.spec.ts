// The lesson's page around its player: the outline, the way on, notes, keys.
import { readFile } from 'node:fs/promises'
import {
  type APIRequestContext,
  type Locator,
  type Page,
  request as requests,
} from '@playwright/test'
import {
  complaintsOf,
  expect,
  expectNoAxeViolations,
  expectNoSidewaysScrolling,
  hold,
  hydrated,
  publishedCourse,
  signedUp,
  somebodyElse,
  test,
  uploadedVideo,
} from './journey.ts'
import { loseAnswer } from './lose-answer.ts'
import { lookAwayAndBack } from './look-away.ts'

const main = (page: Page) => page.getByRole('main')
const link = (within: Page | Locator, name: string) =>
  within.getByRole('link', { name, exact: true })
const button = (within: Page | Locator, name: string) =>
  within.getByRole('button', { name, exact: true })

type Chapter = { title: string; lessons: Record<string, unknown>[] }
type Course = { id: string; slug: string; creator: APIRequestContext }

const words = (text: string) => ({
  type: 'doc',
  content: [{ type: 'paragraph', content: [{ type: 'text', text }] }],
})

async function saveContent(
  request: APIRequestContext,
  courseId: string,
  change: (chapters: Chapter[]) => Chapter[],
) {
  const before = await (await request.get(`/rest/v1/courses/${courseId}/content`)).json()
  const { contentVersion } = before
  const saved = await request.put(`/rest/v1/courses/${courseId}/content`, {
    data: { contentVersion, chapters: change(before.chapters) },
  })
  expect(saved.status(), await saved.text()).toBe(200)
}

/** A published course of somebody new. */
async function madeCourse(
  baseURL: string,
  title: string,
  chaptersWith: (videos: string[]) => Chapter[],
  videosCount = 0,
): Promise<Course> {
  const creator = await requests.newContext({ baseURL })
  await signedUp(creator, `Maker of ${title}`)
  const made = await creator.post('/rest/v1/courses', {
    data: { title, description: words(`All about ${title}.`), category: 'Hobbies' },
  })
  const { id, slug } = await made.json()
  const videos: string[] = []
  while (videos.length < videosCount) videos.push(await uploadedVideo(creator, id))
  await saveContent(creator, id, () => chaptersWith(videos))
  expect((await creator.post(`/rest/v1/courses/${id}/publish`)).status()).toBe(200)
  return { id, slug, creator }
}

const knotChapters = ([holdIt, turnIt]: string[]): Chapter[] => [
  {
    title: 'The rope',
    lessons: [
      {
        title: 'Hold it',
        content: words('One end in each hand.'),
        videoId: holdIt,
        links: [{ title: 'Which rope', url: 'https://example.com/rope', description: 'Ours' }],
      },
      { title: 'Turn it', content: words('Left over right.'), videoId: turnIt },
      { title: 'Rest', content: words('Breathe.') },
    ],
  },
  { title: 'The knot', lessons: [{ title: 'Tie it', content: words('Right over left.') }] },
]

let knots: Course
test.beforeAll(async ({ thunder }) => {
  knots = await madeCourse(thunder.url, 'Knots for Two', knotChapters, 2)
})
test.afterAll(() => knots.creator.dispose())

/** Whoever opened this page becomes a new learner of the course. */
async function learn(page: Page, course: Course, name: string) {
  const person = await signedUp(page.request, name)
  const joined = await page.request.post('/rest/v1/enrollments', { data: { courseId: course.id } })
  expect(joined.status()).toBe(200)
  return person
}

const at = (slug: string, course = knots) => `/course/${course.slug}/lesson/${slug}`
const outlineOf = (page: Page) =>
  main(page).getByRole('navigation', { name: 'Course outline', exact: true })

/** The focus goes to a button as soon as there is one: quicker than any test could find it. */
const focusOnceThere = (page: Page, name: string) =>
  page.evaluate((label) => {
    const watcher = new MutationObserver(() => {
      const found = [...document.querySelectorAll('button')].find(
        ({ textContent }) => textContent === label,
      )
      if (!found) return
      watcher.disconnect()
      found.focus()
    })
    watcher.observe(document.body, { childList: true, subtree: true })
  }, name)

/** Plays the last moments of the video, silently. */
const playTheEnd = (page: Page) =>
  page.locator('video').evaluate(async (element) => {
    const video = element as HTMLVideoElement
    video.muted = true
    if (!(video.readyState > 0)) {
      await new Promise((resolve) => video.addEventListener('loadedmetadata', resolve))
    }
    video.currentTime = video.duration - 0.4
    await video.play()
  })

test('the outline at the side', async ({ page, browser, thunder }) => {
  const complaints = complaintsOf(page)
  await learn(page, knots, 'Otto Outline')
  await page.goto(at('hold-it'))
  await hydrated(page)
  const outline = outlineOf(page)
  const chapters = outline.getByRole('group')

  await test.step('chapters, lessons, where one is and how far', async () => {
    await expect(outline.getByText('0 of 4 lessons completed')).toBeVisible()
    await expect(outline.getByText('Chapter 1: The rope')).toBeVisible()
    await expect(outline.getByRole('link', { name: /Hold it/ })).toHaveAttribute(
      'aria-current',
      'page',
    )
    await expect(outline.getByRole('link', { name: /Turn it/ })).not.toHaveAttribute('aria-current')
    // Only the chapter around is open.
    await expect(outline.getByRole('link', { name: /Tie it/ })).toBeHidden()
    await expectNoAxeViolations(page)
  })

  await test.step('links open in a new tab', async () => {
    const resources = page.getByRole('region', { name: 'Additional Resources' })
    const away = resources.getByRole('link', { name: /^Which rope/ })
    await expect(away).toHaveAttribute('target', '_blank')
    await expect(away).toHaveAttribute('rel', /noopener/)
    await expect(resources).toContainText('Ours')
  })

  await test.step('a tick comes before the server has answered', async () => {
    const gate = Promise.withResolvers<void>()
    await page.route(/\/lesson\/hold-it\.data/, async (route) => {
      // The page may read itself anew at any moment; that is another request.
      if (route.request().method() !== 'POST') return route.fallback()
      await gate.promise
      return route.continue()
    })
    await button(main(page), 'Mark Complete').click()
    await expect(outline.getByText('1 of 4 lessons completed')).toBeVisible()
    await expect(outline.getByRole('link', { name: /Completed Hold it/ })).toBeVisible()
    await expect(chapters.first()).toContainText('1 of 3 completed')
    gate.resolve()
    await expect(button(main(page), 'Completed')).not.toHaveAttribute('aria-disabled')
    await page.unrouteAll({ behavior: 'wait' })
  })

  await test.step('a tick that was refused is told in the next lesson, too', async () => {
    const gate = Promise.withResolvers<void>()
    await page.route(/\/lesson\/hold-it\.data/, async (route) => {
      if (route.request().method() !== 'POST') return route.fallback()
      await gate.promise
      return route.abort()
    })
    await button(main(page), 'Completed').click()
    await page.keyboard.press('n')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Turn it')
    gate.resolve()
    await expect(page.getByText('Your progress could not be saved.')).toBeVisible()
    await page.unrouteAll({ behavior: 'wait' })
    await page.keyboard.press('p')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Hold it')
  })

  await test.step('what another device completes is ticked here', async () => {
    const cookies = await page.context().cookies()
    const other = await somebodyElse(browser, { baseURL: thunder.url })
    await other.context.addCookies(cookies)
    await other.page.goto(at('tie-it'))
    await hydrated(other.page)
    await button(main(other.page), 'Mark Complete').click()
    await expect(outline.getByText('2 of 4 lessons completed')).toBeVisible()
    await other.context.close()
  })

  await test.step('another chapter opens, and its lesson is one press away', async () => {
    await outline.getByText('Chapter 2: The knot').click()
    await outline.getByRole('link', { name: /Tie it/ }).click()
    await expect(page).toHaveURL(at('tie-it'))
    await expect(outline.getByRole('link', { name: /Tie it/ })).toHaveAttribute(
      'aria-current',
      'page',
    )
    await expect(button(main(page), 'Completed')).toBeVisible()
  })
  expect(complaints).toEqual([])
})

/** Whether the box that scrolls shows all of it. */
const isInItsBox = (inside: Locator) =>
  inside.evaluate((element) => {
    let box = element.parentElement!
    while (getComputedStyle(box).overflowY !== 'auto') box = box.parentElement!
    const [inner, outer] = [element.getBoundingClientRect(), box.getBoundingClientRect()]
    return inner.top >= outer.top - 1 && inner.bottom <= outer.bottom + 1
  })

test('the outline of a long course comes in parts', async ({ page, thunder }) => {
  const chapter = (title: string, length: number): Chapter => ({
    title,
    lessons: Array.from({ length }, (_, index) => ({
      title: `${title} ${index + 1}`,
      content: words('Go on.'),
    })),
  })
  const long = await madeCourse(thunder.url, 'A Long Way', () => [
    chapter('Hill', 60),
    chapter('Dale', 60),
  ])
  await learn(page, long, 'Lona Long')
  const html = await (await page.request.get(at('hill-50', long))).text()
  expect(html).toContain(at('hill-60', long))
  expect(html).not.toContain(at('dale-60', long))

  await page.goto(at('hill-50', long))
  await hydrated(page)
  const outline = outlineOf(page)
  await expect.poll(() => isInItsBox(outline.getByRole('link', { name: /Hill 50/ }))).toBe(true)
  expect(await page.evaluate(() => scrollY)).toBe(0)

  await page.route(/\/rest\/v1\/courses\/[^/]+\/outline/, (route) => route.abort())
  await outline.getByText('Chapter 2: Dale').click()
  await expect(outline.getByText('These lessons could not be loaded.')).toBeVisible()
  await page.unrouteAll()
  await button(outline, 'Try again').click()
  await outline.getByRole('link', { name: /Dale 60/ }).click()
  await expect(page).toHaveURL(at('dale-60', long))
  await expect.poll(() => isInItsBox(outline.getByRole('link', { name: /Dale 60/ }))).toBe(true)
  await long.creator.dispose()
})

test('on a phone the outline is a sheet', async ({ page }) => {
  await page.setViewportSize({ width: 375, height: 740 })
  await learn(page, knots, 'Phil Phone')
  await page.goto(at('turn-it'))
  await hydrated(page)
  await expect(outlineOf(page)).toBeHidden()
  const open = page.getByRole('button', { name: /^Course outline/ })
  await open.click()
  const sheet = page.getByRole('dialog', { name: 'Course outline' })
  await expect(sheet.getByRole('link', { name: /Turn it/ })).toBeFocused()
  await expect(sheet.getByText('0 of 4 lessons completed')).toBeVisible()
  await expectNoAxeViolations(page)
  await page.keyboard.press('Escape')
  await expect(sheet).toBeHidden()
  await expect(open).toBeFocused()

  await open.press('Enter')
  await sheet.getByRole('link', { name: /Rest/ }).click()
  await expect(page).toHaveURL(at('rest'))
  await expect(sheet).toBeHidden()
  await expect(page.getByText('No video available for this lesson.')).toBeVisible()
  await expectNoAxeViolations(page)
  await expectNoSidewaysScrolling(page)
})

test('one lesson after the other', async ({ page }) => {
  await learn(page, knots, 'Ada Advance')
  await page.goto(at('hold-it'))
  await hydrated(page)
  const auto = page.getByRole('switch', { name: 'Play the next lesson automatically' })
  const onward = link(main(page), 'Next lesson')

  await test.step('by keyboard', async () => {
    await page.keyboard.press('n')
    await expect(page).toHaveURL(at('turn-it'))
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Turn it')
    await page.keyboard.press('Shift+P')
    await expect(page).toHaveURL(at('hold-it'))
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Hold it')
    // There is nothing before the first.
    await page.keyboard.press('p')
    await expect(page).toHaveURL(at('hold-it'))
  })

  await test.step('off, a button waits at the end', async () => {
    await expect(auto).not.toBeChecked()
    await playTheEnd(page)
    await expect(onward).toBeVisible()
    await page.locator('video').evaluate((video) => {
      ;(video as HTMLVideoElement).currentTime = 1
    })
    await expect(onward).toBeHidden()
  })

  await test.step('a lesson that one comes back to has not ended', async () => {
    await playTheEnd(page)
    await expect(onward).toBeVisible()
    // By this key the next video does not play, which would forget the end as well.
    await page.keyboard.press('n')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Turn it')
    await page.keyboard.press('p')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Hold it')
    await expect(page.locator('video')).toBeVisible()
    await expect(onward).toBeHidden()
  })

  await test.step('on, one can still stay', async () => {
    await auto.check()
    await page.reload()
    await hydrated(page)
    await expect(auto).toBeChecked()
    await focusOnceThere(page, 'Cancel')
    await playTheEnd(page)
    await expect(main(page).getByText('Next: Turn it in 5 seconds')).toBeAttached()
    // Nothing goes on while somebody is about to decide, however long this takes.
    await expect(button(main(page), 'Cancel')).toBeFocused()
    await expectNoAxeViolations(page)
    await page.keyboard.press('Enter')
    await expect(onward).toBeVisible()
    await expect(page).toHaveURL(at('hold-it'))
  })

  await test.step('nobody is led away from what they write, read or chose', async () => {
    const notes = page.getByRole('region', { name: 'Your notes' })
    await notes.scrollIntoViewIfNeeded()
    await notes.getByLabel('New note').pressSequentially('Both ha')
    await playTheEnd(page)
    await expect(onward).toBeVisible()
    await notes.getByLabel('New note').fill('')
    await notes.getByLabel('New note').blur()

    await playTheEnd(page)
    await page.keyboard.press('?')
    await expect(onward).toBeAttached()
    await page.keyboard.press('Escape')

    const { letGo } = await hold(page, /\/dashboard\.data/, 'GET')
    await playTheEnd(page)
    await link(main(page), 'Back to Course').click()
    await expect(onward).toBeVisible()
    letGo()
    await expect(page).toHaveURL(`/course/${knots.slug}/dashboard`)
    await page.unrouteAll({ behavior: 'wait' })
    await page.goto(at('hold-it'))
    await hydrated(page)
  })

  await test.step('in full screen and at their speed', async () => {
    // Keys are the controls', which come after the page.
    await expect(button(page.getByRole('region', { name: /^Video: / }), 'Play')).toBeVisible()
    await page.locator('video').evaluate((video) => {
      ;(video as HTMLVideoElement).currentTime = 1
    })
    await page.keyboard.press('>')
    await expect(page.locator('video')).toHaveJSProperty('playbackRate', 1.25)
    await page.keyboard.press('f')
    await expect.poll(() => page.evaluate(() => document.fullscreenElement !== null)).toBe(true)
    await playTheEnd(page)
    // By itself, after 5 seconds.
    await expect(page).toHaveURL(at('turn-it'))
    // Looked at in one moment, and stopped in it: the end of this one would lead on as well.
    const playing = () =>
      page.locator('video').evaluate((element) => {
        const video = element as HTMLVideoElement
        const isPlaying = video.currentTime > 0 && !video.paused && video.playbackRate === 1.25
        const isAsBefore = isPlaying && document.fullscreenElement !== null
        if (isAsBefore) video.pause()
        return isAsBefore
      })
    await expect.poll(playing).toBe(true)
  })

  await test.step('to one without a video the screen comes back', async () => {
    await focusOnceThere(page, 'Play now')
    await playTheEnd(page)
    await expect(button(main(page), 'Play now')).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(at('rest'))
    await expect.poll(() => page.evaluate(() => document.fullscreenElement === null)).toBe(true)
  })
})

test('the next lesson may be gone by then', async ({ page, thunder }) => {
  const course = await madeCourse(thunder.url, 'Short Lived', () => [
    {
      title: 'All of it',
      lessons: ['Here', 'Gone'].map((title) => ({ title, content: words(title) })),
    },
  ])
  await learn(page, course, 'Goran Gone')
  await page.goto(at('here', course))
  await hydrated(page)
  await saveContent(course.creator, course.id, (chapters) =>
    chapters.map((chapter) => ({ ...chapter, lessons: chapter.lessons.slice(0, 1) })),
  )
  await page.keyboard.press('n')
  await expect(page.getByRole('heading', { name: 'Lesson not found' })).toBeVisible()
  await expect(link(page, 'Back to dashboard')).toHaveAttribute('href', '/dashboard')

  await page.context().addCookies((await course.creator.storageState()).cookies)
  await page.goto(at('here', course))
  await expect(link(main(page), 'Edit lesson content')).toHaveAttribute(
    'href',
    `/create-lessons/${course.id}`,
  )
  await course.creator.dispose()
})

test('private notes', async ({ page, browser, thunder }) => {
  await learn(page, knots, 'Nora Notes')
  await page.goto(at('hold-it'))
  await hydrated(page)
  const notes = page.getByRole('region', { name: 'Your notes' })
  const list = notes.getByRole('listitem')
  const field = notes.getByLabel('New note')
  const video = page.locator('video')
  const secondsOf = () => video.evaluate((element) => (element as HTMLVideoElement).currentTime)

  await test.step('empty', async () => {
    await notes.scrollIntoViewIfNeeded()
    await expect(notes.getByText('Only you can see your notes.')).toBeVisible()
    await expect(notes.getByText('No notes in this lesson yet.')).toBeVisible()
    await button(notes, 'Add note').click()
    await expect(notes.getByText('Please write something first.')).toBeVisible()
  })

  await test.step('one about a moment of the video, one about all of it', async () => {
    await video.evaluate(async (element) => {
      const player = element as HTMLVideoElement
      const seeked = new Promise((resolve) => player.addEventListener('seeked', resolve))
      player.currentTime = 7.4
      await seeked
    })
    await field.click()
    await expect(notes.getByRole('checkbox', { name: 'At 0:07' })).toBeChecked()
    await field.fill('Both hands,\n<b>really</b>')
    await button(notes, 'Add note').click()
    await expect(list).toHaveCount(1)
    await expect(list.first()).toContainText('<b>really</b>')
    await expect(field).toHaveValue('')

    await field.fill('Buy a rope')
    await notes.getByRole('checkbox', { name: /^At / }).uncheck()
    await page.keyboard.press('Tab')
    // An answer that was lost: it is there once.
    const add = () => button(notes, 'Add note').press('Enter')
    await loseAnswer(page, 'POST', add, '**/notes')
    await expect(notes.getByText(/^Your note could not be saved\./)).toBeVisible()
    const again = page.waitForRequest('**/notes')
    await add()
    await expect(list).toHaveCount(2)
    await expect(field).toHaveValue('')
    const stored = await page.request.get((await again).url())
    expect(await stored.json()).toHaveLength(2)
    await expect(list.last().getByRole('button', { name: /^Go to/ })).toHaveCount(0)
    await expectNoAxeViolations(page)
  })

  await test.step('its time leads to the moment', async () => {
    const isKnown = page.waitForResponse(
      (answer) =>
        answer.url().endsWith('/position') && answer.request().postDataJSON().seconds >= 7,
    )
    await video.evaluate((element) => {
      ;(element as HTMLVideoElement).currentTime = 1
    })
    await expect.poll(secondsOf).toBeLessThan(7)
    await button(notes, 'Go to 0:07 in the video').click()
    await expect.poll(secondsOf).toBeGreaterThanOrEqual(7)
    await expect(video).toBeInViewport()
    // The page that is read next begins there.
    await isKnown
  })

  await test.step('they are there again, for their writer', async () => {
    await page.reload()
    await hydrated(page)
    await notes.scrollIntoViewIfNeeded()
    await expect(list).toHaveCount(2)
    const file = page.waitForEvent('download')
    await link(notes, 'Download notes').click()
    expect(await readFile(await (await file).path(), 'utf8')).toBe(
      'Hold it\n\n[0:07] Both hands,\n<b>really</b>\n\nBuy a rope\n',
    )
    const other = await somebodyElse(browser, { baseURL: thunder.url })
    await learn(other.page, knots, 'Nosy Parker')
    await other.page.goto(at('hold-it'))
    await other.page.getByRole('region', { name: 'Your notes' }).scrollIntoViewIfNeeded()
    await expect(other.page.getByText('No notes in this lesson yet.')).toBeVisible()
    await other.context.close()
  })

  await test.step('what could not be saved is not lost', async () => {
    await page.route(/\/notes$/, (route) =>
      route.request().method() === 'POST' ? route.abort() : route.fallback(),
    )
    // A note is about the moment at which it is begun: not before the film is where it was left.
    await expect.poll(secondsOf).toBeGreaterThanOrEqual(7)
    await field.fill('Written on a train')
    await button(notes, 'Add note').click()
    await expect(notes.getByRole('alert')).toContainText('Your note could not be saved.')
    await expect(field).toHaveValue('Written on a train')
    await page.unrouteAll()
    await page.reload()
    await hydrated(page)
    await notes.scrollIntoViewIfNeeded()
    await expect(field).toHaveValue('Written on a train')
    await button(notes, 'Add note').click()
    await expect(list).toHaveCount(3)
    await expect
      .poll(() => page.evaluate(() => Object.keys(localStorage).join(' ')))
      .not.toContain('note:')
  })

  await test.step('changed and deleted', async () => {
    await button(list, 'Edit the note “Written on a train”').click()
    const edited = notes.getByLabel('Your note', { exact: true })
    await expect(edited).toBeFocused()
    await edited.fill('Written on a boat')
    await button(notes, 'Save note').click()
    await expect(list.nth(1)).toContainText('Written on a boat')

    await expect(edited).toBeHidden()

    await button(list, 'Delete the note “Both hands, <b>really</b>”').click()
    const dialog = page.getByRole('alertdialog', { name: 'Delete this note?' })
    await button(dialog, 'Delete note').click()
    await expect(dialog).toBeHidden()
    await expect(list).toHaveCount(2)
    await page.reload()
    await notes.scrollIntoViewIfNeeded()
    await expect(list).toContainText(['Written on a boat', 'Buy a rope'])
  })

  await test.step('what is written while a note is on its way stays', async () => {
    const adding = await hold(page, /\/notes$/)
    await field.fill('Wet')
    await button(notes, 'Add note').click()
    await field.press('End')
    await field.pressSequentially(' ropes')
    adding.letGo()
    await expect(list).toHaveCount(3)
    await expect(field).toHaveValue('Wet ropes')
    await field.fill('')

    // An answer that comes late closes no other note.
    const changing = await hold(page, /\/notes\/[^/]+$/, 'PATCH')
    await button(list, 'Edit the note “Written on a boat”').click()
    const edited = notes.getByLabel('Your note', { exact: true })
    await edited.fill('Written on a ship')
    await button(notes, 'Save note').click()
    await button(list, 'Edit the note “Buy a rope”').click()
    await expect(edited).toHaveValue('Buy a rope')
    changing.letGo()
    await expect(list.filter({ hasText: 'Written on a ship' })).toBeVisible()
    await expect(edited).toHaveValue('Buy a rope')
    await expect(edited).toBeFocused()
    await button(notes, 'Cancel').click()
    await button(list, 'Delete the note “Wet”').click()
    await button(page.getByRole('alertdialog'), 'Delete note').click()
    await expect(list).toHaveCount(2)
    await page.unrouteAll({ behavior: 'wait' })
  })

  await test.step('a list that does not come can be asked for again', async () => {
    await page.route(/\/notes$/, (route) => route.abort())
    await page.reload()
    await hydrated(page)
    await notes.scrollIntoViewIfNeeded()
    await expect(notes.getByText('Your notes could not be loaded')).toBeVisible()
    await page.unrouteAll()
    await button(notes, 'Try again').click()
    await expect(list).toHaveCount(2)
  })

  const { request } = page
  const content = await knots.creator.get(`/rest/v1/courses/${knots.id}/content`)
  const lessonId = (await content.json()).chapters[0].lessons[0].id
  const path = `/rest/v1/lessons/${lessonId}/notes`
  const edited = notes.getByLabel('Your note', { exact: true })
  const idOf = async (text: string) => {
    const found: { id: string; text: string }[] = await (await request.get(path)).json()
    return found.find((note) => note.text === text)!.id
  }
  const changeOnPhone = async (id: string, data: object) => {
    expect((await request.patch(`${path}/${id}`, { data })).status()).toBe(200)
  }
  const deleteOnPhone = async (id: string) => {
    expect((await request.delete(`${path}/${id}`)).status()).toBe(200)
  }

  await test.step('one that was changed on another device is neither lost nor hidden', async () => {
    const changed = notes.getByRole('status').filter({ hasText: 'on another device' })
    const id = await idOf('Buy a rope')
    const onPhone = (text: string) => changeOnPhone(id, { text })

    await button(list, 'Edit the note “Buy a rope”').click()
    await edited.fill('Buy a rope now')
    await onPhone('Buy a rope, two hooks and a bag')
    await page.reload()
    await hydrated(page)
    await notes.scrollIntoViewIfNeeded()
    await button(list, 'Edit the note “Buy a rope, two hooks and a bag”').click()
    await expect(edited).toHaveValue('Buy a rope now')
    await expect(changed).toContainText('Buy a rope, two hooks and a bag')
    await expectNoAxeViolations(page)
    await button(notes, 'Cancel').click()
    await expect(list.last()).toContainText('Buy a rope, two hooks and a bag')

    await button(list, 'Edit the note “Buy a rope, two hooks and a bag”').click()
    await expect(edited).toHaveValue('Buy a rope, two hooks and a bag')
    await expect(changed).toBeHidden()
    await edited.fill('Buy two ropes')
    await onPhone('Buy three ropes')
    await button(notes, 'Save note').click()
    await expect(notes.getByRole('alert')).toContainText('Your note is not saved yet.')
    await expect(changed).toContainText('Buy three ropes')
    await expect(edited).toHaveValue('Buy two ropes')
    await button(notes, 'Save note').click()
    await expect(edited).toBeHidden()
    await expect(list.last()).toContainText('Buy two ropes')

    await onPhone('Buy four ropes')
    await comeBack(page)
    await expect(list.last()).toContainText('Buy four ropes')
    // What is only looked at follows.
    await button(list, 'Edit the note “Buy four ropes”').click()
    await onPhone('Buy five ropes')
    await comeBack(page)
    await expect(edited).toHaveValue('Buy five ropes')
    await button(notes, 'Cancel').click()
  })

  await test.step('the words for one that is deleted on another device become a new one', async () => {
    const told = notes.getByRole('status').filter({ hasText: 'on another device' })
    const isDeleted = /^This note was deleted in another tab or on another device meanwhile\./
    await button(list, 'Edit the note “Buy five ropes”').click()
    await changeOnPhone(await idOf('Buy five ropes'), { text: 'Buy five long ropes' })
    await comeBack(page)
    await expect(edited).toHaveValue('Buy five long ropes')
    await edited.fill('Buy six ropes')
    await deleteOnPhone(await idOf('Buy five long ropes'))
    await comeBack(page)
    await expect(told).toHaveText(isDeleted)
    await expect(edited).toHaveValue('Buy six ropes')
    await expectNoAxeViolations(page)
    await button(notes, 'Save note').click()
    await expect(edited).toBeHidden()
    await expect(list.last()).toContainText('Buy six ropes')
    await expect(list).toHaveCount(2)

    // Who did not look away finds out by saving.
    await button(list, 'Edit the note “Buy six ropes”').click()
    await edited.fill('Buy seven ropes')
    await deleteOnPhone(await idOf('Buy six ropes'))
    await button(notes, 'Save note').click()
    await expect(notes.getByRole('alert')).toContainText('Note not found')
    await expect(told).toHaveText(isDeleted)
    await expect(edited).toHaveValue('Buy seven ropes')
    await button(notes, 'Save note').click()
    await expect(edited).toBeHidden()
    await expect(list.last()).toContainText('Buy seven ropes')

    await button(list, 'Edit the note “Buy seven ropes”').click()
    await deleteOnPhone(await idOf('Buy seven ropes'))
    await comeBack(page)
    await expect(told).toHaveText(isDeleted)
    await button(notes, 'Cancel').click()
    await expect(list).toHaveCount(1)
  })

  await test.step('the words for one that was deleted stay when another one is changed', async () => {
    expect((await request.post(path, { data: { text: 'Buy a hook' } })).status()).toBe(200)
    await comeBack(page)
    await button(list, 'Edit the note “Buy a hook”').click()
    await edited.fill('Buy two hooks')
    await deleteOnPhone(await idOf('Buy a hook'))
    await comeBack(page)
    const gone = list.filter({ hasText: 'This note was deleted' })
    await expect(gone).toBeVisible()
    await button(list, 'Edit the note “Written on a ship”').click()
    const other = list.filter({ has: page.getByRole('textbox') }).filter({ hasNotText: 'deleted' })
    await expect(other.getByRole('textbox')).toBeFocused()
    await expect(gone.getByRole('textbox')).toHaveValue('Buy two hooks')
    await expectNoAxeViolations(page)
    await button(other, 'Cancel').click()
    await expect(list).toContainText(['Written on a ship'])

    // Who writes on while they are saved goes on with the new note.
    const adding = await hold(page, /\/notes$/)
    await button(gone, 'Save note').click()
    await edited.press('End')
    await edited.pressSequentially(' and a bag')
    adding.letGo()
    await expect(gone).toHaveCount(0)
    await expect(edited).toHaveValue('Buy two hooks and a bag')
    await expect(edited).toBeFocused()
    await button(list, 'Save note').click()
    await expect(edited).toBeHidden()
    await expect(list).toHaveCount(2)
    await expect(list.last()).toContainText('Buy two hooks and a bag')
    await page.unrouteAll({ behavior: 'wait' })
    await expect
      .poll(() => page.evaluate(() => Object.keys(localStorage).join(' ')))
      .not.toContain('note:')
    await deleteOnPhone(await idOf('Buy two hooks and a bag'))
    await comeBack(page)
    await expect(list).toHaveCount(1)
  })

  await test.step('its moment and its text are changed on two devices, each on its own', async () => {
    const moment = list.getByRole('checkbox', { name: 'At 0:07' })
    const id = await idOf('Written on a ship')
    const asSaved = async () =>
      (await (await request.get(path)).json()).find((note: { id: string }) => note.id === id)

    await changeOnPhone(id, { seconds: 7 })
    await comeBack(page)
    await button(list, 'Edit the note “Written on a ship”').click()
    await expect(moment).toBeChecked()
    await changeOnPhone(id, { seconds: null })
    await edited.fill('Written on a ship at sea')
    await button(notes, 'Save note').click()
    await expect(edited).toBeHidden()
    await expect(list.getByRole('button', { name: /^Go to/ })).toHaveCount(0)
    expect(await asSaved()).toMatchObject({ text: 'Written on a ship at sea', seconds: null })

    await changeOnPhone(id, { seconds: 7 })
    await comeBack(page)
    await button(list, 'Edit the note “Written on a ship at sea”').click()
    await moment.uncheck()
    await changeOnPhone(id, { text: 'Written ashore' })
    await comeBack(page)
    await expect(edited).toHaveValue('Written ashore')
    await expect(moment).not.toBeChecked()
    await button(notes, 'Save note').click()
    await expect(edited).toBeHidden()
    expect(await asSaved()).toMatchObject({ text: 'Written ashore', seconds: null })
  })
})

/** As when somebody looks at another tab for a moment; the notes are read again by the time that this is done. */
async function comeBack(page: Page) {
  const read = page.waitForResponse((response) => response.url().endsWith('/notes'))
  await lookAwayAndBack(page)
  await (await read).finished()
}

test('help with the keys', async ({ page }) => {
  await learn(page, knots, 'Kim Keys')
  await page.goto(at('turn-it'))
  await hydrated(page)
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  const open = button(main(page), 'Keyboard shortcuts')

  await page.keyboard.press('?')
  await expect(help.getByRole('term').filter({ hasText: 'Play or pause' })).toBeVisible()
  await expect(help.getByRole('term').filter({ hasText: 'Next lesson' })).toBeVisible()
  await expectNoAxeViolations(page)
  // Keys rest while a dialog is open.
  await page.keyboard.press('n')
  await page.keyboard.press('Escape')
  await expect(help).toBeHidden()
  await expect(page).toHaveURL(at('turn-it'))

  await open.click()
  await help.getByRole('checkbox', { name: 'Keys work on the whole page' }).uncheck()
  await page.keyboard.press('Escape')
  await expect(open).toBeFocused()
  await page.keyboard.press('n')
  await page.keyboard.press('?')
  await expect(help).toBeHidden()
  await expect(page).toHaveURL(at('turn-it'))

  await test.step('nor do they work while somebody writes', async () => {
    await open.click()
    await help.getByRole('checkbox', { name: 'Keys work on the whole page' }).check()
    await page.keyboard.press('Escape')
    const field = page.getByLabel('New note')
    await page.getByRole('region', { name: 'Your notes' }).scrollIntoViewIfNeeded()
    await field.pressSequentially('never?')
    await expect(field).toHaveValue('never?')
    await expect(page).toHaveURL(at('turn-it'))
  })
})

test('without JavaScript it reads and completes', async ({ browser, thunder }) => {
  const { context, page } = await somebodyElse(browser, {
    baseURL: thunder.url,
    javaScriptEnabled: false,
    viewport: { width: 375, height: 740 },
  })
  await learn(page, knots, 'Nils Noscript')
  await page.goto(at('hold-it'))
  await expect(page.getByText('One end in each hand.')).toBeVisible()
  await expect(page.locator('video[controls]')).toBeVisible()
  await expect(button(main(page), 'Keyboard shortcuts')).toBeHidden()
  await button(main(page), 'Mark Complete').click()
  await expect(page.getByText(/^Completed on/)).toBeVisible()
  await page.getByRole('button', { name: /^Course outline/ }).click()
  await expect(page).toHaveURL(new RegExp(`/course/${knots.slug}/dashboard`))
  await expect(page.getByText('1 of 4 lessons completed')).toBeVisible()

  await page.setViewportSize({ width: 1280, height: 800 })
  await page.goto(at('hold-it'))
  await outlineOf(page).getByText('Chapter 2: The knot').click()
  await outlineOf(page)
    .getByRole('link', { name: /Tie it/ })
    .click()
  await expect(page.getByText('Right over left.')).toBeVisible()
  await context.close()
})

test('in a low window all of what stands beside a lesson is in sight', async ({ page }) => {
  await signedUp(page.request, 'Lou Low')
  const titles = Array.from({ length: 30 }, (_, index) => `Step ${index + 1}`)
  const { slug } = await publishedCourse(page.request, 'A Long Way', titles)
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.goto(`/course/${slug}/lesson/step-1`)
  const outline = page.getByRole('navigation', { name: 'Course outline' })
  for (const part of [button(page, 'Mark Complete'), outline]) {
    await expect(part).toBeInViewport({ ratio: 1 })
  }
})
