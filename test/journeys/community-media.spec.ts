// Images and videos below posts: chosen, pasted, arranged, refused in words, and looked at by others.
import { readFile } from 'node:fs/promises'
import type { Locator, Page } from '@playwright/test'
import sharp from 'sharp'
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
} from './journey.ts'

const colours = ['#5b28dc', '#e0a100', '#0f8a5f', '#c2305a']

const picture = (name: string, number = 0, width = 900, height = 600) =>
  sharp({ create: { width, height, channels: 3, background: colours[number % 4]! } })
    .png()
    .toBuffer()
    .then((buffer) => ({ name, mimeType: 'image/png', buffer }))

const discussion = (slug: string) => `/course/${slug}/dashboard?tab=discussion`

const composer = (page: Page) => page.getByRole('form', { name: 'New post' })
const chooser = (page: Page) => composer(page).getByLabel('Images and videos')
const tiles = (page: Page) =>
  composer(page).getByRole('list', { name: 'Attachments' }).getByRole('listitem')

async function openComposer(page: Page, slug: string, text: string) {
  await page.goto(discussion(slug))
  await hydrated(page)
  await page.getByRole('button', { name: /^Write something/ }).click()
  await composer(page).getByRole('textbox', { name: 'Write a post' }).fill(text)
}

async function publish(page: Page) {
  await composer(page).getByRole('button', { name: 'Post', exact: true }).click()
  await expect(composer(page)).toHaveCount(0)
}

const postWith = (page: Page, text: string) =>
  page.getByRole('article').filter({ has: page.getByText(text) })

/** Of each picture below a post: its part of the width, in tenths, and where it begins. */
const placesOf = (post: Locator) =>
  post.getByRole('img').evaluateAll((images) =>
    images.map((image) => {
      const { width, top } = image.getBoundingClientRect()
      const whole = image.closest('ul')!.getBoundingClientRect().width
      return { share: Math.round((width / whole) * 10) / 10, top }
    }),
  )

/** A picture that is shown, not only named. */
const expectLoaded = (page: Page, name: string) =>
  expect
    .poll(() =>
      page
        .getByRole('img', { name })
        .last()
        .evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth > 0),
    )
    .toBe(true)

test('pictures and videos go below a post, and members look at them', async ({ page, browser }) => {
  const complaints = complaintsOf(page)
  const ann = await signedUp(page.request, 'Ann Arranger')
  const { id: courseId, slug } = await publishedCourse(page.request, 'Pictures of the sea')
  const phone = await somebodyElse(browser, {
    viewport: { width: 375, height: 812 },
    hasTouch: true,
  })
  await signedUp(phone.page.request, 'Ben on a Phone')
  const joined = await phone.page.request.post('/rest/v1/enrollments', { data: { courseId } })
  expect(joined.ok(), await joined.text()).toBe(true)

  await test.step('what is wrong is said in words', async () => {
    await openComposer(page, slug, 'Look at the sea')
    await expect(composer(page)).toContainText('Images up to 10MB, videos up to 50MB.')
    await chooser(page).setInputFiles([
      { name: 'notes.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF') },
      {
        name: 'photo.png',
        mimeType: 'image/png',
        buffer: Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic'),
      },
      { name: 'empty.png', mimeType: 'image/png', buffer: Buffer.alloc(0) },
    ])
    await expect(composer(page).getByText('Not added: “notes.pdf”.')).toBeVisible()
    await expect(tiles(page).nth(0)).toContainText('Please upload an image file')
    await expect(tiles(page).nth(1)).toContainText('This file is empty')
    await composer(page).getByRole('button', { name: 'Post', exact: true }).click()
    await expect(composer(page)).toContainText('could not be uploaded')
    await expectNoAxeViolations(page)
    await composer(page).getByRole('button', { name: 'Remove: 1, photo.png' }).click()
    await composer(page).getByRole('button', { name: 'Remove: 1, empty.png' }).click()
    await expect(tiles(page)).toHaveCount(0)
  })

  await test.step('buttons stay below the pointer while an upload ends', async () => {
    const upload = await hold(page, /\/storage\/v1\/uploads/)
    await chooser(page).setInputFiles([await picture('slow.png', 0, 60, 40)])
    await expect(tiles(page).getByRole('progressbar')).toBeVisible()
    await expect.poll(() => upload.held.length).toBe(1)
    const remove = composer(page).getByRole('button', { name: 'Remove: 1, slow.png' })
    await remove.hover()
    await page.mouse.down()
    upload.letGo()
    await expect(composer(page).getByRole('progressbar')).toHaveCount(0)
    await page.mouse.up()
    await expect(tiles(page)).toHaveCount(0)
  })

  await test.step('forty chosen at once are ten', async () => {
    const one = await picture('', 0, 60, 40)
    const many = Array.from({ length: 40 }, (_, index) => ({ ...one, name: `${index + 1}.png` }))
    await chooser(page).setInputFiles(many)
    await expect(tiles(page)).toHaveCount(10)
    await expect(composer(page)).toContainText('“22.png” and 18 more')
    for (let left = 10; left > 0; left -= 1) {
      await composer(page).getByRole('button', { name: 'Remove: 1, ' }).click()
      await expect(tiles(page)).toHaveCount(left - 1)
    }
  })

  await test.step('chosen, pasted and linked ones are arranged and published', async () => {
    await chooser(page).setInputFiles([await picture('one.png', 0), await picture('two.png', 1)])
    const { buffer } = await picture('pasted.png', 2, 300, 900)
    await composer(page)
      .getByRole('textbox', { name: 'Write a post' })
      .evaluate(
        (field, bytes) => {
          const clipboardData = new DataTransfer()
          const file = new File([new Uint8Array(bytes)], 'pasted.png', { type: 'image/png' })
          clipboardData.items.add(file)
          field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }))
        },
        [...buffer],
      )
    await expect(tiles(page)).toHaveCount(3)
    await composer(page).getByRole('button', { name: 'Video link' }).click()
    const link = composer(page).getByRole('textbox', { name: 'Video link' })
    await link.fill('https://example.com/film.mp4')
    await expect(composer(page)).toContainText(
      'Please use a link from YouTube, Vimeo, Loom or Wistia.',
    )
    await link.fill('https://youtu.be/dQw4w9WgXcQ')
    await link.press('Enter')
    await expect(tiles(page).nth(3)).toContainText('Video from YouTube')
    const later = composer(page).getByRole('button', { name: 'Move later: 1, one.png' })
    await later.press('Enter')
    await expect(tiles(page).nth(0)).toContainText('two.png')
    await expect(
      composer(page).getByRole('button', { name: 'Move later: 2, one.png' }),
    ).toBeFocused()
    await expect(composer(page).getByText('one.png is now 2 of 4.')).toBeAttached()
    await expect(composer(page).getByRole('progressbar')).toHaveCount(0)
    await publish(page)
    await expect(postWith(page, 'Look at the sea').getByRole('img')).toHaveCount(3)
  })

  await test.step('two are side by side; the last of three has the whole width', async () => {
    const [first, second, third] = await placesOf(postWith(page, 'Look at the sea'))
    expect([first!.share, second!.share, third!.share]).toEqual([0.5, 0.5, 1])
    expect(second!.top).toBe(first!.top)
    expect(third!.top).toBeGreaterThan(first!.top)
  })

  await test.step('a member looks at them on a phone', async () => {
    const asked: string[] = []
    phone.page.on('request', (request) => asked.push(new URL(request.url()).host))
    await phone.page.goto(discussion(slug))
    await hydrated(phone.page)
    const name = `Image 1 of 3 by ${ann.name}`
    await expectLoaded(phone.page, name)
    await expectNoSidewaysScrolling(phone.page)
    const box = phone.page.getByRole('dialog')
    // Its code comes after the page's: a tap before that does nothing.
    await expect(async () => {
      if (!(await box.isVisible())) await phone.page.getByRole('button', { name }).tap()
      await expect(box).toBeVisible({ timeout: 5000 })
    }).toPass()
    await expect(box).toContainText('1 / 3')
    await box.evaluate((dialog) => {
      const image = dialog.querySelector('img')!
      const at = (clientX: number) =>
        new Touch({ identifier: 1, target: image, clientX, clientY: 400 })
      const told = (type: string, touches: Touch[], changedTouches: Touch[]) =>
        image.dispatchEvent(new TouchEvent(type, { touches, changedTouches, bubbles: true }))
      told('touchstart', [at(300)], [at(300)])
      told('touchend', [], [at(100)])
    })
    await expect(box).toContainText('2 / 3')
    await expectNoAxeViolations(phone.page)
    await box.getByRole('button', { name: 'Close' }).tap()
    await expect(box).toHaveCount(0)
    await expectNoAxeViolations(phone.page)
    expect(asked.filter((host) => host.includes('youtube'))).toEqual([])
  })

  await test.step('a link to the post shows them, and what can be done with it', async () => {
    const { posts } = await (await page.request.get(`/rest/v1/courses/${slug}/posts`)).json()
    await phone.page.goto(`${discussion(slug)}&post=${posts[0].id}`)
    await hydrated(phone.page)
    const dialog = phone.page.getByRole('dialog', { name: 'Comments' })
    await expectLoaded(phone.page, `Image 1 of 3 by ${ann.name}`)
    await expect(dialog.getByRole('img')).toHaveCount(3)
    await expect(dialog.getByText('Play video from YouTube')).toBeVisible()
    const like = dialog.getByRole('button', { name: 'Like this post, 0 likes' })
    // What fails is said where it can be seen.
    const refused = dialog.getByText('Your like could not be saved.')
    await phone.context.setOffline(true)
    await like.click()
    await expect(refused).toBeVisible()
    await phone.context.setOffline(false)
    await like.click()
    await expect(refused).toHaveCount(0)
    const liked = dialog.getByRole('button', { name: 'Like this post, 1 like' })
    await expect(liked).toHaveAttribute('aria-pressed', 'true')
    await expectNoAxeViolations(phone.page)
    await expectNoSidewaysScrolling(phone.page)
    // A picture opens over it, and is closed alone.
    await dialog.getByRole('button', { name: `Image 2 of 3 by ${ann.name}` }).click()
    const box = phone.page.getByRole('dialog').filter({ hasText: '2 / 3' }).last()
    await box.getByRole('button', { name: 'Close' }).last().click()
    await expect(phone.page.getByText('2 / 3')).toHaveCount(0)
    await expect(dialog.getByRole('button', { name: /^Options of the post by Ann/ })).toBeVisible()
    await dialog.getByRole('button', { name: 'Close' }).first().click()
    await expect(dialog).toHaveCount(0)
    await expect(
      postWith(phone.page, 'Look at the sea').getByRole('button', { name: /^Like this post, 1 / }),
    ).toBeVisible()
  })

  await test.step('the lightbox works by keyboard, and gives the focus back', async () => {
    const opener = page.getByRole('button', { name: `Image 3 of 3 by ${ann.name}` })
    await opener.press('Enter')
    const box = page.getByRole('dialog')
    await expect(box.getByRole('button', { name: 'Close' })).toBeFocused()
    await expect(box).toContainText('3 / 3')
    await page.keyboard.press('ArrowRight')
    await expect(box).toContainText('1 / 3')
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('Home')
    await page.keyboard.press('End')
    await expect(box).toContainText('3 / 3')
    await expect(box.getByRole('link', { name: 'Download' })).toHaveAttribute('download', /webp$/)
    for (let step = 0; step < 8; step += 1) {
      await page.keyboard.press('Tab')
      const isInside = await page.evaluate(
        () => document.activeElement === document.body || document.activeElement?.closest('dialog'),
      )
      expect(isInside).toBeTruthy()
    }
    await page.keyboard.press('Escape')
    await expect(box).toHaveCount(0)
    await expect(opener).toBeFocused()
  })

  await test.step('an edit begins with them; what is left out is gone for everybody', async () => {
    const post = postWith(page, 'Look at the sea')
    const first = await post.getByRole('img').first().getAttribute('src')
    await post.getByRole('button', { name: /^Options of the post/ }).press('Enter')
    await page.getByRole('button', { name: 'Edit Post' }).press('Enter')
    const form = page.getByRole('form', { name: 'Edit post' })
    const list = form.getByRole('list', { name: 'Attachments' }).getByRole('listitem')
    await expect(list).toHaveCount(4)
    await form.getByRole('button', { name: /^Remove: 1, / }).click()
    await form.getByRole('button', { name: 'Save' }).click()
    await expect(postWith(page, 'Look at the sea').getByRole('img')).toHaveCount(2)
    await expect(
      phone.page.getByRole('button', { name: `Image 2 of 2 by ${ann.name}` }),
    ).toBeVisible()
    await expect.poll(async () => (await page.request.get(first!)).status()).toBe(404)
  })

  await test.step('one alone has the whole width', async () => {
    const post = postWith(page, 'Look at the sea')
    expect((await placesOf(post)).map(({ share }) => share)).toEqual([0.5, 0.5])
    await post.getByRole('button', { name: /^Options of the post/ }).press('Enter')
    await page.getByRole('button', { name: 'Edit Post' }).press('Enter')
    const form = page.getByRole('form', { name: 'Edit post' })
    await form.getByRole('button', { name: /^Remove: 1, / }).click()
    await form.getByRole('button', { name: 'Save' }).click()
    await expect(post.getByRole('img')).toHaveCount(1)
    expect((await placesOf(post)).map(({ share }) => share)).toEqual([1])
  })

  await test.step('a video plays after a press', async () => {
    const film = await readFile('test/fixtures/lesson.mp4')
    await openComposer(phone.page, slug, 'The waves move')
    await chooser(phone.page).setInputFiles([
      { name: 'waves.mp4', mimeType: 'video/mp4', buffer: film },
    ])
    await expect(tiles(phone.page)).toContainText('waves.mp4')
    await expect(composer(phone.page).getByRole('progressbar')).toHaveCount(0)
    await publish(phone.page)
    await page.goto(discussion(slug))
    await hydrated(page)
    const press = page.getByRole('button', { name: /^Play the video by Ben on a Phone/ })
    await press.click()
    const video = page.locator('video')
    await expect
      .poll(() => video.evaluate((one: HTMLVideoElement) => one.currentTime))
      .toBeGreaterThan(0)
    await expectNoAxeViolations(page)
  })
  expect(complaints).toEqual([])
})
