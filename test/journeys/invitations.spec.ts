// Invitations: a creator makes a link and mails a list, and people come by both on the course's own terms.
import type { Page } from '@playwright/test'
import {
  complaintsOf,
  expect,
  expectNoAxeViolations,
  expectNoSidewaysScrolling,
  hydrated,
  newcomer,
  publishedCourse,
  signedUp,
  signUpHere,
  somebodyElse,
  test,
} from './journey.ts'

/** In both themes, and never wider than the window, on a phone and on a desk. */
async function expectGoodOnEveryScreen(page: Page) {
  const before = page.viewportSize()
  for (const width of [1280, 375]) {
    await page.setViewportSize({ width, height: 812 })
    await expectNoSidewaysScrolling(page)
  }
  await expectNoAxeViolations(page)
  if (before) await page.setViewportSize(before)
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const links = (page: Page) => page.getByRole('list', { name: 'Links', exact: true })
const activity = (page: Page) => page.getByRole('list', { name: 'Recent Activity' })

/** The address in the newest mail to somebody, once there is one. */
async function mailedLink(page: Page, to: string): Promise<string> {
  let text = ''
  await expect
    .poll(async () => {
      const mails: { to: string; text: string }[] = await (
        await page.request.get('/outbox/mails.json')
      ).json()
      text = mails.find((mail) => mail.to === to)?.text ?? ''
      return text
    })
    .toContain('/invite/')
  return /http\S+\/invite\/\S+/.exec(text)![0]
}

test('a link lets in as many as it says, and its maker watches', async ({
  page,
  browser,
  baseURL,
}) => {
  await signedUp(page.request, 'Ines Inviter')
  const course = await publishedCourse(page.request, 'Invited to knots')
  const complaints = complaintsOf(page)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto(`/course/${course.slug}/dashboard?tab=members`)
  await hydrated(page)
  await expect(page.getByText('There is no link yet.')).toBeVisible()
  await expect(activity(page).getByRole('listitem')).toContainText(['Course created'])
  await button(page, 'Create Link').click()
  const making = page.getByRole('dialog', { name: 'Create an invitation link' })
  await making.getByLabel('How many may join by it').fill('1')
  await making.getByLabel('For how many days').fill('30')
  await page.route('**/invitation-calls-*.js', (route) => route.abort())
  await making.getByRole('button', { name: 'Create Link' }).click()
  await expect(making.getByRole('alert')).toContainText('This could not be loaded.')
  await page.unrouteAll()
  await expectGoodOnEveryScreen(page)
  await making.getByRole('button', { name: 'Create Link' }).click()
  const made = page.getByRole('dialog', { name: 'Your link is ready' })
  const address = await made.getByLabel('Invitation link').inputValue()
  await made.getByRole('button', { name: 'Copy Link' }).click()
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(address)
  await made.getByRole('button', { name: 'Done' }).click()
  await expect(links(page)).toContainText('0 of 1 joined')
  await expectGoodOnEveryScreen(page)

  // Who follows it without an account signs up and comes back; nothing is hydrated before that.
  const guest = await somebodyElse(browser, { baseURL })
  const path = new URL(address).pathname
  await guest.page.goto(path)
  const heading = { level: 1, name: 'You are invited to join Invited to knots' }
  await expect(guest.page.getByRole('heading', heading)).toBeVisible()
  expect(await guest.page.locator('script[src]').count()).toBe(0)
  await expect(guest.page.locator('meta[name=robots]')).toHaveAttribute('content', 'noindex')
  await expectGoodOnEveryScreen(guest.page)
  await guest.page.getByRole('link', { name: 'Sign Up to Join' }).click()
  await hydrated(guest.page)
  await signUpHere(guest.page, newcomer('Gus Guest'))
  await expect(guest.page).toHaveURL(path)
  await expectGoodOnEveryScreen(guest.page)
  await button(guest.page, 'Join Course').click()
  await expect(guest.page).toHaveURL(`/course/${course.slug}/dashboard`)
  // A member has no use for it any more.
  await guest.page.goto(path)
  await expect(guest.page).toHaveURL(`/course/${course.slug}/dashboard`)
  await guest.context.close()

  // The page of its maker follows.
  await expect(links(page)).toContainText('1 of 1 joined')
  await expect(links(page)).toContainText('Used up')
  await expect(activity(page).getByRole('listitem').first()).toContainText('First student joined')
  await expect(activity(page).getByRole('listitem').first()).toContainText(
    /Gus Guest · (Just now|\dm ago)/,
  )

  // One more comes too late, and still finds the course.
  const late = await somebodyElse(browser, { baseURL, javaScriptEnabled: false })
  await late.page.goto(path)
  await expect(
    late.page.getByRole('heading', { level: 1, name: 'This invitation has been used up.' }),
  ).toBeVisible()
  await late.page.getByRole('link', { name: 'See the course' }).click()
  await expect(late.page).toHaveURL(`/course/${course.slug}`)
  const unknown = await late.page.goto('/invite/nothing-like-that')
  expect(unknown?.status()).toBe(404)
  await expect(
    late.page.getByRole('heading', { level: 1, name: 'This invitation does not exist.' }),
  ).toBeVisible()
  await late.context.close()
  expect(complaints).toEqual([])
})

test('a list is checked, mailed, and can be revoked', async ({ page, browser, baseURL }) => {
  await signedUp(page.request, 'Lea Lister')
  const course = await publishedCourse(page.request, 'Listed knots')
  await page.goto(`/course/${course.slug}/dashboard?tab=members`)
  await hydrated(page)
  await button(page, 'Invite by Email').click()
  const dialog = page.getByRole('dialog')
  await button(page, 'Check List').click()
  // The browser asks for the list first.
  await expect(dialog.getByLabel('Email addresses')).toBeFocused()
  await dialog.getByLabel('CSV file').setInputFiles({
    name: 'people.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(
      '\ufeffName;Mail\nAda;ada@invited.example\nBob;bob@invited.example\nEve;=cmd\n',
    ),
  })
  await expect(dialog.getByLabel('Email addresses')).toHaveValue(/ada@invited\.example/)
  // The choice of another file that is called off leaves the list; so does a press on the scrollbar.
  await dialog
    .getByLabel('CSV file')
    .evaluate((input) => input.dispatchEvent(new Event('cancel', { bubbles: true })))
  await page.setViewportSize({ width: 1280, height: 320 })
  await expect
    .poll(() => dialog.evaluate((element) => element.scrollHeight > element.clientHeight))
    .toBe(true)
  const edge = await dialog.evaluate((element) => {
    const { right, top } = element.getBoundingClientRect()
    return { x: right - 3, y: top + 60 }
  })
  await dialog.dispatchEvent('pointerdown', { clientX: edge.x, clientY: edge.y })
  await page.setViewportSize({ width: 1280, height: 800 })
  await expect(dialog.getByLabel('Email addresses')).toHaveValue(/ada@invited\.example/)
  await button(page, 'Check List').click()
  await expect(dialog.getByRole('list', { name: 'Summary' })).toContainText('2 · Will be invited')
  await expect(dialog.getByRole('row', { name: /4 Eve, =cmd/ })).toContainText(
    'Not an email address',
  )
  await expectGoodOnEveryScreen(page)
  await page.mouse.click(5, 5)
  await expect(dialog, 'a press outside closes it').toBeHidden()
  await button(page, 'Invite by Email').click()
  await expect(dialog.getByLabel('Email addresses')).toHaveValue(/bob@invited\.example/)
  await button(page, 'Check List').click()
  await button(page, 'Send 2 Invitations').click()
  await expect(dialog.getByText('2 invitations are on the way')).toBeVisible()
  await button(page, 'Done').click()
  const mailed = page.getByRole('list', { name: 'Mailed invitations' })
  await expect(mailed.getByRole('listitem')).toHaveCount(2)

  await test.step('of an answer that is lost nothing is said that nobody knows', async () => {
    await button(page, 'Invite by Email').click()
    await expect(dialog.getByLabel('Email addresses')).toHaveValue('')
    await dialog.getByLabel('Email addresses').fill('eve@invited.example')
    await button(page, 'Check List').click()
    await expect(button(page, 'Send 1 Invitation')).toBeVisible()
    await page.route('**/rest/v1/courses/*/invitations/csv', async (route) => {
      await route.fetch()
      await route.abort()
    })
    await button(page, 'Send 1 Invitation').click()
    await expect(dialog.getByRole('alert')).toHaveText(
      'We did not hear whether the invitations were sent. Check the list again: who has been invited is marked there.',
    )
    await page.unroute('**/rest/v1/courses/*/invitations/csv')
    await button(page, 'Change the List').click()
    await button(page, 'Check List').click()
    await expect(dialog.getByText('There is nobody to invite on this list.')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(mailed.getByRole('listitem')).toHaveCount(3)
  })

  // One of them comes.
  const address = await mailedLink(page, 'ada@invited.example')
  const ada = await somebodyElse(browser, { baseURL })
  await signedUp(ada.context.request, 'Ada Invited')
  await ada.page.goto(new URL(address).pathname)
  await hydrated(ada.page)
  await button(ada.page, 'Join Course').click()
  await expect(ada.page).toHaveURL(`/course/${course.slug}/dashboard`)
  await ada.context.close()
  await expect(mailed).toContainText('Joined')

  // The other's is taken back.
  await mailed.getByRole('button', { name: 'Revoke bob@invited.example' }).click()
  await expect(page.getByRole('alertdialog')).toContainText('Who has joined stays.')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke', exact: true }).click()
  await expect(mailed).toContainText('Revoked')
  await expect(mailed.getByRole('button')).toHaveCount(1)
  const bob = await somebodyElse(browser, { baseURL, javaScriptEnabled: false })
  await bob.page.goto(new URL(await mailedLink(page, 'bob@invited.example')).pathname)
  await expect(bob.page.getByRole('heading', { level: 1 })).toHaveText(
    'This invitation has been revoked.',
  )
  await bob.context.close()
})
