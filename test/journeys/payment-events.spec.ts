// Administrators see what the payment provider told us and what it did, and replay it; nobody else does.
import {
  complaintsOf,
  expect,
  expectNoAxeViolations,
  expectNoSidewaysScrolling,
  hydrated,
  inDatabase,
  signedUp,
  somebodyElse,
  test,
} from './journey.ts'

test('what the payment provider told us', async ({ page, browser, baseURL, thunder }) => {
  const complaints = complaintsOf(page)
  const admin = await signedUp(page.request, 'Paula Paymaster')

  await test.step('it is for administrators only', async () => {
    await page.goto('/admin/payments')
    await expect(page.getByRole('heading', { name: 'For administrators only' })).toBeVisible()
    await inDatabase(thunder, "update users set role = 'admin' where email = $1", [admin.email])
    await page.goto('/dashboard')
    await hydrated(page)
    await page.getByRole('button', { name: 'Account menu' }).click()
    await page.getByRole('link', { name: 'Administration' }).press('Enter')
    await page.getByRole('link', { name: 'Payments', exact: true }).click()
    await expect(page).toHaveURL('/admin/payments')
    await expect(page.getByRole('heading', { name: 'Payment events', level: 1 })).toBeVisible()
    await expect(page.getByText('Test mode: our sandbox')).toBeVisible()
  })

  const list = page.getByRole('list', { name: 'Payment events' })
  const items = list.getByRole('listitem')
  const started = 'customer.subscription.created'

  await test.step('somebody buys: what came and what it did stands there', async () => {
    const bought = await page.request.post('/rest/v1/billing/demo-upgrade', {
      data: { plan: 'monthly' },
    })
    expect(bought.status()).toBe(200)
    const { subscription_id: id } = await bought.json()
    await expect
      .poll(async () => {
        const found = await page.request.get(`/rest/v1/payment-events?search=${id}`)
        const { events } = await found.json()
        return events.map(({ type, status }: Record<string, string>) => `${type} ${status}`)
      })
      .toContain(`${started} applied`)
    await page.goto('/admin/payments')
    await hydrated(page)
    await page.getByRole('searchbox', { name: 'Search by id' }).fill(id)
    await page.getByRole('button', { name: 'Search', exact: true }).click()
    await expect(page).toHaveURL(`/admin/payments?search=${id}`)
    const item = items.filter({ hasText: started })
    // The address changes a moment before the list.
    await expect(item).toHaveCount(1)
    await expect(item.getByText('Applied', { exact: true })).toBeVisible()
    await expect(item).toContainText('Delivered once')
  })

  await test.step('replaying does it again, and says what came of it', async () => {
    const replay = page.getByRole('button', { name: new RegExp(`Replay ${started}`) })
    await replay.press('Enter')
    const said = page.getByRole('status').filter({ hasText: 'Replayed' })
    await expect(said).toBeVisible()
    await expect(items.filter({ hasText: started })).toContainText('Applied')
    await expectNoAxeViolations(page)
  })

  await test.step('by what became of it, page by page', async () => {
    await inDatabase(
      thunder,
      `insert into payment_events (id, type, object_id, occurred_at, received_at, source, status, outcome, attempts)
       select 'evt_failed' || n, 'invoice.paid', 'in_failed' || n, now(), now() - n * interval '1 hour',
              'reconciler', 'failed', 'The provider did not answer', 12
         from generate_series(1, 60) n`,
    )
    await page.goto('/admin/payments')
    await hydrated(page)
    await page.getByRole('link', { name: 'Failed', exact: true }).click()
    await expect(page).toHaveURL('/admin/payments?status=failed')
    // The list of all is as long: these are there when it is the other one.
    const failed = items.filter({ hasText: 'The provider did not answer' })
    await expect(failed).toHaveCount(50)
    await page.getByRole('button', { name: 'Load More' }).click()
    await expect(failed).toHaveCount(60)
    await expect(page.getByRole('button', { name: 'Load More' })).toHaveCount(0)
    await expect(items.first()).toContainText('Found when comparing with the provider')
    await page.goto('/admin/payments?search=evt_nobody_knows')
    await expect(page.getByRole('heading', { name: 'No such events' })).toBeVisible()
  })

  await test.step('on a phone, without scripts, and when webhooks are off and the ledger is wrong', async () => {
    const still = await somebodyElse(browser, {
      baseURL,
      javaScriptEnabled: false,
      viewport: { width: 375, height: 800 },
      storageState: await page.context().storageState(),
    })
    await inDatabase(
      thunder,
      "insert into counter_checks (counter, differences) values ('ledger_payments', 2)",
    )
    await still.page.goto('/admin/payments?search=in_failed1')
    await expect(still.page.getByText('The ledger is wrong')).toBeVisible()
    await still.page.getByRole('button', { name: /Replay invoice\.paid/ }).click()
    await expect(still.page.getByRole('status').filter({ hasText: /replayed/i })).toBeVisible()
    await expect(still.page).toHaveURL('/admin/payments?search=in_failed1')
    await expectNoSidewaysScrolling(still.page)
    await inDatabase(thunder, "delete from counter_checks where counter = 'ledger_payments'")
    await inDatabase(thunder, "delete from payment_events where id like 'evt_failed%'")
    await still.context.close()
  })

  expect(complaints).toEqual([])
})
