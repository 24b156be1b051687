// Support: asked with an account and without one, answered by an administrator, told and read.
import {
  complaintsOf,
  expect,
  expectNoAxeViolations,
  hydrated,
  inDatabase,
  signedUp,
  somebodyElse,
  test,
  unreadNotices,
} from './journey.ts'

test('somebody asks, is answered, writes again, and closes it', async ({
  page,
  browser,
  baseURL,
  thunder,
}) => {
  const complaints = complaintsOf(page)
  const ann = await signedUp(page.request, 'Ann Asker')
  const subject = `My video stays black ${ann.email}`
  /** Once an administrator looks at the request. */
  const write = async (message: string) => {
    const path = `/rest/v1/support/requests/${admin.page.url().split('/').at(-1)}/messages`
    expect((await page.request.post(path, { data: { message } })).status()).toBe(200)
  }
  const admin = await somebodyElse(browser, { baseURL })
  const { email } = await signedUp(admin.page.request, 'Ada Ministrator')
  await inDatabase(thunder, `update users set role = 'admin' where email = $1`, [email])

  await test.step('from the footer to the form, on a phone', async () => {
    await page.setViewportSize({ width: 375, height: 812 })
    await page.goto('/dashboard')
    await hydrated(page)
    await page.getByRole('contentinfo').getByRole('link', { name: 'Contact support' }).click()
    await expect(page.getByRole('heading', { name: 'No requests yet' })).toBeVisible()
    await expect(page.getByRole('link', { name: 'Upgrade to Pro' })).toBeVisible()
    await expect(page.getByLabel('Email')).toHaveCount(0)
    await page.getByRole('button', { name: 'Send' }).click()
    await expect(page.getByRole('alert')).toHaveText('Please choose what it is about')
    await expect(page.getByText('Subject is required')).toBeVisible()
    await page.getByLabel('What is it about?').selectOption('Making a course')
    await page.getByLabel('Subject').fill(subject)
    await page.getByLabel('Message').fill('It plays in my editor.\nIn the lesson it stays black.')
    await expectNoAxeViolations(page)
    await page.getByRole('button', { name: 'Send' }).click()
    await expect(page.getByText('Your request has arrived.')).toBeVisible()
    await expect(page.getByText('In the lesson it stays black.')).toBeVisible()
    await expectNoAxeViolations(page)
  })

  await test.step('an administrator answers from the queue', async () => {
    await hydrated(page)
    await page.getByLabel('Write more').fill('By the way, it')
    const news = 'Somebody asked for support'
    expect(await unreadNotices(admin.page)).toContain(news)
    await admin.page.goto('/admin/support')
    await hydrated(admin.page)
    // So that the next request is told of, too.
    await expect.poll(() => unreadNotices(admin.page)).not.toContain(news)
    await admin.page.getByRole('link', { name: subject }).click()
    await admin.page.getByLabel('Answer').fill('Please convert it to H.264, then upload it again.')
    await expectNoAxeViolations(admin.page)
    await admin.page.getByRole('button', { name: 'Send answer' }).click()
    await expect(admin.page.getByRole('list', { name: 'Messages' })).toContainText('convert it')
    // The page of who asked, which was open all the time.
    await expect(page.getByText('Please convert it to H.264')).toBeVisible()
    await expect(page.getByLabel('Write more')).toHaveValue('By the way, it')
    await admin.page.goto('/admin/support?status=answered')
    await expect(admin.page.getByRole('link', { name: subject })).toBeVisible()
    await expectNoAxeViolations(admin.page)
  })

  await test.step('the person is told, reads it, writes again and closes it', async () => {
    await page.goto('/notifications')
    await page.getByRole('main').getByText('Your request was answered').click()
    await expect(page.getByText('Please convert it to H.264')).toBeVisible()
    await hydrated(page)
    await page.getByLabel('Write more').fill('Thank you, now it plays.')
    await page.getByRole('button', { name: 'Send' }).click()
    await expect(page.getByText('Thank you, now it plays.')).toHaveCount(1)
    await expect(page.getByLabel('Write more')).toHaveValue('')
    await page.getByRole('button', { name: 'Close request' }).click()
    await expect(page.getByText('This request is closed.')).toBeVisible()
    await page.getByRole('link', { name: 'Back to Support' }).click()
    await expect(page.getByRole('list', { name: 'Your requests' })).toContainText('Closed')
    await expectNoAxeViolations(page)
  })

  await test.step('with Pro it has priority', async () => {
    await inDatabase(
      thunder,
      `insert into plan_grants (user_id, reason) select id, 'A test' from users where email = $1`,
      [ann.email],
    )
    await page.goto('/support?topic=payments')
    await expect(page.getByText('Priority: answered before others')).toBeVisible()
    await expect(page.getByLabel('What is it about?')).toHaveValue('payments')
  })

  await test.step('what the person writes while it is answered is read before', async () => {
    const messages = admin.page.getByRole('list', { name: 'Messages' })
    const answer = admin.page.getByLabel('Answer')
    const send = admin.page.getByRole('button', { name: 'Send answer' })
    await admin.page.goto('/admin/support?status=closed')
    await hydrated(admin.page)
    await admin.page.getByRole('link', { name: subject }).click()
    await expect(answer).toBeVisible()
    await write('Now it is black again.')
    await answer.fill('Which device is it?')
    await send.click()
    await expect(admin.page.getByRole('alert')).toContainText('Something was written meanwhile.')
    await expect(messages).toContainText('Now it is black again.')
    await admin.page.setViewportSize({ width: 375, height: 600 })
    await write('It is a phone of mine.')
    await admin.page.getByRole('button', { name: 'Close request' }).click()
    const unread = admin.page
      .getByRole('alert')
      .getByRole('link', { name: 'Read what was written' })
    await expect(unread).toBeInViewport({ ratio: 1 })
    await expect(admin.page.getByRole('alert')).toHaveCount(1)
    await expectNoAxeViolations(admin.page)
    await admin.page.keyboard.press('Tab')
    await expect(unread).toBeFocused()
    await unread.press('Enter')
    const latest = messages.getByRole('listitem').last()
    await expect(latest).toContainText('It is a phone of mine.')
    await expect(latest).toBeInViewport({ ratio: 1 })
    await expect(latest).toBeFocused()
    // Nothing has to be typed again.
    await expect(answer).toHaveValue('Which device is it?')
    await send.click()
    await expect(messages).toContainText('Which device is it?')
    await expect(answer).toHaveValue('')
    const news = 'Your request was answered'
    expect(await unreadNotices(page)).toContain(news)
    // As by the link of the mail.
    await page.goto(`/support/${admin.page.url().split('/').at(-1)}`)
    await expect.poll(() => unreadNotices(page)).not.toContain(news)
  })

  await test.step('without scripts nothing has to be typed again either', async () => {
    const storageState = await admin.context.storageState()
    const plain = await somebodyElse(browser, { baseURL, storageState, javaScriptEnabled: false })
    await plain.page.goto(admin.page.url())
    const answer = plain.page.getByLabel('Answer')
    await answer.fill('Please try another cable.')
    await write('It is an old one.')
    await plain.page.getByRole('button', { name: 'Close request' }).click()
    await expect(plain.page.getByRole('alert')).toContainText('Something was written meanwhile.')
    await expect(answer).toHaveValue('Please try another cable.')
    await plain.page.getByRole('button', { name: 'Send answer' }).click()
    await expect(plain.page.getByRole('list', { name: 'Messages' })).toContainText(
      'Please try another cable.',
    )
    await plain.context.close()
  })
  expect(complaints).toEqual([])
})

test('whose log-in ended meanwhile is asked for a name, and nothing that was typed is lost', async ({
  page,
}) => {
  await signedUp(page.request, 'Ann Asker')
  await page.goto('/support')
  await hydrated(page)
  await page.getByLabel('What is it about?').selectOption('Making a course')
  await page.getByLabel('Subject').fill('It stays black')
  await page.getByLabel('Message').fill('In the lesson.')
  await page.context().clearCookies()
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByLabel('Name').fill('Ann Asker')
  await page.getByLabel('Email').fill('ann.asker@example.com')
  await expect(page.getByLabel('Message')).toHaveValue('In the lesson.')
  await page.getByRole('button', { name: 'Send' }).click()
  await expect(page.getByText('Your request has arrived.')).toBeVisible()
})

test('without an account and without JavaScript: the form, what is wrong, the mail', async ({
  browser,
  baseURL,
}) => {
  const { page, context } = await somebodyElse(browser, { baseURL, javaScriptEnabled: false })
  await page.goto('/support')
  await page.getByLabel('Your name').fill('Sam Stranger')
  await page.getByLabel('Email').fill('nowhere')
  await page.getByLabel('What is it about?').selectOption('Something else')
  await page.getByLabel('Subject').fill('Is anybody there?')
  await page.getByLabel('Message').fill('I would like to know who runs this.')
  await page.getByRole('button', { name: 'Send' }).click()
  await expect(page.getByText('Please enter a valid email address').first()).toBeVisible()
  await expect(page.getByLabel('Message')).toHaveValue('I would like to know who runs this.')
  const email = `${crypto.randomUUID()}@example.com`
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Send' }).click()
  await expect(page).toHaveURL(/\/support\?sent=true$/)
  await expect(page.getByText('Your request has arrived.')).toBeVisible()
  await expect
    .poll(async () => (await (await page.request.get('/outbox/mails.json')).text()).includes(email))
    .toBe(true)
  await page.getByRole('link', { name: 'Write another one' }).click()
  await expect(page.getByLabel('Message')).toHaveValue('')
  await context.close()
})
