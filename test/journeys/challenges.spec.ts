// A challenge from the draft to its winner: by an administrator, for creators on Pro, seen by everybody.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import {
  complaintsOf,
  expect,
  expectNoAxeViolations,
  hydrated,
  inDatabase,
  publishedCourse,
  signedUp,
  somebodyElse,
  test,
} from './journey.ts'

const minutes = (count: number) => new Date(Date.now() + count * 60_000).toISOString().slice(0, 16)

test('a challenge is published, entered, closed, drawn, and drawn again by anybody', async ({
  page,
  browser,
  baseURL,
  thunder,
}) => {
  const complaints = complaintsOf(page)
  const { email: adminEmail } = await signedUp(page.request, 'Ada Ministrator')
  await inDatabase(thunder, `update users set role = 'admin' where email = $1`, [adminEmail])
  const title = `First lessons ${crypto.randomUUID().slice(0, 8)}`
  const cleo = await somebodyElse(browser, { baseURL, viewport: { width: 375, height: 812 } })
  const { email } = await signedUp(cleo.page.request, 'Cleo Creator')
  const course = await publishedCourse(cleo.page.request, `Entered by ${email}`)
  const stranger = await somebodyElse(browser, { baseURL, javaScriptEnabled: false })
  let address = ''

  await test.step('an administrator drafts, changes and publishes it', async () => {
    await page.goto('/admin/challenges')
    await hydrated(page)
    await page.getByRole('link', { name: 'New challenge' }).click()
    await page.getByLabel('Title').fill(title)
    await page.getByRole('button', { name: 'Save draft' }).click()
    await expect(page.getByText('The prize is required').first()).toBeVisible()
    await expect(page.getByLabel('Title')).toHaveValue(title)
    await page.getByLabel('Prize').fill('A microphone')
    await page.getByLabel('Rules').fill('Enter a course with a good first lesson.')
    await page.getByLabel('Opens (UTC)').fill(minutes(-5))
    await page.getByLabel('Closes (UTC)').fill(minutes(60))
    await expectNoAxeViolations(page)
    await page.getByRole('button', { name: 'Save draft' }).click()
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
    await expectNoAxeViolations(page)
    await page.getByRole('button', { name: 'Publish', exact: true }).click()
    await page.getByRole('link', { name: 'Public page' }).click()
    await expect(page.getByText('Hash of the seed (SHA-256)')).toBeVisible()
    address = new URL(page.url()).pathname
  })

  await test.step('a creator sees what it would be, then enters with Pro', async () => {
    await cleo.page.goto(address)
    await hydrated(cleo.page)
    await expect(cleo.page.getByRole('heading', { name: 'Enter a course, with Pro' })).toBeVisible()
    await expectNoAxeViolations(cleo.page)
    await inDatabase(
      thunder,
      `insert into plan_grants (user_id, reason) select id, 'A test' from users where email = $1`,
      [email],
    )
    await cleo.page.reload()
    await hydrated(cleo.page)
    await cleo.page.getByRole('button', { name: 'Enter', exact: true }).click()
    await expect(cleo.page.getByRole('heading', { name: "You're in" })).toBeVisible()
    await cleo.page.getByRole('button', { name: 'Withdraw entry' }).click()
    await cleo.page.getByRole('button', { name: 'Enter', exact: true }).click()
    await expect(cleo.page.getByRole('heading', { name: "You're in" })).toBeVisible()
    await expectNoAxeViolations(cleo.page)
  })

  await test.step('everybody sees it, without scripts', async () => {
    await stranger.page.goto('/challenges')
    await stranger.page.getByRole('link', { name: title }).click()
    await expect(stranger.page.getByText('1 entry', { exact: true })).toBeVisible()
    await expect(stranger.page.getByRole('link', { name: 'Log in to enter' })).toBeVisible()
  })

  await test.step('it closes at its time, by its job', async () => {
    const { pathname } = new URL(address, baseURL)
    const slug = pathname.split('/').at(-1)
    await inDatabase(thunder, 'update challenges set closes_at = now() where slug = $1', [slug])
    await inDatabase(thunder, `select graphile_worker.add_job('closeOverdueChallenges')`)
    await expect
      .poll(async () => (await (await page.request.get(`/rest/v1${address}`)).json()).phase)
      .toBe('closed')
  })

  await test.step('the winner is drawn, told, and shown', async () => {
    await page.goto('/admin/challenges')
    await hydrated(page)
    await page.getByRole('main').getByRole('link', { name: title }).click()
    await page.getByRole('button', { name: 'Draw the winner' }).click()
    await expect(page.getByText('The winner', { exact: true })).toBeVisible()
    await cleo.page.goto('/notifications')
    await expect(cleo.page.getByRole('main').getByText(`You have won: ${title}`)).toBeVisible()
    await stranger.page.reload()
    const winner = stranger.page.getByRole('status').filter({ hasText: 'The winner' })
    await expect(winner).toContainText('Cleo Creator')
    await expect(winner.getByRole('link').first()).toHaveAttribute('href', `/course/${course.slug}`)
    await page.goto(address)
    await expectNoAxeViolations(page)
    const command = await stranger.page.getByText(/^node scripts\/verify-draw/).innerText()
    const [program = '', ...rest] = command.trim().split(' ')
    // Not in this process's way: what is between it and the server may be part of it.
    const { stdout } = await promisify(execFile)(program, rest)
    expect(stdout).toContain('The draw is right.')
  })
  expect(complaints).toEqual([])
  await stranger.context.close()
})

for (const javaScriptEnabled of [true, false]) {
  const scripts = javaScriptEnabled ? 'with scripts' : 'without scripts'
  test(`a draft says that it is saved, and is published as its fields are, ${scripts}`, async ({
    browser,
    baseURL,
    thunder,
  }) => {
    const { context, page } = await somebodyElse(browser, { baseURL, javaScriptEnabled })
    const { email } = await signedUp(page.request, 'Adele Ministrator')
    await inDatabase(thunder, `update users set role = 'admin' where email = $1`, [email])
    const drafted = await page.request.post('/rest/v1/admin/challenges', {
      data: {
        kind: 'challenge',
        title: `Best cover ${crypto.randomUUID().slice(0, 8)}`,
        prize: 'A microfone',
        rules: 'Enter a course with a good cover.',
        opensAt: `${minutes(-5)}:00Z`,
        closesAt: `${minutes(60)}:00Z`,
      },
    })
    expect(drafted.status()).toBe(200)
    const { id } = await drafted.json()
    const stored = async () => (await page.request.get(`/rest/v1/admin/challenges/${id}`)).json()
    const saved = page.getByRole('status').filter({ hasText: 'The draft is saved' })
    const publish = page.getByRole('button', { name: 'Publish', exact: true })
    await page.goto(`/admin/challenges/${id}`)
    if (javaScriptEnabled) await hydrated(page)
    await expect(saved).toHaveCount(0)

    await test.step('saved, and said so', async () => {
      await page.getByLabel('Prize').fill('A micrphone')
      await page.getByRole('button', { name: 'Save draft' }).click()
      await expect(saved).toBeInViewport()
      expect(await stored()).toMatchObject({ phase: 'draft', prize: 'A micrphone' })
      if (javaScriptEnabled) await expectNoAxeViolations(page)
    })

    await test.step('what cannot be saved publishes nothing', async () => {
      await page.getByLabel('Title').fill('')
      await page.getByLabel('Prize').fill('A microphone')
      await publish.click()
      await expect(page.getByText('Title is required').first()).toBeVisible()
      await expect(page.getByLabel('Prize')).toHaveValue('A microphone')
      await expect(saved).toHaveCount(0)
      expect(await stored()).toMatchObject({ phase: 'draft', prize: 'A micrphone' })
    })

    await test.step('what somebody else corrected meanwhile is not undone unread', async () => {
      await page.getByLabel('Title').fill('Best cover')
      const { opensAt, closesAt } = await stored()
      const corrected = await page.request.put(`/rest/v1/admin/challenges/${id}`, {
        data: {
          kind: 'challenge',
          title: 'Best cover',
          prize: 'Two microphones',
          rules: 'Enter a course with a good cover.',
          opensAt,
          closesAt,
        },
      })
      expect(corrected.status()).toBe(200)
      // With scripts the fields stay as they are meanwhile, and are no newer for it.
      if (javaScriptEnabled) {
        await page.getByRole('button', { name: 'Cancel this challenge' }).click()
        await expect(page.getByText('Please say why').first()).toBeVisible()
      }
      await publish.click()
      await expect(page.getByRole('alert')).toContainText('This draft was changed')
      const now = page.getByRole('status').filter({ hasText: 'The draft says now' })
      await expect(now.getByRole('definition')).toHaveText(['Two microphones'])
      await expect(page.getByLabel('Prize')).toHaveValue('A microphone')
      expect(await stored()).toMatchObject({ phase: 'draft', prize: 'Two microphones' })
      if (javaScriptEnabled) await expectNoAxeViolations(page)
    })

    await test.step('the corrected text becomes public', async () => {
      await page.getByLabel('Title').fill('Best cover of all')
      await publish.click()
      await page.getByRole('link', { name: 'Public page' }).click()
      await expect(page.getByRole('heading', { level: 1, name: 'Best cover of all' })).toBeVisible()
      // The address is that of the title with which it was published.
      const { slug } = await stored()
      expect(slug).toMatch(/^best-cover-of-all/)
      expect(await (await page.request.get(`/rest/v1/challenges/${slug}`)).json()).toMatchObject({
        phase: 'open',
        title: 'Best cover of all',
        prize: 'A microphone',
      })
    })
    await context.close()
  })
}

test('there is no such challenge', async ({ page }) => {
  const answer = await page.goto('/challenges/no-such-challenge')
  expect(answer!.status()).toBe(404)
  await expect(page.getByRole('heading', { name: 'Challenge not found' })).toBeVisible()
})
