// What a creator puts beside a video, or instead of a file: captions, and the address of a video elsewhere.
import type { Page } from '@playwright/test'
import {
  complaintsOf,
  expect,
  expectNoAxeViolations,
  expectNoSidewaysScrolling,
  hold,
  hydrated,
  publishedCourse,
  signedUp,
  test,
} from './journey.ts'
import { loseAnswer } from './lose-answer.ts'

const srt = (name: string, lines: string[]) => ({
  name,
  mimeType: 'application/x-subrip',
  buffer: Buffer.from(lines.join('\r\n')),
})

async function openLesson(page: Page, courseId: string, lesson: string) {
  await page.goto(`/create-lessons/${courseId}`)
  await hydrated(page)
  await page.getByRole('button', { name: new RegExp(`^${lesson}`) }).click()
}

async function save(page: Page) {
  await page.getByRole('button', { name: 'Save Changes' }).click()
  // Whoever has saved is led away; what the editor says of it is there for a moment only.
  await expect(page).toHaveURL(/\/dashboard$/)
}

async function expectNothingSideways(page: Page) {
  for (const width of [375, 1280]) {
    await page.setViewportSize({ width, height: 812 })
    await expectNoSidewaysScrolling(page)
  }
}

test('captions come from a file, are edited one by one, and are words for whoever watches', async ({
  page,
}) => {
  const complaints = complaintsOf(page)
  await signedUp(page.request, 'Cap Tioner')
  const course = await publishedCourse(page.request, 'Tea with captions', ['Green', 'Black'])
  await openLesson(page, course.id, 'Green')
  const captions = page.getByRole('group', { name: 'Captions', exact: true })
  const file = captions.getByLabel('Choose a captions file')
  const dialog = page.getByRole('dialog', { name: 'Captions in English' })

  await test.step('once the video is there', async () => {
    await expect(page.getByLabel('Choose a video')).toBeAttached()
    await expect(captions).toHaveCount(0)
    await page.getByLabel('Choose a video').setInputFiles('test/fixtures/lesson.mp4')
    await expect(captions).toBeVisible()
    await expect(captions.getByText('They are stored at once')).toBeVisible()
  })

  await test.step('a file with broken times is refused with its line', async () => {
    const lines = ['1', '00:00:00,000 --> soon', 'Hello']
    await file.setInputFiles(srt('broken.srt', lines))
    await expect(captions.getByRole('alert')).toContainText(
      '“broken.srt”: Line 2: “00:00:00,000 --> soon” are no times.',
    )
    await expect(captions.getByRole('listitem')).toHaveCount(0)
  })

  await test.step('a good one is stored', async () => {
    const first = ['1', '00:00:00,000 --> 00:00:01,000', '<i>Hi</i> <script>alert(1)</script>', '']
    const second = ['2', '00:00:00,100 --> 00:00:02,000', 'Pour the watr.']
    await file.setInputFiles(srt('tea.srt', [...first, ...second]))
    await expect(captions.getByRole('status')).toContainText('English: 2 captions saved.')
    await expect(captions.getByRole('alert')).toHaveCount(0)
    await expect(captions.getByRole('listitem')).toContainText('English 2 captions')
  })

  await test.step('and mended, with what is wrong said beside it', async () => {
    await captions.getByRole('button', { name: 'Edit captions in English' }).click()
    const first = dialog.getByRole('group', { name: 'Caption 1' })
    const second = dialog.getByRole('group', { name: 'Caption 2' })
    await expect(first.getByLabel('Text')).toHaveValue('Hi <script>alert(1)</script>')
    await second.getByLabel('Text').fill('Pour the water.')
    await second.getByLabel('End').fill('0:00')
    await dialog.getByRole('button', { name: 'Save captions' }).click()
    await expect(dialog.getByRole('alert')).toContainText('Caption 2: It ends at 00:00:00.000')
    await expect(second.getByLabel('Start')).toBeFocused()
    await expectNothingSideways(page)
    await expectNoAxeViolations(page)

    await second.getByLabel('End').fill('0:01.5')
    await second.getByRole('button', { name: 'Add a caption after caption 2' }).click()
    const third = dialog.getByRole('group', { name: 'Caption 3' })
    await expect(third.getByLabel('Text')).toBeFocused()
    await expect(third.getByLabel('Start')).toHaveValue('00:00:01.500')
    await third.getByRole('button', { name: 'Remove caption 3' }).click()

    await page.keyboard.press('Escape')
    const question = page.getByRole('alertdialog', { name: 'Close without saving?' })
    await question.getByRole('button', { name: 'Go on editing' }).click()

    const address = '**/rest/v1/media/*/captions/en'
    await page.route(address, (route) => route.abort())
    await dialog.getByRole('button', { name: 'Save captions' }).click()
    await expect(dialog.getByRole('alert')).toBeVisible()
    await expect(second.getByLabel('Text')).toHaveValue('Pour the water.')
    await page.unroute(address)
    const { held, letGo } = await hold(page, /\/captions\/en$/, 'PUT')
    await dialog.getByRole('button', { name: 'Save captions' }).click()
    await expect.poll(() => held.length).toBe(1)
    const words = dialog.locator('[data-cue="text"]').last()
    await words.focus()
    await expect(words).not.toBeFocused()
    letGo()
    await expect(dialog).toHaveCount(0)
    await expect(captions.getByRole('status')).toContainText('English: 2 captions saved.')
  })

  await test.step('they can be taken along, and written by hand in another language', async () => {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      captions.getByRole('button', { name: 'Download captions in English' }).click(),
    ])
    expect(download.suggestedFilename()).toBe('lesson.en.vtt')
    await captions.getByLabel('Language').selectOption('German')
    await captions.getByRole('button', { name: 'Write them here' }).click()
    const german = page.getByRole('dialog', { name: 'Captions in German' })
    await german.getByRole('button', { name: 'Add a caption at the end' }).click()
    await expect(german.getByLabel('Text')).toBeFocused()
    await page.keyboard.type('Wasser eingießen.')
    await german.getByRole('button', { name: 'Save captions' }).click()
    await expect(captions.getByRole('status')).toContainText('German: 1 caption saved.')

    const { held, letGo } = await hold(page, /\/captions\/en$/, 'GET')
    await captions.getByRole('button', { name: 'Edit captions in English' }).click()
    await expect.poll(() => held.length).toBe(1)
    await captions
      .getByRole('button', { name: 'Edit captions in German' })
      .click({ force: true, noWaitAfter: true })
    letGo()
    const first = dialog.getByRole('group', { name: 'Caption 1' })
    await expect(first.getByLabel('Text')).toHaveValue('Hi <script>alert(1)</script>')
    await dialog.getByRole('button', { name: 'Cancel' }).click()

    await captions.getByRole('button', { name: 'Remove captions in German' }).click()
    const remove = page.getByRole('button', { name: 'Remove captions', exact: true })
    await loseAnswer(page, 'DELETE', () => remove.click())
    await expect(page.getByText('Failed to remove captions. Please try again.')).toBeVisible()
    await remove.click()
    await expect(remove).toBeHidden()
    await expect(captions.getByRole('listitem')).toHaveCount(1)
    await expectNoAxeViolations(page)
  })

  await test.step('a learner’s browser shows them as words', async () => {
    await save(page)
    const path = `/rest/v1/courses/${course.slug}/lessons/green`
    const { video } = await (await page.request.get(path)).json()
    expect(video.captions).toEqual([
      { language: 'en', label: 'English', url: expect.stringMatching(/\/captions\/en\.vtt$/) },
    ])
    const served = await page.request.get(video.captions[0].url)
    expect(served.headers()['content-type']).toMatch(/^text\/vtt/)
    expect(await served.text()).toContain('Hi &lt;script&gt;alert(1)&lt;/script&gt;')

    const shown = await page.evaluate(async (address: string) => {
      const film = document.createElement('video')
      const track = Object.assign(document.createElement('track'), { src: address, default: true })
      film.append(track)
      document.body.append(film)
      track.track.mode = 'hidden'
      await new Promise((resolve) => track.addEventListener('load', resolve))
      const cues = [...(track.track.cues ?? [])] as VTTCue[]
      film.remove()
      return cues.map((cue) => {
        const text = cue.getCueAsHTML()
        return {
          end: cue.endTime,
          text: text.textContent,
          elements: text.querySelectorAll('*').length,
        }
      })
    }, video.captions[0].url)
    expect(shown).toEqual([
      { end: 1, text: 'Hi <script>alert(1)</script>', elements: 0 },
      { end: 1.5, text: 'Pour the water.', elements: 0 },
    ])
  })

  await test.step('what is not saved of them is lost neither by Back nor by Escape again and again', async () => {
    await page.locator(`a[href="/create-lessons/${course.id}"]`).click()
    await page.getByRole('button', { name: /^Green/ }).click()
    const { held, letGo } = await hold(page, /\/content$/, 'PUT')
    await page.getByRole('button', { name: 'Save Changes' }).click()
    await expect.poll(() => held.length).toBe(1)
    await captions.getByRole('button', { name: 'Edit captions in English' }).click()
    const words = dialog.getByLabel('Text').last()
    await words.fill('Pour slowly.')
    letGo()
    await expect(
      page.getByText('Saved. What you did meanwhile is not saved yet.').first(),
    ).toBeVisible()
    await expect(words).toHaveValue('Pour slowly.')
    await page.goBack()
    const leaving = page.getByRole('alertdialog', { name: 'Leave without saving?' })
    await expect(leaving).toContainText('What you changed in the captions is lost.')
    await leaving.getByRole('button', { name: 'Stay on this page' }).click()
    await expect(words).toHaveValue('Pour slowly.')

    // Within a row of them the browser closes the editor at one, whatever the page says to it; with a look in between
    // it would listen to the page. At which one, and so whether the question stands at the end, is up to its pace.
    for (let presses = 0; presses < 3; presses++) await page.keyboard.press('Escape')
    const question = page.getByRole('alertdialog', { name: 'Close without saving?' })
    await expect(async () => {
      await expect(words).toHaveValue('Pour slowly.', { timeout: 2_000 })
      if (!(await question.isVisible())) await page.keyboard.press('Escape')
      await expect(question).toBeVisible({ timeout: 2_000 })
    }).toPass()
    await question.getByRole('button', { name: 'Go on editing' }).click()
    await expect(words).toBeVisible()
    await expect(words).toHaveValue('Pour slowly.')

    await page.keyboard.press('Escape')
    await question.getByRole('button', { name: 'Close without saving' }).click()
    await expect(dialog).toHaveCount(0)
    await page.goBack()
    await expect(page).toHaveURL(/\/dashboard$/)
  })
  expect(complaints).toEqual([])
})

test('captions that another tab saved meanwhile are opened as they are, and not written over without a word', async ({
  page,
}) => {
  await signedUp(page.request, 'Two Tabs')
  const course = await publishedCourse(page.request, 'Tea in two tabs', ['Green'])
  await openLesson(page, course.id, 'Green')
  await page.getByLabel('Choose a video').setInputFiles('test/fixtures/lesson.mp4')
  const captions = page.getByRole('group', { name: 'Captions', exact: true })
  await expect(captions.getByLabel('Choose a captions file')).toBeAttached()
  const src = await page.getByLabel('Preview of lesson.mp4').getAttribute('src')
  const mediaId = /videos\/([\da-f-]{36})\//.exec(src ?? '')?.[1]
  const path = (language: string) => `/rest/v1/media/${mediaId}/captions/${language}`
  const saveElsewhere = async (language: string, text: string) => {
    const data = { cues: [{ start: 0, end: 1, text }] }
    expect((await page.request.put(path(language), { data })).status()).toBe(200)
  }
  const stored = async (language: string) =>
    (await (await page.request.get(path(language))).json()).cues[0].text
  const changed = 'These captions were changed in another tab or by somebody else meanwhile.'

  await test.step('in a language that this tab knows nothing of', async () => {
    await saveElsewhere('fr', 'D’abord')
    await captions.getByLabel('Language').selectOption('French')
    await captions.getByRole('button', { name: 'Write them here' }).click()
    const dialog = page.getByRole('dialog', { name: 'Captions in French' })
    const words = dialog.getByLabel('Text')
    await expect(words).toHaveValue('D’abord')

    await saveElsewhere('fr', 'Ensuite')
    await words.fill('Enfin')
    await dialog.getByRole('button', { name: 'Save captions' }).click()
    await expect(dialog.getByRole('alert')).toContainText(changed)
    await expect(words).toHaveValue('Enfin')
    expect(await stored('fr')).toBe('Ensuite')
    await expectNothingSideways(page)
    await expectNoAxeViolations(page)
    await dialog.getByRole('button', { name: 'Replace them with mine' }).click()
    await expect(captions.getByRole('status')).toContainText('French: 1 caption saved.')
    expect(await stored('fr')).toBe('Enfin')
  })

  await test.step('nor by a file, which may be chosen once more', async () => {
    await saveElsewhere('it', 'Prima')
    const tea = srt('tea.srt', ['1', '00:00:00,000 --> 00:00:01,000', 'Dopo', ''])
    await captions.getByLabel('Language').selectOption('Italian')
    await captions.getByLabel('Choose a captions file').setInputFiles(tea)
    await expect(captions.getByRole('alert')).toContainText(`“tea.srt”: ${changed}`)
    await expect(captions.getByRole('listitem')).toHaveText([/^French/, /^Italian/])
    expect(await stored('it')).toBe('Prima')
    await captions.getByLabel('Language').selectOption('Italian (has captions)')
    await captions.getByLabel('Replace with a file').setInputFiles(tea)
    await expect(captions.getByRole('status')).toContainText('Italian: 1 caption saved.')
    expect(await stored('it')).toBe('Dopo')
  })
})

test('a lesson shows a video from elsewhere', async ({ page }) => {
  const complaints = complaintsOf(page)
  await signedUp(page.request, 'Link Er')
  const course = await publishedCourse(page.request, 'Tea from elsewhere', ['Green', 'Black'])
  await openLesson(page, course.id, 'Black')
  const address = page.getByLabel('Video address')
  const link = page.getByRole('button', { name: 'Link to a video instead' })

  await test.step('what the address is recognised as is said at once', async () => {
    await link.click()
    await expect(address).toBeFocused()
    await expect(page.getByLabel('Choose a video')).toHaveCount(0)
    await page.keyboard.type('my film')
    await page.keyboard.press('Tab')
    await expect(address).toHaveAccessibleDescription(/Enter a web address such as/)
    await address.fill('https://example.com/tea.mp4')
    await expect(page.getByText('Plays as a file')).toBeVisible()
    await address.fill('https://youtu.be/dQw4w9WgXcQ?t=43')
    await expect(page.getByText('YouTube video')).toBeVisible()
    await expect(page.getByRole('link', { name: 'Open in a new tab' })).toHaveAttribute(
      'href',
      'https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=43s',
    )
    await expectNothingSideways(page)
    await expectNoAxeViolations(page)
  })

  await test.step('an address that is none is not saved', async () => {
    await address.fill('javascript:alert(1)')
    await page.getByRole('button', { name: 'Save Changes' }).click()
    await expect(
      page.getByText('“Black”: Video address must be a web address').first(),
    ).toBeVisible()
  })

  await test.step('it is there after a reload, and members get it', async () => {
    await address.fill('https://youtu.be/dQw4w9WgXcQ?t=43')
    await save(page)
    await openLesson(page, course.id, 'Black')
    await expect(address).toHaveValue('https://youtu.be/dQw4w9WgXcQ?t=43')
    const path = `/rest/v1/courses/${course.slug}/lessons/black`
    expect((await (await page.request.get(path)).json()).video).toEqual({
      kind: 'link',
      url: 'https://youtu.be/dQw4w9WgXcQ?t=43',
    })
  })

  await test.step('and gives way to a file', async () => {
    await page.getByRole('button', { name: 'Remove link' }).click()
    await expect(link).toBeFocused()
    await page.getByLabel('Choose a video').setInputFiles('test/fixtures/lesson.mp4')
    await expect(page.getByRole('button', { name: 'Remove video' })).toBeVisible()
    await expect(link).toHaveCount(0)
    await save(page)
    const content = await page.request.get(`/rest/v1/courses/${course.id}/content`)
    const [, black] = (await content.json()).chapters[0].lessons
    expect([black.video.filename, black.videoUrl]).toEqual(['lesson.mp4', null])
  })
  expect(complaints).toEqual([])
})
