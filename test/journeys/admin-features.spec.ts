// Parts of the product switched off in an emergency: what administrators do, and what everybody then reads.
import type { APIRequestContext, Page } from '@playwright/test'
import {
  complaintsOf,
  expect,
  expectNoAxeViolations,
  expectNoSidewaysScrolling,
  hydrated,
  inDatabase,
  newcomer,
  publishedCourse,
  signedUp,
  signUpHere,
  somebodyElse,
  test,
} from './journey.ts'
import type { BuiltServer } from './server.ts'

/** All journeys share the server: nothing stays off, also when one of these fails. */
test.afterEach(async ({ thunder, request }) => {
  await inDatabase(
    thunder,
    `with gone as (delete from settings where key like 'feature:%')
     select pg_notify('thunder_events', '{"switched": true}')`,
  )
  await expect
    .poll(async () => (await (await request.get('/rest/v1/sign-in-ways')).json()).signUpOpen)
    .toBe(true)
})

const feature = (page: Page, label: string) =>
  page.getByRole('region', { name: label, exact: true })
const says = (page: Page, words: string) =>
  expect(page.getByRole('main').getByText(words, { exact: true })).toBeVisible()
const newPost = (page: Page) => page.getByRole('form', { name: 'New post' })
const textOf = (page: Page) =>
  newPost(page).getByRole('combobox').or(newPost(page).getByRole('textbox')).first()
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

async function looksRight(page: Page) {
  for (const width of [375, 1280]) {
    await page.setViewportSize({ width, height: 800 })
    await expectNoSidewaysScrolling(page)
    await expectNoAxeViolations(page)
  }
}

async function newAdmin(request: APIRequestContext, thunder: BuiltServer) {
  const { email } = await signedUp(request, 'Ada Administrator')
  await inDatabase(thunder, "update users set role = 'admin' where email = $1", [email])
}

const put = async (request: APIRequestContext, name: string, off: boolean, notice = '') => {
  const answer = await request.put(`/rest/v1/admin/features/${name}`, {
    data: { off, reason: 'A test', notice },
  })
  expect(answer.status(), await answer.text()).toBe(200)
}

test('sign-up and writing are switched off, everybody reads so, and both come back', async ({
  page,
  browser,
  baseURL,
  thunder,
}) => {
  const complaints = complaintsOf(page)
  await newAdmin(page.request, thunder)
  const course = await publishedCourse(page.request, 'Knots in an Emergency')
  const { page: member, context } = await somebodyElse(browser, { baseURL })
  await signedUp(member.request, 'Mel Member')
  await member.request.post('/rest/v1/enrollments', { data: { courseId: course.id } })
  const stranger = await somebodyElse(browser, { baseURL })
  const discussion = `/course/${course.slug}/dashboard?tab=discussion`
  const writing = 'Writing in communities is switched off at the moment. Spam is being removed.'

  await test.step('a member has begun to write', async () => {
    await member.goto(discussion)
    await hydrated(member)
    await button(member, 'Write something...').press('Enter')
    await textOf(member).fill('Hello all')
  })

  await test.step('a switch wants a reason, and works by keyboard', async () => {
    await page.goto('/admin')
    await hydrated(page)
    await page
      .getByRole('navigation', { name: 'Administration' })
      .getByRole('link', { name: 'Features' })
      .press('Enter')
    await expect(page.getByRole('heading', { name: 'Features', level: 1 })).toBeVisible()
    await expect(page.getByText('On', { exact: true })).toHaveCount(7)
    const card = feature(page, 'Writing in communities')
    await card.getByText('Switch off…').focus()
    await page.keyboard.press('Enter')
    const submit = card.getByRole('button', { name: 'Switch off: Writing in communities' })
    await submit.press('Enter')
    await expect(card.getByText('Please write a reason: it stays in the audit log')).toBeVisible()
    await looksRight(page)
    await card.getByLabel('Reason').fill('Hundreds of posts about pills')
    await card.getByLabel('A sentence for people').fill('Spam is being removed.')
    await submit.press('Enter')
    await expect(page.getByText('It is switched off, everywhere.')).toBeVisible()
    await expect(card.getByText('Off', { exact: true })).toBeVisible()
    await expect(card.getByText('Hundreds of posts about pills')).toBeVisible()
    await expect(card.getByText(writing)).toBeVisible()
    await looksRight(page)
  })

  await test.step('sign-up too; the overview and the log tell of it', async () => {
    const card = feature(page, 'Sign-up')
    await card.getByText('Switch off…').press('Enter')
    await card.getByLabel('Reason').fill('Robots')
    await card.getByRole('button', { name: 'Switch off: Sign-up' }).press('Enter')
    await expect(card.getByText('Off', { exact: true })).toBeVisible()
    await page
      .getByRole('navigation', { name: 'Administration' })
      .getByRole('link', { name: 'Overview' })
      .press('Enter')
    await says(page, 'Sign-up · Writing in communities')
    const newest = page.getByRole('list', { name: 'Latest actions' }).getByRole('listitem')
    await expect(newest.first()).toContainText('Switched off Sign-up')
    await looksRight(page)
  })

  await test.step('a stranger reads it in place of the form', async () => {
    await stranger.page.goto('/signup')
    await says(stranger.page, 'Sign-up is switched off at the moment. Contact support')
    await expect(stranger.page.getByRole('main').getByRole('textbox')).toHaveCount(0)
    await looksRight(stranger.page)
  })

  await test.step('what the member wrote is refused in words, and stays', async () => {
    const form = newPost(member)
    await form.getByRole('button', { name: 'Post', exact: true }).press('Enter')
    await expect(form.getByRole('alert')).toHaveText(writing)
    await expect(textOf(member)).toHaveValue('Hello all')
    await member.reload()
    await hydrated(member)
    await says(member, writing)
    await expect(button(member, 'Write something...')).toHaveCount(0)
    await looksRight(member)
  })

  await test.step('both are switched on again', async () => {
    await page.goto('/admin/features')
    await hydrated(page)
    for (const label of ['Sign-up', 'Writing in communities']) {
      const card = feature(page, label)
      await card.getByText('Switch on…').press('Enter')
      await card.getByLabel('Reason').fill('It is over')
      await card.getByRole('button', { name: `Switch on: ${label}` }).press('Enter')
      await expect(card.getByText('On', { exact: true })).toBeVisible()
    }
    await expect(page.getByText('It is switched on again.')).toBeVisible()
    await stranger.page.reload()
    await hydrated(stranger.page)
    await signUpHere(stranger.page, newcomer('Late Comer'))
    // It says so, and leads on by itself.
    await expect(stranger.page).toHaveURL(({ pathname }) => pathname === '/dashboard')
    await member.goto(discussion)
    await hydrated(member)
    // The draft waited.
    await button(member, 'Write something... Draft').press('Enter')
    const form = newPost(member)
    await expect(textOf(member)).toHaveValue('Hello all')
    await form.getByRole('button', { name: 'Post', exact: true }).press('Enter')
    await expect(member.getByRole('list', { name: 'Posts' })).toContainText('Hello all')
  })
  expect(complaints).toEqual([])
  await context.close()
  await stranger.context.close()
})

test('every place where something would begin says that it is off', async ({
  page,
  browser,
  baseURL,
  thunder,
}) => {
  await newAdmin(page.request, thunder)
  await inDatabase(
    thunder,
    `insert into plan_grants (user_id, reason)
     select id, 'Two courses' from users where role = 'admin' on conflict do nothing`,
  )
  const course = await publishedCourse(page.request, 'Paid Knots')
  const free = await publishedCourse(page.request, 'Free Knots')
  await inDatabase(
    thunder,
    `update courses set pricing_type = 'one_time', price_amount = 2900 where id = $1`,
    [course.id],
  )
  const { page: member, context } = await somebodyElse(browser, { baseURL })
  await signedUp(member.request, 'Mel Member')
  await member.request.post('/rest/v1/enrollments', { data: { courseId: free.id } })
  const posted = await member.request.post('/rest/v1/posts', {
    data: { courseId: free.id, content: 'Which knot?' },
  })
  const { id: postId } = await posted.json()
  await member.goto('/dashboard')
  await hydrated(member)
  const names = ['create_courses', 'checkout', 'uploads', 'community_writing', 'reviews']
  for (const name of names) await put(page.request, name, true, 'We are working on it.')
  const off = (label: string) => `${label} is switched off at the moment. We are working on it.`

  await test.step('also on a page that is reached without loading anew', async () => {
    await button(member, 'Thunder menu').press('Enter')
    await member.getByRole('link', { name: 'Create Course', exact: true }).first().press('Enter')
    await expect(member).toHaveURL('/create-course')
    await says(member, off('Creating courses'))
  })
  for (const [address, label] of [
    ['/create-course', 'Creating courses'],
    ['/import-course', 'Creating courses'],
    [`/course/${course.slug}`, 'Buying'],
    ['/upgrade', 'Buying'],
    ['/settings', 'Uploading files'],
    [`/course/${free.slug}/dashboard?tab=about`, 'Reviewing courses'],
  ] as const) {
    await test.step(address, async () => {
      await member.goto(address)
      await hydrated(member)
      await says(member, off(label))
      await looksRight(member)
    })
  }
  await test.step('what cannot be sent has no button that would', async () => {
    await expect(button(member, 'Submit Review')).toBeDisabled()
    await member.goto('/upgrade')
    await expect(button(member, 'Upgrade to Pro')).toBeDisabled()
    await member.goto(`/course/${course.slug}`)
    await says(member, off('Buying'))
    await expect(member.getByRole('button', { name: /^Join for/ })).toHaveCount(0)
  })
  await test.step('comments are read; the field is gone', async () => {
    await member.goto(`/course/${free.slug}/dashboard?tab=discussion&post=${postId}`)
    await hydrated(member)
    const dialog = member.getByRole('dialog', { name: 'Comments' })
    await expect(dialog.getByText(off('Writing in communities'))).toBeVisible()
    await expect(dialog.getByRole('form')).toHaveCount(0)
    await expect(dialog.getByText('No comments yet')).toBeVisible()
    await expect(dialog.getByText('Be the first to say something.')).toHaveCount(0)
    await expectNoAxeViolations(member)
  })
  await test.step('a discussion without posts asks nobody to write', async () => {
    await inDatabase(thunder, 'delete from posts where id = $1', [postId])
    await member.goto(`/course/${free.slug}/dashboard?tab=discussion`)
    await hydrated(member)
    await expect(member.getByText(off('Writing in communities'))).toBeVisible()
    await expect(member.getByText('No posts yet')).toBeVisible()
    await expect(member.getByText(/^Ask a question/)).toHaveCount(0)
  })
  await test.step('an editor without uploads, and the words of a refused copy', async () => {
    await page.goto(`/create-lessons/${free.id}`)
    await hydrated(page)
    await expect(page.getByText(off('Uploading files')).first()).toBeVisible()
    await page.goto('/dashboard')
    await hydrated(page)
    await button(page, 'More: Free Knots').press('Enter')
    await page.getByRole('button', { name: 'Duplicate' }).press('Enter')
    await expect(page.getByText(off('Creating courses'))).toBeVisible()
  })
  await context.close()
})

test('without JavaScript', async ({ page, browser, baseURL, thunder }) => {
  await newAdmin(page.request, thunder)
  const course = await publishedCourse(page.request, 'Plain Knots')
  const { page: member, context } = await somebodyElse(browser, {
    baseURL,
    javaScriptEnabled: false,
  })
  await signedUp(member.request, 'Mel Member')
  await member.request.post('/rest/v1/enrollments', { data: { courseId: course.id } })
  const plain = await browser.newContext({
    baseURL,
    javaScriptEnabled: false,
    storageState: await page.context().storageState(),
  })
  const admin = await plain.newPage()
  const card = feature(admin, 'Reviewing courses')
  const words = 'Reviewing courses is switched off at the moment.'

  await admin.goto('/admin/features')
  await card.getByText('Switch off…').click()
  await card.getByLabel('A sentence for people').fill('It is back on Monday.')
  await card.getByRole('button', { name: 'Switch off: Reviewing courses' }).click()
  // What is wrong is shown where it is, and open, with what was typed.
  await expect(card.getByText('Please write a reason: it stays in the audit log')).toBeVisible()
  await expect(card.getByLabel('A sentence for people')).toHaveValue('It is back on Monday.')
  await card.getByLabel('A sentence for people').fill('')
  await card.getByLabel('Reason').fill('Bought stars')
  await card.getByRole('button', { name: 'Switch off: Reviewing courses' }).click()
  await expect(card.getByText('Off', { exact: true })).toBeVisible()

  await member.goto(`/course/${course.slug}/reviews`)
  await says(member, words)
  await expect(button(member, 'Submit Review')).toBeDisabled()

  await card.getByText('Switch on…').click()
  await card.getByLabel('Reason').fill('They are gone')
  await card.getByRole('button', { name: 'Switch on: Reviewing courses' }).click()
  await expect(card.getByText('On', { exact: true })).toBeVisible()
  await member.reload()
  await expect(member.getByText(words)).toHaveCount(0)
  await expect(button(member, 'Submit Review')).toBeEnabled()
  await context.close()
  await plain.close()
})
