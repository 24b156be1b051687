// Administrators see what is done in the background and what of it fails, try it again, and give it up.
import type { Page } from '@playwright/test'
import { Client } from 'pg'
import { runningPostgresUrl } from '../../src/server/postgres/embedded.ts'
import { sayAlive } from '../../src/server/worker-lives.ts'
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

const kind = 'Sends a mail about a notification'
const reason = 'Nobody waits for this mail.'

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

async function looksRight(page: Page) {
  await expectNoAxeViolations(page)
  await page.setViewportSize({ width: 375, height: 800 })
  await expectNoSidewaysScrolling(page)
  await page.setViewportSize({ width: 1280, height: 800 })
}

test('a job fails, is tried again, and given up', async ({ page, browser, baseURL, thunder }) => {
  const complaints = complaintsOf(page)
  const admin = await signedUp(page.request, 'Juno Jobs')
  /** What failed before this journey, and in it. */
  const forgetFailed = () =>
    inDatabase(
      thunder,
      `delete from graphile_worker._private_jobs
        where attempts > 0 and (locked_at is null or locked_by = 'a slow worker')`,
    )
  const failed = (values: string, { name = 'trimNotices', times = 1 } = {}) =>
    inDatabase(
      thunder,
      `insert into graphile_worker._private_jobs
              (task_id, payload, run_at, attempts, max_attempts, last_error, locked_at, locked_by)
       select id, ${values} from graphile_worker._private_tasks, generate_series(1, ${times})
        where identifier = $1`,
      [name],
    )
  /** Without a try of its own in the middle of what somebody does here. */
  const inADay = () =>
    inDatabase(
      thunder,
      `update graphile_worker._private_jobs set run_at = now() + interval '1 day'
        where attempts between 1 and 11`,
    )
  const listed = async (): Promise<{ id: string; state: string; attempts: number }[]> =>
    (await (await page.request.get('/rest/v1/admin/jobs/failing')).json()).jobs
  const items = section(page, 'Failing').getByRole('list', { name: 'Failing jobs' }).locator('> li')

  await test.step('nothing is failing', async () => {
    await page.goto('/admin/jobs')
    await expect(page.getByRole('heading', { name: 'For administrators only' })).toBeVisible()
    await inDatabase(thunder, "update users set role = 'admin' where email = $1", [admin.email])
    await forgetFailed()
    await page.goto('/admin')
    await hydrated(page)
    await page
      .getByRole('navigation', { name: 'Administration' })
      .getByRole('link', { name: 'Jobs' })
      .press('Enter')
    await expect(page.getByRole('heading', { name: 'Jobs', level: 1 })).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Nothing is failing' })).toBeVisible()
    await expect(page.getByText('Nothing waits longer than a moment.')).toBeVisible()
    await looksRight(page)
  })

  const worker = new Client({ connectionString: await runningPostgresUrl(thunder) })
  await worker.connect()
  await sayAlive(worker, 'a slow worker')
  const item = items.filter({ hasText: kind })
  let jobId = ''

  await test.step('a job that its task refuses is there, without the address that it carries', async () => {
    await inDatabase(
      thunder,
      `select graphile_worker.add_job('sendNoticeMail', max_attempts := 12,
                payload := '{"notificationId": "grace@private.example"}'::json)`,
    )
    await expect.poll(async () => (await listed()).map(({ state }) => state)).toEqual(['failing'])
    await inADay()
    jobId = (await listed())[0]!.id
    await page.goto('/admin/jobs')
    await hydrated(page)
    await expect(item).toHaveCount(1)
    await expect(item).toContainText('invalid input syntax for type uuid: …')
    await expect(item).toContainText(/tried \d of 12 times/)
    const kinds = section(page, 'The queue').getByRole('listitem').filter({ hasText: kind })
    await expect(kinds).toContainText('1 failing')
    expect(await page.content()).not.toContain('private.example')
    await looksRight(page)
  })

  await test.step('tried again it fails again', async () => {
    const [before] = await listed()
    await button(page, `Try now: job ${jobId}`).press('Enter')
    await expect(page.getByRole('status').filter({ hasText: 'within seconds' })).toBeVisible()
    await expect.poll(async () => (await listed())[0]?.attempts).toBeGreaterThan(before!.attempts)
    await inADay()
  })

  await test.step('it is given up with a reason', async () => {
    await expect.poll(async () => (await listed())[0]?.state).toBe('failing')
    await page.goto('/admin/jobs')
    await hydrated(page)
    await item.getByText(`Give up job ${jobId}`).click()
    await button(page, 'Give up this job').click()
    await expect(item.getByText('Please write a reason')).toBeVisible()
    await looksRight(page)
    await item.getByLabel(`Why job ${jobId} is given up`).fill(reason)
    await button(page, 'Give up this job').press('Enter')
    await expect(page.getByText(`Job ${jobId} is given up.`)).toBeVisible()
    await expect(item).toContainText('not tried again by itself')
    await expect(item.getByText(`Give up job ${jobId}`)).toHaveCount(0)
    await looksRight(page)
  })

  await test.step('all of a kind, once what they need is back', async () => {
    const { id } = await (await page.request.get('/rest/v1/me')).json()
    await failed(
      `json_build_object('userId', '${id}'), now() + interval '1 hour', 2, 12, 'The mail server is away', null, null`,
      { name: 'sendWelcomeMail' },
    )
    await failed(
      `'{}', now(), 3, 12, 'It broke off', now() - interval '20 minutes', 'a slow worker'`,
    )
    await page.goto('/admin/jobs')
    await hydrated(page)
    await expect(items).toHaveCount(3)
    const slow = items.filter({ hasText: 'being tried now' })
    await expect(slow.getByRole('button')).toHaveCount(0)
    await expect(page.getByText('1 under way, for 20 minutes already')).toBeVisible()
    await looksRight(page)
    await button(page, 'Try all failing now: Sends the welcome mail').click()
    await expect(page.getByText('All of this kind that failed are tried')).toBeVisible()
    await expect
      .poll(async () => (await listed()).map(({ state }) => state))
      .toEqual(['underWay', 'givenUp'])
  })

  await test.step('many, page by page', async () => {
    await failed(`'{}', now() + interval '1 hour', 2, 12, 'One of many', null, null`, { times: 30 })
    await page.goto('/admin/jobs')
    await hydrated(page)
    await expect(items).toHaveCount(30)
    await page.getByRole('link', { name: 'Load More' }).click()
    await expect(items).toHaveCount(32)
    await expect(page.getByRole('link', { name: 'Load More' })).toHaveCount(0)
    // One that is new pushes the last of the first page to the next one, which is read again, too.
    await failed(`'{}', now() + interval '1 hour', 2, 12, 'One more', null, null`)
    const second = items.nth(1)
    await second.getByText('Give up job').click()
    await second.getByLabel(/^Why job/).fill(reason)
    await button(page, 'Give up this job').click()
    await expect(page.getByText(/^Job \d+ is given up\./)).toBeVisible()
    await expect(items).toHaveCount(33)
    await expect(items.getByText('Given up', { exact: true })).toHaveCount(2)
    await page.goto('/admin/jobs?cursor=nowhere')
    await expect(
      page.getByRole('heading', { name: 'There is no such place in the queue' }),
    ).toBeVisible()
  })

  await test.step('on a phone, without scripts', async () => {
    const still = await somebodyElse(browser, {
      baseURL,
      javaScriptEnabled: false,
      viewport: { width: 375, height: 800 },
      storageState: await page.context().storageState(),
    })
    await still.page.goto('/admin/jobs')
    await still.page.getByRole('link', { name: 'Load More' }).click()
    await expect(section(still.page, 'Failing').getByText('Given up', { exact: true })).toHaveCount(
      1,
    )
    await button(still.page, `Try now: job ${jobId}`).click()
    await expect(still.page.getByText(`Job ${jobId} is tried within seconds.`)).toBeVisible()
    await still.page.goto('/admin/jobs')
    const first = still.page.getByRole('list', { name: 'Failing jobs' }).locator('> li').first()
    await first.getByText('Give up job').click()
    await first.getByRole('button', { name: 'Give up this job' }).click()
    await expect(still.page.getByText('Please write a reason')).toBeVisible()
    await still.context.close()
  })

  await test.step('the audit log has it, and nothing is left', async () => {
    await page.goto('/admin/log?subjectKind=job')
    await hydrated(page)
    const acts = page.getByRole('list', { name: 'Acts' }).getByRole('listitem')
    await expect(acts.first()).toContainText(`Tried again the job ${kind}`)
    const given = acts.filter({ hasText: `Gave up the job ${kind}` }).first()
    await expect(given).toContainText(reason)
    await expect(
      acts.filter({ hasText: 'Sends the welcome mail (all that failed: 1)' }).first(),
    ).toBeVisible()
    await forgetFailed()
    await inDatabase(
      thunder,
      `delete from graphile_worker._private_jobs where payload::text like '%private.example%'`,
    )
  })

  await worker.end()
  expect(complaints).toEqual([])
})
