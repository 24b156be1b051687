// What stands in the texts of a community: people who are named, links, emojis, and what finds them again.
import type { Locator, Page } from '@playwright/test'
import {
  complaintsOf,
  expect,
  expectNoAxeViolations,
  hydrated,
  publishedCourse,
  signedUp,
  somebodyElse,
  test,
} from './journey.ts'

const phoneSize = { viewport: { width: 375, height: 700 }, hasTouch: true, isMobile: true }

const feedOf = (slug: string) => `/course/${slug}/dashboard?tab=discussion`
const newPost = (page: Page) => page.getByRole('form', { name: 'New post' })
const textOf = (form: Locator) => form.getByRole('textbox')
const people = (page: Page) => page.getByRole('listbox', { name: 'People to mention' })
const person = (page: Page, name: string) => people(page).getByRole('option', { name })
const bellOf = (page: Page) =>
  page.getByRole('banner').getByRole('button', { name: /^Notifications/ })

async function openComposer(page: Page) {
  await page.getByRole('button', { name: 'Write something...' }).click()
  await expect(textOf(newPost(page))).toBeFocused()
}

async function expectOnScreen(page: Page, panel: Locator) {
  const { width, height } = page.viewportSize()!
  // What stands out, in pixels: left, above, right and below.
  const outside = async () => {
    const box = (await panel.boundingBox())!
    const edges = [-box.x, -box.y, box.x + box.width - width, box.y + box.height - height]
    return edges.map((edge) => Math.max(0, edge))
  }
  await expect.poll(outside).toEqual([0, 0, 0, 0])
}

test('people are mentioned by keyboard and by touch, and told at once', async ({
  page,
  browser,
  baseURL,
}) => {
  await signedUp(page.request, 'Ina Structor')
  const { slug, id } = await publishedCourse(page.request, `Naming ${Date.now()}`)
  const { page: phone } = await somebodyElse(browser, { baseURL, ...phoneSize })
  await signedUp(phone.request, 'Mona Mobile')
  const joined = await phone.request.post('/rest/v1/enrollments', { data: { courseId: id } })
  expect(joined.status()).toBe(200)
  const { username } = await (await phone.request.get('/rest/v1/me')).json()
  const complaints = [page, phone].map(complaintsOf)
  await phone.goto('/dashboard')
  await hydrated(phone)
  const unread = async () => Number((await bellOf(phone).textContent())?.match(/\d+/)?.[0] ?? 0)
  const before = await unread()
  await page.goto(feedOf(slug))
  await hydrated(page)

  await test.step('by keyboard; Escape closes only the list', async () => {
    await openComposer(page)
    const field = textOf(newPost(page))
    await page.keyboard.type('Hello @mo')
    await expect(person(page, 'Mona Mobile')).toHaveAttribute('aria-selected', 'true')
    const option = await person(page, 'Mona Mobile').getAttribute('id')
    await expect(field).toHaveAttribute('aria-activedescendant', option!)
    await expectOnScreen(page, people(page))
    await expectNoAxeViolations(page)
    await page.keyboard.press('Escape')
    await expect(people(page)).toHaveCount(0)
    await expect(field).toHaveValue('Hello @mo')
    await page.keyboard.type('zz')
    await expect(people(page)).toHaveCount(0)
    for (let count = 0; count < 5; count += 1) await page.keyboard.press('Backspace')
    await page.keyboard.type('@m')
    await expect(person(page, 'Mona Mobile')).toBeVisible()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect(field).toHaveValue(`Hello @${username} `)
    await expect(people(page)).toHaveCount(0)
    await expect(field).toBeFocused()
  })

  await test.step('links can be followed, a script is a text, an email address nobody', async () => {
    await page.keyboard.type(
      'see https://example.com/bread_(dough). ' +
        '<script>alert("@nobody")</script> <img src=x onerror=alert(1)> ina@example.com ' +
        `javascript:alert(1) www.example.com/${'long-'.repeat(30)}`,
    )
    await page.keyboard.press('ControlOrMeta+Enter')
    const card = page.getByRole('article').filter({ hasText: 'see https' })
    await expect(card).toContainText(
      '<script>alert("@nobody")</script> <img src=x onerror=alert(1)>',
    )
    const link = card.getByRole('link', { name: 'https://example.com/bread_(dough)', exact: true })
    await expect(link).toHaveAttribute('href', 'https://example.com/bread_(dough)')
    await expect(link).toHaveAttribute('rel', 'noopener noreferrer nofollow ugc')
    await expect(link).toHaveAttribute('target', '_blank')
    const long = card.getByRole('link', { name: /^www\.example\.com.*…/ })
    await expect(long).toHaveAttribute('href', `https://www.example.com/${'long-'.repeat(30)}`)
    await expect(card.getByRole('link', { name: '@Mona Mobile' })).toHaveAttribute(
      'href',
      `/user/${username}`,
    )
    await expect(card.getByRole('link', { name: /ina@|javascript|nobody/ })).toHaveCount(0)
  })

  await test.step('who is named is told at once, and led to the post', async () => {
    await expect.poll(unread).toBe(before + 1)
    await bellOf(phone).tap()
    const panel = phone.getByRole('dialog', { name: 'Notifications' })
    await panel.getByRole('link', { name: /You were mentioned/ }).tap()
    await expect(phone).toHaveURL(/tab=discussion&post=/)
    await expect(phone.getByRole('dialog')).toContainText('see https://example.com')
  })

  await test.step('by touch, in a comment on a phone', async () => {
    const dialog = phone.getByRole('dialog')
    const field = dialog.getByRole('textbox').first()
    await field.tap()
    await field.pressSequentially('Thank you, @in')
    await expectOnScreen(phone, people(phone))
    await expectNoAxeViolations(phone)
    await person(phone, 'Ina Structor').tap()
    await expect(field).toHaveValue(/^Thank you, @ina-structor[\w-]* $/)
    await expect(field).toBeFocused()
    await field.press('ControlOrMeta+Enter')
    await expect(dialog.getByRole('link', { name: '@Ina Structor' })).toBeVisible()
  })
  expect(complaints.flat()).toEqual([])
})

test('emojis come where the caret is, and those used last come first', async ({ page }) => {
  await signedUp(page.request, 'Emi Ojis')
  const { slug } = await publishedCourse(page.request, `Emojis ${Date.now()}`)
  await page.goto(feedOf(slug))
  await hydrated(page)
  const open = () => newPost(page).getByRole('button', { name: 'Emoji', exact: true })
  const all = page.getByRole('list', { name: 'Emojis' }).getByRole('button')
  const recent = page.getByRole('list', { name: 'Recently used' }).getByRole('button')

  await openComposer(page)
  const field = textOf(newPost(page))
  await page.keyboard.type('Good bread')
  for (let count = 0; count < 5; count += 1) await page.keyboard.press('ArrowLeft')
  await open().press('Enter')
  await expect(recent.first()).toBeFocused()
  await expect(all).toHaveCount(50)
  await expect(recent).toHaveCount(2)
  await expectNoAxeViolations(page)
  await page.keyboard.press('ArrowDown')
  await expect(all.first()).toBeFocused()
  await page.keyboard.press('End')
  await expect(all.last()).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(all).toHaveCount(0)
  await expect(open()).toBeFocused()
  await open().click()
  await all.and(page.getByRole('button', { name: 'Fire' })).click()
  await expect(field).toHaveValue('Good 🔥bread')
  await expect(field).toBeFocused()
  await page.keyboard.type(' ')
  await expect(field).toHaveValue('Good 🔥 bread')
  await page.keyboard.press('ControlOrMeta+z')
  await page.keyboard.press('ControlOrMeta+z')
  await expect(field).toHaveValue('Good bread')

  await page.reload()
  await hydrated(page)
  await openComposer(page)
  await open().click()
  await expect(recent.first()).toHaveAccessibleName('Fire')
  await expect(recent).toHaveCount(2)
  await recent.first().click()
  await expect(field).toHaveValue('Good bread🔥')
})

test('a search finds posts and comments, for those who may read them', async ({
  page,
  browser,
  baseURL,
}) => {
  await signedUp(page.request, 'Sam Searcher')
  const { slug, id } = await publishedCourse(page.request, `Searching ${Date.now()}`)
  async function write(path: string, data: object) {
    const answer = await page.request.post(path, { data })
    expect(answer.status(), await answer.text()).toBe(200)
    return (await answer.json()) as { id: string }
  }
  const post = await write('/rest/v1/posts', { courseId: id, content: 'My sourdough is sour' })
  await write('/rest/v1/posts', { courseId: id, content: 'Something else' })
  await write('/rest/v1/comments', { postId: post.id, content: 'Feed the <b>Sourdough</b> daily' })

  await page.goto(feedOf(slug))
  await hydrated(page)
  const found = page.getByRole('list', { name: 'Found posts and comments' }).getByRole('listitem')
  const searchFor = async (words: string) => {
    await page.getByRole('searchbox', { name: 'Search the discussion' }).fill(words)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: `Results for “${words}”` })).toBeVisible()
  }
  await searchFor('sourdou')
  await expect(page.getByText('2 results')).toBeVisible()
  await expect(found.first()).toContainText('Comment by Sam Searcher')
  await expect(found.first()).toContainText('Feed the <b>Sourdough</b> daily')
  await expect(found.locator('mark')).toHaveText(['Sourdough', 'sourdough'])
  await expectNoAxeViolations(page)
  await found.first().getByRole('link').click()
  await expect(page.getByRole('dialog')).toContainText('Feed the <b>Sourdough</b> daily')

  await page.goto(feedOf(slug))
  await hydrated(page)
  await searchFor('nothing-like-it')
  await expect(page.getByRole('heading', { name: 'Nothing found' })).toBeVisible()
  await expectNoAxeViolations(page)
  await page.getByRole('link', { name: 'Back to the Discussion' }).click()
  await expect(page.getByRole('article').filter({ hasText: 'Something else' })).toBeVisible()

  const { cookies } = await page.context().storageState()
  const plain = await browser.newContext({
    baseURL,
    javaScriptEnabled: false,
    storageState: { cookies, origins: [] },
  })
  const still = await plain.newPage()
  await still.goto(feedOf(slug))
  await still.getByRole('searchbox', { name: 'Search the discussion' }).fill('else')
  await still.keyboard.press('Enter')
  await expect(still.getByText('1 result', { exact: true })).toBeVisible()

  const { page: outsider } = await somebodyElse(browser, { baseURL })
  await signedUp(outsider.request, 'Out Sider')
  const path = `/rest/v1/courses/${slug}/posts/search?search=sourdough`
  expect((await outsider.request.get(path)).status()).toBe(403)
  await outsider.goto(`${feedOf(slug)}&search=sourdough`)
  await expect(outsider).toHaveURL(`/course/${slug}`)
})
