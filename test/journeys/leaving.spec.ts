// Leaving: take everything out, delete the account, and find the address free and the members undisturbed.
import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import {
  complaintsOf,
  expect,
  expectNoAxeViolations,
  expectNoSidewaysScrolling,
  hydrated,
  logInHere,
  publishedCourse,
  signedUp,
  signUpHere,
  somebodyElse,
  test,
} from './journey.ts'
import { buyCourse, coursePaidFor } from './paying.ts'

const deletionPage = '/settings/delete-account'

test('a creator takes everything out and leaves', async ({ page, browser, baseURL }) => {
  const complaints = complaintsOf(page)
  const creator = await signedUp(page.request, 'Cleo Creator')
  const course = await publishedCourse(page.request, `Knots of ${creator.email}`, ['Bowline'])
  const member = await somebodyElse(browser, { baseURL })
  await signedUp(member.page.request, 'Max Member')
  const joined = await member.page.request.post('/rest/v1/enrollments', {
    data: { courseId: course.id },
  })
  expect(joined.status()).toBe(200)

  await test.step('what would happen is said first, with the own numbers', async () => {
    await page.goto('/settings#security')
    await hydrated(page)
    await expect(page.getByRole('link', { name: 'Download my data' })).toBeVisible()
    await page.getByRole('link', { name: 'Delete my account…' }).click()
    await expect(page).toHaveURL(new RegExp(`${deletionPage}$`))
    await expect(page.getByRole('heading', { level: 1, name: 'Delete my account' })).toBeVisible()
    await expect(page.getByRole('region', { name: 'What happens' })).toContainText(
      '1 member, you choose below',
    )
    await expect(page.getByText('You are signed out on every device.')).toBeVisible()
    await expectNoAxeViolations(page)
    await page.setViewportSize({ width: 375, height: 812 })
    await expectNoSidewaysScrolling(page)
    await page.setViewportSize({ width: 1280, height: 800 })
  })

  await test.step('everything comes out as one file', async () => {
    const downloading = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Download my data' }).click()
    const download = await downloading
    expect(download.suggestedFilename()).toMatch(/^thunder-my-data-\d{4}-\d\d-\d\d\.zip$/)
    const bytes = await readFile(await download.path())
    expect(bytes.subarray(0, 4).toString('latin1')).toBe('PK\x03\x04')
    for (const part of ['data.json', creator.email, 'Bowline'])
      expect(bytes.includes(part)).toBe(true)
  })

  const problem = page.getByRole('alert')
  const password = page.getByLabel('Current password', { exact: true })
  const word = page.getByLabel('Type DELETE to confirm')
  const send = page.getByRole('button', { name: 'Delete my account' })
  const keep = page.getByRole('radio', { name: 'Keep them for their members' })

  await test.step('nothing happens until it is confirmed in every part', async () => {
    await send.click()
    await expect(problem).toHaveText('Type DELETE to confirm')
    await word.fill('DELETE')
    await password.fill('a wrong guess')
    await send.click()
    await expect(problem).toHaveText('The password is not correct. Please try again.')
    await expectNoAxeViolations(page)
    await password.fill(creator.password)
    await word.fill('DELETE')
    await page.context().setOffline(true)
    await send.click()
    await expect(problem).toContainText(
      'We could not reach the server, so we do not know whether your account was deleted.',
    )
    await expect(send).not.toHaveAttribute('aria-busy', 'true')
    await page.context().setOffline(false)
    await send.click()
    await expect(problem).toContainText('Please say what shall become of it.')
    expect((await page.request.get('/rest/v1/me')).ok()).toBe(true)
  })

  await test.step('confirmed by keyboard, it is done and said', async () => {
    // The form is closed until its answer is there whole.
    await expect(keep).toBeEnabled()
    await keep.focus()
    await page.keyboard.press('Space')
    await expect(keep).toBeChecked()
    await page.keyboard.press('Tab')
    await expect(password).toBeFocused()
    await expect(password).toHaveValue(creator.password)
    const drafts = () =>
      page.evaluate(() =>
        Object.keys(localStorage).filter((key) => key.startsWith('thunder-draft')),
      )
    await page.evaluate(
      (keptAt) => localStorage.setItem('thunder-draft:me:post', JSON.stringify({ keptAt })),
      Date.now(),
    )
    await word.focus()
    await page.keyboard.press('Enter')
    await expect(page.getByText('Your account is deleted', { exact: true })).toBeVisible()
    expect(await drafts()).toEqual([])
    expect(new URL(page.url()).pathname).toBe('/')
    await expect(page.getByRole('link', { name: 'Login', exact: true })).toBeVisible()
    await expectNoAxeViolations(page)
    const names = (await page.context().cookies()).map(({ name }) => name)
    expect(names.filter((name) => name.includes('session'))).toEqual([])
    await page.goto('/')
    await expect(page.getByText('Your account is deleted', { exact: true })).toBeHidden()
  })

  await test.step('a mail says goodbye', async () => {
    await expect
      .poll(async () => {
        const mails: { to: string; subject: string }[] = await (
          await page.request.get('/outbox/mails.json')
        ).json()
        return mails.filter(({ to }) => to === creator.email).map(({ subject }) => subject)
      })
      .toContain('Your Thunder account is deleted')
  })

  await test.step('the member goes on, without the name of who left', async () => {
    await member.page.goto(`/course/${course.slug}/dashboard`)
    await expect(member.page.getByRole('link', { name: /Bowline/ }).first()).toBeVisible()
    await expect(member.page.getByText('Cleo Creator')).toHaveCount(0)
    expect((await page.request.get(`/course/${course.slug}`)).status()).toBe(404)
    await member.context.close()
  })

  await test.step('logging in is refused, and the address is free again', async () => {
    await page.goto('/login')
    await hydrated(page)
    await logInHere(page, creator)
    await expect(page.getByText('Invalid email or password.', { exact: false })).toBeVisible()
    await page.goto('/signup')
    await hydrated(page)
    await signUpHere(page, { ...creator, name: 'Cleo Again' })
    await expect(page.getByRole('heading', { name: 'Hello, Cleo Again' })).toBeVisible()
    await expect(page.getByText('No courses yet')).toBeVisible()
  })
  expect(complaints).toEqual([])
})

test('without JavaScript it works as well', async ({ browser, baseURL }) => {
  const { context, page } = await somebodyElse(browser, { baseURL, javaScriptEnabled: false })
  const person = await signedUp(page.request, 'Nora Noscript')
  await page.goto(deletionPage)
  await page.getByLabel('Current password', { exact: true }).fill('a wrong guess')
  await page.getByLabel('Type DELETE to confirm').fill('DELETE')
  await page.getByRole('button', { name: 'Delete my account' }).click()
  await expect(page.getByRole('alert')).toHaveText('The password is not correct. Please try again.')
  await page.getByLabel('Current password', { exact: true }).fill(person.password)
  await page.getByLabel('Type DELETE to confirm').fill('DELETE')
  await page.getByRole('button', { name: 'Delete my account' }).click()
  await expect(page.getByText('Your account is deleted', { exact: true })).toBeVisible()
  await page.goto(deletionPage)
  await expect(page).toHaveURL(/\/login\?to=/)
  await context.close()
})

test('a creator with earnings and no way to be paid gives them up, or does not go', async ({
  page,
  browser,
  baseURL,
}) => {
  const creator = await signedUp(page.request, 'Greta Giver')
  const course = await coursePaidFor(page.request, `Sold by ${creator.email}`, {
    pricingType: 'one_time',
    priceAmount: 2900,
  })
  const buyer = await somebodyElse(browser, { baseURL })
  await signedUp(buyer.page.request, 'Bela Buyer')
  await buyCourse(buyer.page, course)
  await buyer.context.close()

  const plain = await somebodyElse(browser, { baseURL, javaScriptEnabled: false })
  const confirm = async (view: Page) => {
    await view.getByLabel('Keep them for their members').check()
    await view.getByLabel('Current password', { exact: true }).fill(creator.password)
    await view.getByLabel('Type DELETE to confirm').fill('DELETE')
    await view.getByRole('button', { name: 'Delete my account' }).click()
  }
  const choice = (view: Page) => view.getByLabel('I give up the $26.41 that I earned')

  await test.step('what is lost is said, and nothing is chosen', async () => {
    await page.goto(deletionPage)
    await hydrated(page)
    await expect(page.getByRole('region', { name: 'What happens' })).toContainText('$26.41')
    await expect(page.getByRole('region', { name: 'What happens' })).toContainText(
      '1 member, stays for those who paid',
    )
    await expect(choice(page)).not.toBeChecked()
    await expectNoAxeViolations(page)
    await page.setViewportSize({ width: 375, height: 812 })
    await expectNoSidewaysScrolling(page)
    await confirm(page)
    await expect(page.getByRole('alert')).toContainText('Set up how you are paid')
  })

  await test.step('without JavaScript it is given up', async () => {
    await plain.context.addCookies(await page.context().cookies())
    await plain.page.goto(deletionPage)
    await choice(plain.page).check()
    await confirm(plain.page)
    await expect(plain.page.getByText('Your account is deleted', { exact: true })).toBeVisible()
  })
  await plain.context.close()
})
