// The feed of a course: its instructor and two members side by side, one of them on a phone. What one writes, likes,
// edits, pins and deletes is there for the others at once, and nobody's reading or typing is disturbed.
import type { APIRequestContext, Browser, Locator, Page } from '@playwright/test'
import { whileFailing } from './failing-call.ts'
import { loseAnswer } from './lose-answer.ts'
import {
  complaintsOf,
  expect,
  expectNoAxeViolations,
  expectNoSidewaysScrolling,
  hydrated,
  inDatabase,
  lettersAreThere,
  publishedCourse,
  signedUp,
  somebodyElse,
  test,
} from './journey.ts'

interface Course {
  id: string
  slug: string
}

const feedOf = ({ slug }: Course) => `/course/${slug}/dashboard?tab=discussion`
const list = (page: Page) => page.getByRole('list', { name: 'Posts' })
const cards = (page: Page) => list(page).getByRole('article')
const card = (page: Page, text: string) => cards(page).filter({ hasText: text })
const like = (post: Locator) => post.getByRole('button', { name: /^Like this post/ })
const opener = (page: Page) => page.getByRole('button', { name: 'Write something...' })
const newPost = (page: Page) => page.getByRole('form', { name: 'New post' })
const textOf = (form: Locator) => form.getByRole('combobox').or(form.getByRole('textbox')).first()

/** By keys: a panel that opens under the pointer can take the press for itself. */
async function choose(post: Locator, action: string) {
  const page = post.page()
  await post.getByRole('button', { name: /^Options of the post/ }).focus()
  await page.keyboard.press('ArrowDown')
  await post.getByRole('button', { name: action, exact: true }).focus()
  await page.keyboard.press('Enter')
}

async function member(
  browser: Browser,
  baseURL: string,
  course: Course,
  name: string,
  phone = false,
) {
  const size = phone ? { viewport: { width: 375, height: 760 }, hasTouch: true } : {}
  const { page } = await somebodyElse(browser, { baseURL, ...size })
  const person = await signedUp(page.request, name)
  const joined = await page.request.post('/rest/v1/enrollments', { data: { courseId: course.id } })
  expect(joined.status()).toBe(200)
  return { page, person }
}

async function posted(request: APIRequestContext, courseId: string, content: string) {
  const answer = await request.post('/rest/v1/posts', { data: { courseId, content } })
  expect(answer.status(), await answer.text()).toBe(200)
  return (await answer.json()) as { id: string }
}

test('an instructor and two members talk', async ({ page, browser, baseURL }) => {
  const creator = await signedUp(page.request, 'Ina Structor')
  const course = await publishedCourse(page.request, `Bread talk of ${creator.email}`)
  const { page: lea } = await member(browser, baseURL, course, 'Lea Learner')
  const { page: phone } = await member(browser, baseURL, course, 'Max Mobile', true)
  const everybody = [page, lea, phone]
  const complaints = everybody.map(complaintsOf)

  await test.step('nobody has written yet', async () => {
    await page.goto(`/course/${course.slug}/dashboard`)
    await hydrated(page)
    await page.getByRole('navigation', { name: 'Course' }).getByText('Discussion').click()
    await expect(page).toHaveURL(feedOf(course))
    await expect(page.getByRole('heading', { name: 'No posts yet' })).toBeVisible()
    for (const other of [lea, phone]) {
      await other.goto(feedOf(course))
      await hydrated(other)
      await expect(other.getByRole('heading', { name: 'No posts yet' })).toBeVisible()
    }
    await expectNoAxeViolations(phone)
  })

  await test.step('a post by keyboard; the others are told of it and look', async () => {
    await opener(page).press('Enter')
    await expect(textOf(newPost(page))).toBeFocused()
    await page.keyboard.press('ControlOrMeta+Enter')
    await expect(newPost(page).getByText('Please write something')).toBeVisible()
    await page.keyboard.type('Welcome to <b>bread</b>!')
    await whileFailing(page, ['POST', '**/rest/v1/posts'], async () => {
      await page.keyboard.press('ControlOrMeta+Enter')
      await expect(
        newPost(page).getByText('Failed to create post. Please try again.'),
      ).toBeVisible()
    })
    await expect(textOf(newPost(page))).toHaveValue('Welcome to <b>bread</b>!')
    await textOf(newPost(page)).focus()
    await page.keyboard.press('ControlOrMeta+Enter')
    await expect(card(page, 'Welcome to <b>bread</b>!')).toBeVisible()
    await expect(opener(page)).toBeFocused()
    for (const other of [lea, phone]) {
      await other.getByRole('button', { name: '1 new post' }).click()
      const welcome = card(other, 'Welcome to <b>bread</b>!')
      await expect(welcome.getByText('Instructor', { exact: true })).toBeVisible()
      await expect(welcome.getByRole('link', { name: 'Ina Structor' })).toHaveAttribute(
        'href',
        /^\/user\//,
      )
      await expect(other.getByRole('button', { name: '1 new post' })).toHaveCount(0)
    }
  })

  await test.step('likes count for everybody, at once and once', async () => {
    const welcome = (of: Page) => like(card(of, 'Welcome'))
    await welcome(phone).tap()
    await expect(welcome(phone)).toHaveAttribute('aria-pressed', 'true')
    await expect(welcome(page)).toHaveAccessibleName('Like this post, 1 like')
    await expect(welcome(page)).toHaveAttribute('aria-pressed', 'false')
    await welcome(page).click()
    for (const of of everybody) {
      await expect(welcome(of)).toHaveAccessibleName('Like this post, 2 likes')
    }
    await welcome(phone).tap()
    for (const of of everybody) {
      await expect(welcome(of)).toHaveAccessibleName('Like this post, 1 like')
    }
    // What the server refuses is taken back.
    await lea.route('**/like', (route) => route.abort())
    await welcome(lea).click()
    await expect(lea.getByText('Your like could not be saved.')).toBeVisible()
    await expect(welcome(lea)).toHaveAccessibleName('Like this post, 1 like')
    await expect(welcome(lea)).toHaveAttribute('aria-pressed', 'false')
    await lea.unroute('**/like')
  })

  await test.step('an edit changes it in its place, while somebody else types', async () => {
    await opener(lea).click()
    await textOf(newPost(lea)).pressSequentially('I am wri')
    await choose(card(page, 'Welcome'), 'Edit Post')
    const form = page.getByRole('form', { name: 'Edit post' })
    await expect(textOf(form)).toBeFocused()
    await expect(page.getByText('You are editing a post.')).toBeVisible()
    await expect(opener(page)).toHaveCount(0)
    await textOf(form).fill('Welcome, all bakers!')
    const save = form.getByRole('button', { name: 'Save', exact: true })
    await whileFailing(page, ['PUT', '**/rest/v1/posts/*'], async () => {
      await save.click()
      await expect(form.getByText('Failed to update post. Please try again.')).toBeVisible()
    })
    // Of what was saved without being heard of a letter is corrected.
    await textOf(form).fill('Welcome, all bakrs!')
    await loseAnswer(page, 'PUT', () => save.click(), '**/rest/v1/posts/*')
    await expect(save).toBeEnabled()
    await textOf(form).fill('Welcome, all bakers!')
    await save.click()
    for (const of of everybody) {
      await expect(card(of, 'Welcome, all bakers!').getByText('(edited)')).toBeVisible()
    }
    await expect(textOf(newPost(lea))).toBeFocused()
    await textOf(newPost(lea)).pressSequentially('ting this.')
    await expect(textOf(newPost(lea))).toHaveValue('I am writing this.')
  })

  await test.step('what is being written survives a reload', async () => {
    await lea.reload()
    await hydrated(lea)
    await expect(opener(lea)).toContainText('Draft')
    await opener(lea).click()
    await expect(textOf(newPost(lea))).toHaveValue('I am writing this.')
    await newPost(lea).getByRole('button', { name: 'Post', exact: true }).click()
    await expect(card(lea, 'I am writing this.')).toBeVisible()
    await lea.reload()
    await hydrated(lea)
    await expect(card(lea, 'I am writing this.')).toBeVisible()
    await expect(opener(lea)).not.toContainText('Draft')
    // Nobody loses a long text by one press.
    await opener(lea).click()
    await textOf(newPost(lea)).fill('A long thought about dough. '.repeat(5))
    await newPost(lea).getByRole('button', { name: 'Cancel' }).click()
    const asked = lea.getByRole('alertdialog', { name: 'Discard this post?' })
    await asked.getByRole('button', { name: 'Keep Writing' }).click()
    await expect(textOf(newPost(lea))).toHaveValue(/^A long thought/)
    await newPost(lea).getByRole('button', { name: 'Cancel' }).click()
    await asked.getByRole('button', { name: 'Discard' }).click()
    await expect(opener(lea)).toBeFocused()
    await expect(opener(lea)).not.toContainText('Draft')
  })

  await test.step('a draft of an edit is not taken for the post', async () => {
    const own = card(lea, 'I am writing this.')
    const form = lea.getByRole('form', { name: 'Edit post' })
    const restored = form.getByText('These are your changes from earlier. They are not saved yet.')
    const offered = form.getByText('You have unsaved changes from earlier.')
    const offeredToo = form.getByText('You have other unsaved changes from earlier.')
    const again = async (post: Locator) => {
      await lea.reload()
      await hydrated(lea)
      await choose(post, 'Edit Post')
    }
    await choose(own, 'Edit Post')
    // However far somebody has read on.
    await lea.setViewportSize({ width: 1280, height: 300 })
    await lea.evaluate(() => scrollTo(0, 0))
    await expect(textOf(form)).not.toBeInViewport()
    await lea.getByRole('button', { name: 'Go to It' }).click()
    await expect(textOf(form)).toBeInViewport()
    await lea.setViewportSize({ width: 1280, height: 800 })
    await textOf(form).fill('My draft of it.')
    await again(own)
    await expect(textOf(form)).toHaveValue('My draft of it.')
    await expect(restored).toBeVisible()
    await expectNoAxeViolations(lea)
    await form.getByRole('button', { name: 'Show the Post' }).click()
    await expect(textOf(form)).toHaveValue('I am writing this.')
    await form.getByRole('button', { name: 'Restore' }).click()
    await expect(textOf(form)).toHaveValue('My draft of it.')

    // As from another device.
    const { posts } = await (await lea.request.get(`/rest/v1/courses/${course.slug}/posts`)).json()
    const { id } = posts.find(
      ({ content }: { content: string }) => content === 'I am writing this.',
    )
    const edit = async (content: string) => {
      const answer = await lea.request.put(`/rest/v1/posts/${id}`, { data: { content } })
      expect(answer.status()).toBe(200)
    }
    await edit('I am writing this elsewhere.')
    const elsewhere = card(lea, 'I am writing this elsewhere.')
    await again(elsewhere)
    await expect(textOf(form)).toHaveValue('I am writing this elsewhere.')
    await expect(offered).toContainText('The post was changed since')
    await expectNoAxeViolations(lea)
    // Nothing is decided by leaving.
    await form.getByRole('button', { name: 'Cancel' }).click()
    await again(elsewhere)
    await form.getByRole('button', { name: 'Restore' }).click()
    await expect(textOf(form)).toHaveValue('My draft of it.')
    await form.getByRole('button', { name: 'Show the Post' }).click()
    await form.getByRole('button', { name: 'Discard' }).click()
    await form.getByRole('button', { name: 'Cancel' }).click()
    await again(elsewhere)
    await expect(textOf(form)).toHaveValue('I am writing this elsewhere.')
    await expect(offered).toHaveCount(0)

    // Nor by writing, cancelling or saving while it is offered.
    await textOf(form).fill('My draft again.')
    await edit('I am writing this here.')
    const here = card(lea, 'I am writing this here.')
    await again(here)
    await expect(offered).toBeVisible()
    await textOf(form).press('!')
    await again(here)
    await expect(restored).toBeVisible()
    await expect(offeredToo).toContainText('The post was changed since')
    await expectNoAxeViolations(lea)
    await textOf(form).press('Backspace')
    await form.getByRole('button', { name: 'Cancel' }).click()
    await again(here)
    await expect(restored).toHaveCount(0)
    await textOf(form).press('!')
    await form.getByRole('button', { name: 'Cancel' }).click()
    await again(here)
    await expect(textOf(form)).toHaveValue('I am writing this here.')
    await expect(offered).toBeVisible()
    await textOf(form).fill('I am writing this.')
    await form.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(own).toBeVisible()
    await expect(form).toHaveCount(0)
    await again(own)
    await expect(textOf(form)).toHaveValue('I am writing this.')

    // Two wait, one behind the other.
    await textOf(form).fill('Another draft.')
    await edit('I am writing this at last.')
    const atLast = card(lea, 'I am writing this at last.')
    await again(atLast)
    await form.getByRole('button', { name: 'Restore' }).click()
    await expect(textOf(form)).toHaveValue('Another draft.')
    await form.getByRole('button', { name: 'Restore' }).click()
    await expect(textOf(form)).toHaveValue('My draft again.')
    await form.getByRole('button', { name: 'Discard' }).click()
    await expect(offeredToo).toHaveCount(0)
    await textOf(form).fill('I am writing this.')
    await form.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(own).toBeVisible()
    await expect(form).toHaveCount(0)
    await again(own)
    await expect(textOf(form)).toHaveValue('I am writing this.')
    await expect(restored.or(offered)).toHaveCount(0)
    await form.getByRole('button', { name: 'Cancel' }).click()
  })

  await test.step('who may do what', async () => {
    await page.getByRole('button', { name: '1 new post' }).click()
    const expectActions = async (post: Locator, names: string[]) => {
      await post.getByRole('button', { name: /^Options of the post/ }).focus()
      await post.page().keyboard.press('ArrowDown')
      await expect(post.locator('[popover] button')).toHaveText(names)
      await post.page().keyboard.press('Escape')
    }
    const atLast = ['Copy Link', 'Report Post']
    const own = 'I am writing this.'
    await expectActions(card(page, own), ['Pin Post', ...atLast, 'Delete Post'])
    await expectActions(card(lea, own), ['Edit Post', ...atLast, 'Delete Post'])
    await expectActions(card(lea, 'Welcome'), atLast)
  })

  await test.step('pinned for everybody, first for who looks again', async () => {
    await expect(cards(page).first()).toContainText('I am writing this.')
    await choose(card(page, 'Welcome'), 'Pin Post')
    await expect(cards(page).first()).toContainText('Welcome')
    await expect(card(lea, 'Welcome').getByText('Pinned')).toBeVisible()
    await expect(cards(lea).first()).toContainText('I am writing this.')
    await lea.reload()
    await expect(cards(lea).first()).toContainText('Welcome')
    await expect(cards(lea).first().getByText('Pinned')).toBeVisible()
    await choose(card(page, 'Welcome'), 'Unpin Post')
    await expect(cards(page).first()).toContainText('I am writing this.')
  })

  await test.step('deleted after a question, everywhere', async () => {
    await phone.reload()
    await hydrated(phone)
    await expect(cards(phone)).toHaveCount(2)
    await choose(card(page, 'I am writing this.'), 'Delete Post')
    const asked = page.getByRole('alertdialog', { name: 'Delete Post' })
    await expect(asked).toContainText('Are you sure you want to delete this post?')
    await expectNoAxeViolations(page)
    const sure = asked.getByRole('button', { name: 'Delete', exact: true })
    await whileFailing(page, ['DELETE', '**/rest/v1/posts/*'], async () => {
      await sure.click()
      await expect(asked).toContainText('Failed to delete post. Please try again.')
    })
    await sure.click()
    for (const of of everybody) await expect(card(of, 'I am writing this.')).toHaveCount(0)
    await expect(card(page, 'Welcome')).toBeFocused()
  })

  expect(complaints.flat()).toEqual([])
})

test('what is written in one tab outlasts a post from another', async ({ page }) => {
  await signedUp(page.request, 'Ina Structor')
  const course = await publishedCourse(page.request, 'Two tabs', ['Hitch'])
  await page.goto(`/course/${course.slug}/dashboard?tab=discussion`)
  await hydrated(page)
  const thought = 'What I think about dough, which takes its time.'
  await opener(page).click()
  await textOf(newPost(page)).fill(thought)
  const other = await page.context().newPage()
  await other.goto(page.url())
  await hydrated(other)
  await opener(other).click()
  await expect(textOf(newPost(other))).toHaveValue(thought)
  await textOf(newPost(other)).fill('Short news.')
  await newPost(other).getByRole('button', { name: 'Post', exact: true }).click()
  await expect(card(other, 'Short news.')).toBeVisible()
  await other.close()
  await expect.poll(() => page.evaluate(() => JSON.stringify(localStorage))).toContain(thought)
  await page.reload()
  await hydrated(page)
  await opener(page).click()
  await expect(textOf(newPost(page))).toHaveValue(thought)
  await newPost(page).getByRole('button', { name: 'Cancel' }).click()
  await expect(opener(page)).not.toContainText('Draft')
})

test('a post whose answer is lost is there once', async ({ page }) => {
  const creator = await signedUp(page.request, 'Ina Structor')
  const course = await publishedCourse(page.request, `Lost talk of ${creator.email}`)
  await page.goto(feedOf(course))
  await hydrated(page)
  const post = newPost(page).getByRole('button', { name: 'Post', exact: true })
  const says = (words: string) => newPost(page).getByText(words)
  const failed = 'Failed to create post. Please try again.'
  const calls = /\/rest\/v1\/posts$/
  await opener(page).click()
  await textOf(newPost(page)).fill('Said once')
  await page.route(calls, async (route) => {
    await route.fetch()
    await route.abort()
  })
  await post.click()
  await expect(says(failed)).toBeVisible()
  await page.unroute(calls)
  // What programs read in such a case says nothing to people.
  const code = 'IDEMPOTENCY_IN_FLIGHT'
  const message = 'A request with this Idempotency-Key …'
  for (const [answer, words] of [
    [{ status: 409, json: { defined: false, status: 409, code, message } }, 'still under way'],
    [{ status: 502, body: 'No server is ready.' }, failed],
  ] as const) {
    await page.route(calls, (route) => route.fulfill(answer))
    await post.click()
    await expect(says(words)).toBeVisible()
    await page.unroute(calls)
  }
  // The form that is opened again goes on with the same thing.
  await page.getByRole('navigation', { name: 'Course' }).getByText('Members').click()
  await expect(newPost(page)).toHaveCount(0)
  await page.getByRole('navigation', { name: 'Course' }).getByText('Discussion').click()
  await opener(page).click()
  await post.click()
  await expect(newPost(page)).toHaveCount(0)
  await expect(card(page, 'Said once')).toHaveCount(1)
  const feed = await page.request.get(`/rest/v1/courses/${course.slug}/posts`)
  expect((await feed.json()).posts).toHaveLength(1)
  // Told that it is there, whoever says the same again means it.
  await opener(page).click()
  await textOf(newPost(page)).fill('Said once')
  await post.click()
  await expect(card(page, 'Said once')).toHaveCount(2)
})

const manyPosts = `
  insert into posts (course_id, user_id, content, likes_count, created_at, updated_at)
  select $1::uuid, (select id from users where email = $2), 'Number ' || n, n % 7, at, at
    from generate_series(1, 45) n, lateral (select now() - interval '1 day' + n * interval '1 minute') t(at)`

test('reading goes on while others write', async ({ page, browser, baseURL, thunder }) => {
  const complaints = complaintsOf(page)
  const creator = await signedUp(page.request, 'Ina Structor')
  const course = await publishedCourse(page.request, `Long talk of ${creator.email}`)
  const { page: reader } = await member(browser, baseURL, course, 'Rex Reader')
  complaints.push(...complaintsOf(reader))
  await inDatabase(thunder, manyPosts, [course.id, creator.email])
  const exactly = (of: Page, n: number) =>
    cards(of).filter({ has: of.getByText(`Number ${n}`, { exact: true }) })

  await test.step('the list goes on as it is read, to its end', async () => {
    await reader.goto(feedOf(course))
    await hydrated(reader)
    await expect(cards(reader).first()).toContainText('Number 45')
    for (const count of [20, 40]) {
      await expect(cards(reader)).toHaveCount(count)
      await cards(reader).last().scrollIntoViewIfNeeded()
    }
    await expect(cards(reader)).toHaveCount(45)
    await expect(reader.getByText('You have seen all posts.')).toBeVisible()
  })

  await test.step('posts by others wait above, and nothing moves', async () => {
    const read = exactly(reader, 20)
    await read.scrollIntoViewIfNeeded()
    await lettersAreThere(reader)
    const before = await read.boundingBox()
    await posted(page.request, course.id, 'One more')
    await posted(page.request, course.id, 'And another one')
    const more = reader.getByRole('button', { name: '2 new posts' })
    await expect(more).toBeInViewport()
    expect(await read.boundingBox()).toEqual(before)
    await more.click()
    await expect(cards(reader).first()).toContainText('And another one')
    await expect(cards(reader).first()).toBeInViewport()
    await expect(reader.getByRole('heading', { name: 'Discussion' })).toBeFocused()
  })

  await test.step('in every order', async () => {
    const sort = reader.getByLabel('Sort by')
    await sort.selectOption('Oldest')
    await expect(reader).toHaveURL(/sort=oldest/)
    await expect(cards(reader).first()).toContainText('Number 1')
    await sort.selectOption('Most liked')
    await expect(like(cards(reader).first())).toHaveAccessibleName('Like this post, 6 likes')
    await sort.selectOption('Least liked')
    await expect(like(cards(reader).first())).toHaveAccessibleName('Like this post, 0 likes')
    await sort.selectOption('Most helpful')
    await expect(reader).toHaveURL(/sort=helpful/)
    await expect(cards(reader).first()).toContainText('And another one')
    await reader.goBack()
    await expect(sort).toHaveValue('lowest')
    await sort.selectOption('Newest')
    await expect(reader).toHaveURL(feedOf(course))
  })

  await test.step('a page that fails can be tried again', async () => {
    await expect(cards(reader).first()).toContainText('And another one')
    await reader.route('**/posts?*cursor=*', (route) => route.abort())
    await cards(reader).last().scrollIntoViewIfNeeded()
    await expect(reader.getByText('More posts could not be loaded.')).toBeVisible()
    await reader.unroute('**/posts?*cursor=*')
    await reader.getByRole('button', { name: 'Try again' }).click()
    await expect(exactly(reader, 20)).toBeVisible()
  })

  const long = `${'All about sourdough, again and again. '.repeat(60)}The end.`
  const post = await posted(page.request, course.id, long)
  const address = `${feedOf(course)}&post=${post.id}`
  await test.step('a link leads to one post; a long one is folded', async () => {
    await reader.goto(address)
    await hydrated(reader)
    const dialog = reader.getByRole('dialog')
    await expect(dialog).toContainText('All about sourdough')
    await reader.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
    await expect(reader).toHaveURL(feedOf(course))
    const folded = cards(reader).first()
    await expect(folded).not.toContainText('The end.')
    await folded.getByRole('button', { name: 'Show more' }).click()
    await expect(folded).toContainText('The end.')
  })

  await test.step('phones and both themes', async () => {
    await reader.setViewportSize({ width: 375, height: 760 })
    await expectNoSidewaysScrolling(reader)
    await opener(reader).click()
    await textOf(newPost(reader)).fill('x'.repeat(9_990))
    await expect(newPost(reader)).toContainText('9,990 / 10,000')
    await expect(
      newPost(reader).getByRole('button', { name: 'Post', exact: true }),
    ).toBeInViewport()
    await expectNoSidewaysScrolling(reader)
    await expectNoAxeViolations(reader)
  })

  await test.step('a link to a post that is gone says so', async () => {
    const gone = await page.request.delete(`/rest/v1/posts/${post.id}`)
    expect(gone.status()).toBe(200)
    await reader.goto(address)
    await hydrated(reader)
    await expect(
      reader.getByText('This post was deleted, or you don’t have access to it.'),
    ).toBeVisible()
    await expect(cards(reader).first()).toContainText('And another one')
    await reader.getByRole('link', { name: 'Dismiss' }).click()
    await expect(reader).toHaveURL(feedOf(course))
    await expect(
      reader.getByText('This post was deleted, or you don’t have access to it.'),
    ).toHaveCount(0)
  })

  expect(complaints).toEqual([])
})

test('what is fetched on first use takes no key, and no page', async ({ page, thunder }) => {
  const creator = await signedUp(page.request, 'Ina Structor')
  const course = await publishedCourse(page.request, `Slow talk of ${creator.email}`)
  const arrival = Promise.withResolvers<void>()
  await page.route('**/assets/composer-form-*.js', async (route) => {
    await arrival.promise
    await route.continue()
  })
  await page.goto(feedOf(course))
  await hydrated(page)

  await test.step('keys typed before the form has come are in it', async () => {
    await opener(page).click()
    const field = page.getByRole('textbox', { name: 'Write a post' })
    await expect(field).toBeFocused()
    await page.keyboard.type('Before ')
    await expect(newPost(page)).toHaveCount(0)
    arrival.resolve()
    await expect(newPost(page)).toBeVisible()
    await expect(textOf(newPost(page))).toBeFocused()
    await page.keyboard.type('and after')
    await expect(textOf(newPost(page))).toHaveValue('Before and after')
  })

  await test.step('a dialog that does not come leaves the page as it is', async () => {
    await page.route('**/assets/channels-editor-*.js', (route) => route.abort())
    await page.getByRole('button', { name: 'Channels' }).click()
    await expect(page.getByText('This could not be loaded.')).toBeVisible()
    await expect(textOf(newPost(page))).toHaveValue('Before and after')
    await page.unroute('**/assets/channels-editor-*.js')
  })

  await test.step('nor does a part of it, which can be tried again', async () => {
    await page.route('**/assets/emoji-grid-*.js', (route) => route.abort())
    const emoji = newPost(page).getByRole('button', { name: 'Emoji', exact: true })
    await emoji.click()
    await expect(newPost(page).getByRole('alert')).toContainText('This could not be loaded.')
    await expectNoAxeViolations(page)
    await page.unroute('**/assets/emoji-grid-*.js')
    await newPost(page).getByRole('button', { name: 'Try again' }).click()
    await newPost(page).getByRole('list', { name: 'Emojis' }).getByRole('button').first().click()
    await expect(textOf(newPost(page))).toHaveValue(/^Before and after.+/u)

    await page.route('**/assets/post-poll-*.js', (route) => route.abort())
    const pro = 'insert into plan_grants (user_id) select id from users where email = $1'
    await inDatabase(thunder, pro, [creator.email])
    const poll = { options: ['Slowly', 'Fast'], closesAt: null }
    const arrived = await page.request.post('/rest/v1/posts', {
      data: { courseId: course.id, content: 'How do we talk?', poll },
    })
    expect(arrived.status(), await arrived.text()).toBe(200)
    await page.getByRole('button', { name: '1 new post' }).click()
    const post = card(page, 'How do we talk?')
    await expect(post.getByRole('alert')).toContainText('This could not be loaded.')
    await expect(textOf(newPost(page))).toHaveValue(/^Before and after.+/u)
    await expectNoAxeViolations(page)
    await page.unroute('**/assets/post-poll-*.js')
    await post.getByRole('button', { name: 'Try again' }).click()
    await expect(post.getByText('0 votes')).toBeVisible()
  })
})
