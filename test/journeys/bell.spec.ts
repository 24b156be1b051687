// The bell: what is new, on every open page, and what becomes of it.
import type { Page } from '@playwright/test'
import { sql } from 'drizzle-orm'
import { notify } from '../../src/domains/notifications/notify.ts'
import { openDatabase } from '../../src/server/db.ts'
import { createLog } from '../../src/server/log.ts'
import { runningPostgresUrl } from '../../src/server/postgres/embedded.ts'
import { endStreamsOfSession } from '../../src/server/publish.ts'
import {
  complaintsOf,
  expect,
  expectNoAxeViolations,
  hydrated,
  publishedCourse,
  signedUp,
  somebodyElse,
  stopClock,
  test,
} from './journey.ts'
import type { BuiltServer } from './server.ts'

/** The database of the server, for what other people would have to do. */
async function databaseOf({ dataDir }: BuiltServer) {
  const url = await runningPostgresUrl({ dataDir })
  if (!url) throw new Error('the database of the server is not running')
  return openDatabase(url, createLog('silent'), { max: 2 })
}

async function meOf({ request }: Page): Promise<{ id: string }> {
  return (await request.get('/rest/v1/me')).json()
}

const bellOf = (page: Page) =>
  page.getByRole('banner').getByRole('button', { name: /^Notifications/ })
const panelOf = (page: Page) => page.getByRole('dialog', { name: 'Notifications' })
const noticesOf = (page: Page) => panelOf(page).getByRole('listitem')
const titlesOf = (page: Page) => noticesOf(page).locator('p:first-child > :first-child')

test('what is new shows on every open page, is read after a second, and goes when it should', async ({
  page,
  context,
  thunder,
}) => {
  const complaints = complaintsOf(page)
  await signedUp(page.request, 'Bella Ringer')
  const { id: userId } = await meOf(page)
  const { db, pool } = await databaseOf(thunder)
  const tell = (title: string, href?: string) =>
    notify(db, { userId, kind: 'creator_left', title, message: `About ${title}`, href })

  await page.clock.install()
  await page.goto('/dashboard')
  await hydrated(page)
  const other = await context.newPage()
  await other.goto('/explore')
  await hydrated(other)
  await page.bringToFront()
  // The welcome of the sign-up.
  await expect(bellOf(page)).toHaveAccessibleName('Notifications, 1 unread')
  await expect(bellOf(page)).toHaveText('1')

  await test.step('live on every open page, 9+ above nine', async () => {
    await tell('First')
    for (const one of [page, other]) await expect(bellOf(one)).toHaveText('2')
    await expect(page.getByRole('banner').getByText('2 unread notifications')).toBeAttached()
    for (let count = 3; count <= 9; count += 1) await tell(`Number ${count}`)
    for (const one of [page, other]) await expect(bellOf(one)).toHaveText('9')
    await tell('Ten', '/explore')
    for (const one of [page, other]) await expect(bellOf(one)).toHaveText('9+')
    await expect(bellOf(page)).toHaveAccessibleName('Notifications, more than 9 unread')
  })

  let reads = 0
  let mayAnswer = Promise.withResolvers<void>()
  await page.route('**/rest/v1/notifications/read', async (route) => {
    reads += 1
    await mayAnswer.promise
    await route.continue()
  })

  await test.step('closed within a second, nothing is read', async () => {
    await stopClock(page)
    await bellOf(page).focus()
    await page.keyboard.press('Enter')
    await expect(panelOf(page)).toBeFocused()
    await expect(noticesOf(page)).toHaveCount(10)
    await expect(titlesOf(page).first()).toHaveText('Ten')
    await expect(noticesOf(page).getByText('Unread', { exact: true })).toHaveCount(10)
    await page.clock.runFor(999)
    await page.keyboard.press('Escape')
    await expect(panelOf(page)).toBeHidden()
    await expect(bellOf(page)).toBeFocused()
    await page.clock.runFor(5000)
    expect(reads).toBe(0)
    await expect(bellOf(page)).toHaveText('9+')
  })

  await test.step('after exactly a second all is read, once the server has said so', async () => {
    await bellOf(page).click()
    await expect(noticesOf(page)).toHaveCount(10)
    await page.clock.runFor(999)
    expect(reads).toBe(0)
    await page.clock.runFor(1)
    await expect.poll(() => reads).toBe(1)
    await expect(bellOf(page)).toHaveText('9+')
    await tell('Meanwhile')
    await expect(titlesOf(page).first()).toHaveText('Meanwhile')
    mayAnswer.resolve()
    for (const one of [page, other]) await expect(bellOf(one)).toHaveText('1')
    await expect(noticesOf(page).getByText('Unread', { exact: true })).toHaveCount(1)
    await expect(noticesOf(page).first()).toContainText('Unread')
  })

  await test.step('times stay right while the panel is open', async () => {
    const time = noticesOf(page).first().getByRole('time')
    await expect(time).toHaveText('Just now')
    // The list may still come anew, with the server's clock, which goes on from there.
    const tenSecondsLater = async () => {
      await page.clock.runFor(10_000)
      return time.textContent()
    }
    await expect.poll(tenSecondsLater).toBe('1m ago')
    const anHourLater = async () => {
      await page.clock.fastForward(3_600_000)
      return time.textContent()
    }
    await expect.poll(anHourLater).toMatch(/^\dh ago$/)
    await page.clock.resume()
  })

  await test.step('a deletion that fails is taken back, one that works reaches every page', async () => {
    await page.route('**/rest/v1/notifications/*', (route) => route.abort())
    const cross = panelOf(page).getByRole('button', { name: 'Delete “Number 9”' })
    await cross.focus()
    await page.keyboard.press('Enter')
    await expect(
      page.getByText('Failed to delete the notification. Please try again.'),
    ).toBeVisible()
    await expect(cross).toBeVisible()
    await page.unroute('**/rest/v1/notifications/*')

    await other.bringToFront()
    await bellOf(other).click()
    await expect(noticesOf(other)).toHaveCount(11)
    await page.bringToFront()
    await cross.focus()
    await page.keyboard.press('Enter')
    // The keyboard goes on at the next one.
    await expect(panelOf(page).getByRole('button', { name: 'Delete “Number 8”' })).toBeFocused()
    for (const one of [page, other]) {
      await expect(noticesOf(one).filter({ hasText: 'Number 9' })).toHaveCount(0)
      await expect(noticesOf(one)).toHaveCount(10)
    }
    await page.keyboard.press('ArrowUp')
    await expect(panelOf(page).getByRole('link', { name: 'Ten' })).not.toBeFocused()
    await page.keyboard.press('Home')
    await expect(panelOf(page).getByRole('button', { name: 'Clear All' })).toBeFocused()
  })

  await test.step('a notice leads to what it is about', async () => {
    await panelOf(page).getByRole('link', { name: 'Ten' }).press('Enter')
    await expect(page).toHaveURL(/\/explore$/)
    await expect(panelOf(page)).toBeHidden()
  })

  await test.step('Clear All clears every page', async () => {
    await bellOf(page).click()
    await panelOf(page).getByRole('button', { name: 'Clear All' }).press('Enter')
    await expect(panelOf(page)).toContainText('All Caught Up!')
    await expect(panelOf(page)).toBeFocused()
    await expect(panelOf(other)).toContainText('All Caught Up!')
    for (const one of [page, other]) {
      await expect(bellOf(one)).toHaveAccessibleName('Notifications')
      await expect(bellOf(one)).toHaveText('')
    }
    await expectNoAxeViolations(page)
  })
  expect(complaints).toEqual([])
  await pool.end()
})

test('a notice that leads to a page about something else brings nothing along that was begun', async ({
  page,
  request,
  thunder,
}) => {
  const complaints = complaintsOf(page)
  const { email } = await signedUp(page.request, 'Nina Notified')
  const { id: userId } = await meOf(page)
  const { db, pool } = await databaseOf(thunder)
  const made = async (path: string, data: object) => {
    const answer = await page.request.post(path, { data })
    expect(answer.status()).toBe(200)
    return answer.json()
  }
  const followNotice = async (title: string, href: string) => {
    await notify(db, { userId, kind: 'creator_left', title, message: 'Look', href })
    await bellOf(page).click()
    await panelOf(page).getByRole('link', { name: title }).click()
    await page.waitForURL(`**${href}`)
  }

  await test.step('a post', async () => {
    await signedUp(request, 'Bea Baker')
    const [first, second] = [
      await publishedCourse(page.request, `Sourdough of ${email}`),
      await publishedCourse(request, `Rye of ${email}`),
    ]
    await made('/rest/v1/enrollments', { courseId: second.id })
    const discussion = ({ slug }: { slug: string }) => `/course/${slug}/dashboard?tab=discussion`
    const composer = page.getByRole('form', { name: 'New post' })
    const writing = page.getByRole('button', { name: /^Write something/ })
    await page.goto(discussion(first))
    await hydrated(page)
    await writing.click()
    await composer.getByRole('textbox', { name: 'Write a post' }).fill('About sourdough')
    await followNotice('Rye', discussion(second))
    await expect(page.getByRole('heading', { level: 1, name: /^Rye/ })).toBeVisible()
    await expect(composer).toBeHidden()
    await expect(writing).toHaveText('Write something...')
    await followNotice('Sourdough', discussion(first))
    await expect(writing).toHaveText(/Draft$/)
  })

  await test.step('the secret of a webhook', async () => {
    const endpoint = (name: string) =>
      made('/rest/v1/webhooks', { url: `https://example.com/${name}`, events: ['post.created'] })
    const [first, second] = [await endpoint('first'), await endpoint('second')]
    await page.goto(`/settings/webhooks/${first.id}`)
    await hydrated(page)
    await page.getByRole('button', { name: 'Show Secret' }).click()
    await expect(page.getByLabel('Signing secret')).toHaveValue(/^whsec_/)
    await followNotice('Second webhook', `/settings/webhooks/${second.id}`)
    await expect(page.getByRole('heading', { level: 1, name: /second$/ })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Show Secret' })).toBeVisible()
  })

  await test.step('an answer to the team', async () => {
    const ask = (subject: string) =>
      made('/rest/v1/support/requests', { topic: 'account', subject, message: 'Please help.' })
    const [first, second] = [await ask('First'), await ask('Second')]
    await page.goto(`/support/${first.requestId}`)
    await hydrated(page)
    await page.getByLabel('Write more').fill('My password is')
    await followNotice('Second request', `/support/${second.requestId}`)
    await expect(page.getByRole('heading', { level: 1, name: 'Second' })).toBeVisible()
    await expect(page.getByLabel('Write more')).toHaveValue('')
  })
  expect(complaints).toEqual([])
  await pool.end()
})

test('what a notice is about is looked at, by whatever way: then it is read, and more is told', async ({
  page,
  browser,
  baseURL,
  thunder,
}) => {
  await page.clock.install()
  const author = await signedUp(page.request, 'Ann Author')
  const course = await publishedCourse(page.request, `Hitches of ${author.email}`)
  const bob = await somebodyElse(browser, { baseURL })
  await signedUp(bob.page.request, 'Bob Member')
  const send = async ({ request }: Page, path: string, data: object) => {
    const answer = await request.post(`/rest/v1/${path}`, { data })
    expect(answer.status()).toBe(200)
    return answer.json()
  }
  await send(bob.page, 'enrollments', { courseId: course.id })
  const { id: postId } = await send(page, 'posts', { courseId: course.id, content: 'Which one?' })
  const comment = (content: string) => send(bob.page, 'comments', { postId, content })
  /** Of each notice about the post, the newest first, whether it is read. */
  const told = async () => {
    const { notifications } = await (await page.request.get('/rest/v1/notifications')).json()
    return notifications
      .filter(({ title }: { title: string }) => title === 'New Comment')
      .map(({ read }: { read: boolean }) => read)
  }
  const discussion = `/course/${course.slug}/dashboard?tab=discussion`
  const dialog = page.getByRole('dialog', { name: 'Comments' })
  const close = async () => {
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
  }

  await test.step('by the link of the mail', async () => {
    for (const text of ['The first', 'The second']) await comment(text)
    expect(await told()).toEqual([false])
    await page.goto(`${discussion}&post=${postId}`)
    await hydrated(page)
    await expect(dialog.getByText('The second')).toBeVisible()
    await expect.poll(told).toEqual([true])
    // The welcome of the sign-up and the new member are still to be read.
    await expect(bellOf(page)).toHaveAccessibleName('Notifications, 2 unread')
  })

  await test.step('while it is open, once', async () => {
    for (const text of ['The third', 'The fourth']) {
      await comment(text)
      await expect(dialog.getByText(text)).toBeVisible()
    }
    expect(await told()).toEqual([false, true])
    await expect(bellOf(page)).toHaveAccessibleName('Notifications, 3 unread')
    await close()
    await expect.poll(told).toEqual([true, true])
  })

  await test.step('by a press', async () => {
    await comment('The fifth')
    expect(await told()).toEqual([false, true, true])
    await page.getByRole('button', { name: '5 comments' }).click()
    await expect.poll(told).toEqual([true, true, true])
    await close()
  })

  await test.step('by the bell, within its first second; nothing else is read', async () => {
    const { id: userId } = await meOf(page)
    const { db, pool } = await databaseOf(thunder)
    const about = { userId, kind: 'creator_left', message: 'Look' } as const
    await notify(db, { ...about, title: 'Elsewhere', href: '/dashboard' })
    await notify(db, { ...about, title: 'Ahead', href: '/explore' })
    await expect(bellOf(page)).toHaveAccessibleName('Notifications, 4 unread')
    await stopClock(page)
    await bellOf(page).click()
    await panelOf(page).getByRole('link', { name: 'Ahead' }).click()
    await expect(page).toHaveURL(/\/explore$/)
    await expect(bellOf(page)).toHaveAccessibleName('Notifications, 3 unread')

    await page.goto('/notifications')
    await hydrated(page)
    const main = page.getByRole('main')
    await main.getByRole('link', { name: 'Elsewhere' }).click()
    await expect(page).toHaveURL(/\/dashboard$/)
    await expect(bellOf(page)).toHaveAccessibleName('Notifications, 2 unread')
    await pool.end()
  })
  await bob.context.close()
})

test('after a lost connection the list is right; what cannot be loaded can be tried again', async ({
  page,
  thunder,
}) => {
  await signedUp(page.request, 'Gail Gap')
  const { id: userId } = await meOf(page)
  const { db, pool } = await databaseOf(thunder)
  const tell = (title: string) =>
    notify(db, { userId, kind: 'creator_left', title, message: `About ${title}` })
  const { rows } = await db.execute<{ id: string }>(
    sql`select id from sessions where user_id = ${userId}`,
  )
  await page.goto('/dashboard')
  await hydrated(page)
  await tell('Before')
  await expect(bellOf(page)).toHaveText('2')

  const lost = page.waitForRequest(/realtime\/v1\/events/)
  await page.route(/realtime\/v1\/events/, (route) => route.abort())
  await endStreamsOfSession(db, rows[0]!.id)
  await lost
  await tell('In the gap')
  await tell('In the gap, too')
  await page.unroute(/realtime\/v1\/events/)
  await expect(bellOf(page)).toHaveText('4')
  await bellOf(page).click()
  await expect(titlesOf(page)).toHaveText([
    'In the gap, too',
    'In the gap',
    'Before',
    'Welcome to Thunder Bootcamp!',
  ])
  await expect(bellOf(page)).toHaveAccessibleName('Notifications')

  await page.route('**/rest/v1/notifications', (route) => route.abort())
  await page.reload()
  await hydrated(page)
  await bellOf(page).click()
  const problem = panelOf(page).getByRole('alert')
  await expect(problem).toContainText('Could not load your notifications')
  await expectNoAxeViolations(page)
  await page.unroute('**/rest/v1/notifications')
  await problem.getByRole('button', { name: 'Try again' }).click()
  await expect(noticesOf(page)).toHaveCount(4)
  await expect(panelOf(page)).toBeFocused()
  await pool.end()
})

test('every kind reads well on every screen, also without scripts', async ({
  page,
  browser,
  thunder,
}) => {
  await signedUp(page.request, 'Ty Pes')
  const { id: userId } = await meOf(page)
  const { db, pool } = await databaseOf(thunder)
  for (const [type, hoursAgo] of [
    ['error', 1],
    ['warning', 30],
    ['success', 50],
    ['info', 100],
  ] as const) {
    await db.execute(sql`
      insert into notifications (user_id, title, message, type, created_at)
      values (${userId}, ${`A ${type}`}, ${`${'Averyveryverylongword'.repeat(6)} and more`}, ${type},
              now() - make_interval(hours => ${hoursAgo}))`)
  }
  for (const width of [375, 1280]) {
    await page.setViewportSize({ width, height: 812 })
    // The welcome of the sign-up, which a busy machine made some time ago.
    await db.execute(sql`
      update notifications set created_at = now() where user_id = ${userId} and title like 'Welcome%'`)
    await page.goto('/dashboard')
    await hydrated(page)
    await bellOf(page).click()
    const found = noticesOf(page)
    await expect(found).toHaveCount(5)
    for (const [index, [kind, time]] of [
      ['Success', 'Just now'],
      ['Error', '1h ago'],
      ['Warning', '1d ago'],
      ['Success', '2d ago'],
      ['Notice', '4d ago'],
    ].entries()) {
      await expect(found.nth(index).getByText(kind!, { exact: true })).toBeAttached()
      await expect(found.nth(index).getByRole('time')).toHaveText(time!)
    }
    await expectNoAxeViolations(page)
    const box = await panelOf(page).boundingBox()
    expect(box!.x).toBeGreaterThanOrEqual(0)
    expect(box!.x + box!.width).toBeLessThanOrEqual(width)
    await expect
      .poll(() => panelOf(page).evaluate((panel) => panel.scrollWidth - panel.clientWidth))
      .toBe(0)
  }

  await page.goto('/notifications')
  await hydrated(page)
  await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(5)
  await notify(db, { userId, kind: 'creator_left', title: 'Live', message: 'As it happens' })
  await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(6)
  await expectNoAxeViolations(page)
  await page.setViewportSize({ width: 1280, height: 500 })
  const crossOf = (title: string) => page.getByRole('button', { name: `Delete “${title}”` })
  await crossOf('A success').click()
  await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(5)
  await expect(crossOf('A info')).toBeFocused()
  await expect(crossOf('A info')).toBeInViewport()
  expect(await page.evaluate(() => scrollY)).toBeGreaterThan(0)

  const { context, page: plain } = await somebodyElse(browser, {
    baseURL: thunder.url,
    javaScriptEnabled: false,
    storageState: await page.context().storageState(),
  })
  await plain.goto('/dashboard')
  await expect(bellOf(plain)).toHaveAccessibleName(/^Notifications, \d unread$/)
  await bellOf(plain).click()
  await plain.getByRole('link', { name: 'See your notifications' }).click()
  const main = plain.getByRole('main')
  await expect(main.getByRole('listitem')).toHaveCount(5)
  await main.getByRole('button', { name: 'Mark All as Read' }).click()
  await expect(main.getByText('Unread', { exact: true })).toHaveCount(0)
  await expect(bellOf(plain)).toHaveAccessibleName('Notifications')
  await main.getByRole('button', { name: 'Delete “A warning”' }).click()
  await expect(main.getByRole('listitem')).toHaveCount(4)
  await main.getByRole('button', { name: 'Clear All' }).click()
  await expect(main).toContainText('All Caught Up!')
  await expect(page.getByRole('main')).toContainText('All Caught Up!')
  await context.close()
  await pool.end()
})
