// Settings, Developers: a token is made, used by a program, and revoked.
import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import {
  expect,
  expectNoAxeViolations,
  expectNoSidewaysScrolling,
  hydrated,
  inDatabase,
  signedUp,
  test,
} from './journey.ts'
import { loseAnswer } from './lose-answer.ts'
import { endSessions, logInAgain } from './ended-session.ts'
import { lookAwayAndBack } from './look-away.ts'

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const dialog = (page: Page) => page.getByRole('dialog')

test('a token is made, used by a program, and revoked', async ({ page, thunder }) => {
  const person = await signedUp(page.request, 'Petra Program')
  await page.goto('/settings#developers')
  await hydrated(page)
  const section = page.getByRole('region', { name: 'Access tokens', exact: true })
  await expect(section).toContainText('No access tokens yet')
  await expectNoAxeViolations(page)
  await button(page, 'Add Token').click()

  await test.step('it says what is missing', async () => {
    await dialog(page).getByRole('button', { name: 'Add Token' }).click()
    await expect(dialog(page)).toContainText('A name is required')
    await expect(dialog(page)).toContainText('Choose at least one thing that the token may do')
    await expectNoAxeViolations(page)
  })

  await dialog(page).getByLabel('Name').fill('My shop')
  await dialog(page).getByLabel('Expires').selectOption({ label: 'In 30 days' })
  await dialog(page).getByLabel('See your profile, your email address and your plan').check()
  await dialog(page).getByLabel('Join and leave courses, tick').check()

  const written = page.getByText('what you wrote is still here').filter({ visible: true })
  await test.step('what is typed stays when the log-in ends elsewhere', async () => {
    await endSessions(thunder, person)
    await lookAwayAndBack(page)
    await expect(dialog(page).filter({ has: written })).toBeVisible()
    await logInAgain(page.request, person)
    await lookAwayAndBack(page)
    await expect(written).toHaveCount(0)
    await expect(dialog(page).getByLabel('Name')).toHaveValue('My shop')
  })

  const token = await test.step('who logged in a while ago proves to be the owner', async () => {
    await inDatabase(
      thunder,
      `update sessions set proven_at = now() - interval '20 minutes'
        where user_id = (select id from users where email = $1)`,
      [person.email],
    )
    await dialog(page).getByRole('button', { name: 'Add Token' }).click()
    const proof = page.getByRole('dialog', { name: 'Confirm that it is you' })
    await proof.getByLabel('Password', { exact: true }).fill(person.password)
    await page.keyboard.press('Enter')
    const shown = page.getByRole('dialog', { name: 'Your new access token' })
    await expect(shown).toBeVisible()
    await expectNoAxeViolations(page)
    const made = await shown.getByLabel('Access token').inputValue()
    expect(made).toMatch(/^pat_[0-9A-Za-z]{38}$/)
    await endSessions(thunder, person)
    await lookAwayAndBack(page)
    const stays = shown.getByText('This stays here until you have stored it.')
    await expect(stays).toBeVisible()
    await expect(shown).not.toContainText('what you wrote')
    await expectNoAxeViolations(page)
    await logInAgain(page.request, person)
    await lookAwayAndBack(page)
    await expect(written).toHaveCount(0)
    await expect(stays).toBeHidden()
    await button(page, 'I have stored it').click()
    await expect(shown).toBeHidden()
    return made
  })

  const call = (path: string, more: RequestInit = {}) =>
    fetch(`${thunder.url}${path}`, {
      ...more,
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        ...more.headers,
      },
    })

  await test.step('a program calls with it, within its scopes, and is not done twice', async () => {
    const me = await call('/rest/v1/me')
    expect([me.status, ((await me.json()) as { email: string }).email]).toEqual([200, person.email])
    expect(me.headers.get('ratelimit')).toMatch(/^"default";r=599;t=\d+$/)
    expect((await call('/rest/v1/earnings')).status).toBe(403)
    const key = randomUUID()
    const plan = () =>
      call('/rest/v1/rpc/get_user_plan', {
        method: 'POST',
        body: '{}',
        headers: { 'idempotency-key': key },
      })
    expect((await plan()).headers.get('idempotency-replayed')).toBeNull()
    expect((await plan()).headers.get('idempotency-replayed')).toBe('true')
    // It opens no page.
    const elsewhere = await call('/settings', { redirect: 'manual' })
    expect(elsewhere.headers.get('location')).toContain('/login')
  })

  await test.step('the list knows of it, on a phone too', async () => {
    await page.reload()
    await hydrated(page)
    await expect(section).toContainText('My shop')
    await expect(section).toContainText(`pat_…${token.slice(-4)}`)
    await expect(section).toContainText('Used within the last hour')
    await expect(section).toContainText('profile:read, learning:write')
    await expect(page.locator('body')).not.toContainText(token)
    await page.setViewportSize({ width: 375, height: 800 })
    await expectNoSidewaysScrolling(page)
    await expectNoAxeViolations(page)
  })

  await test.step('revoked, it is refused at once', async () => {
    await button(page, 'Revoke My shop').click()
    const asks = page.getByRole('alertdialog', { name: 'Revoke My shop?' })
    await expectNoAxeViolations(page)
    const revoke = asks.getByRole('button', { name: 'Revoke', exact: true })
    await loseAnswer(page, 'DELETE', () => revoke.click())
    await expect(asks).toContainText('The token was not revoked. Please try again.')
    await revoke.click()
    await expect(asks).toBeHidden()
    await expect(section).toContainText('No access tokens yet')
    expect((await call('/rest/v1/me')).status).toBe(401)
  })
})
