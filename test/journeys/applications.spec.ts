// Joining by application: one person asks, another decides, and each sees at once what the other did.
import type { APIRequestContext, Browser, Page } from '@playwright/test'
import { whileFailing } from './failing-call.ts'
import {
  complaintsOf,
  expect,
  expectNoAxeViolations,
  expectNoSidewaysScrolling,
  hold,
  hydrated,
  inDatabase,
  meddle,
  newcomer,
  publishedCourse,
  signedUp,
  signUpHere,
  somebodyElse,
  test,
} from './journey.ts'

/** In both themes, on a phone and on a desk, and never wider than the window. */
async function expectGoodOnEveryScreen(page: Page) {
  const before = page.viewportSize()
  for (const width of [375, 1280]) {
    await page.setViewportSize({ width, height: 812 })
    await expectNoSidewaysScrolling(page)
    await expectNoAxeViolations(page)
  }
  if (before) await page.setViewportSize(before)
}

/** A creator with a course that asks one question that must be answered and one that may be. */
async function guardedCourse(browser: Browser, url: string, title: string) {
  const creator = await somebodyElse(browser, { baseURL: url })
  const { request } = creator.context
  await signedUp(request, 'Greta Gatekeeper')
  const course = await publishedCourse(request, title)
  const changed = await request.patch(`/rest/v1/courses/${course.id}`, {
    data: {
      applicationRequired: true,
      applicationInstructions: 'Tell us a little.\nTake your time.',
      applicationQuestions: [
        { question: 'Why this course?', required: true },
        { question: 'Anything else?', required: false },
      ],
    },
  })
  expect(changed.status()).toBe(200)
  return { ...creator, course }
}

/** Somebody who has applied through the API. */
async function applicant(browser: Browser, url: string, courseId: string, name: string) {
  const { context } = await somebodyElse(browser, { baseURL: url })
  await signedUp(context.request, name)
  await apply(context.request, courseId, `I am ${name}.`)
  await context.close()
}

async function apply(request: APIRequestContext, courseId: string, answer: string) {
  const { questions } = await (
    await request.get(`/rest/v1/courses/${courseId}/application-questions`)
  ).json()
  const sent = await request.post('/rest/v1/course_applications', {
    data: { courseId, answers: [{ questionId: questions[0].id, answer }] },
  })
  expect(sent.status()).toBe(200)
}

const tabsOf = (page: Page) => page.getByRole('navigation', { name: 'Course' }).getByRole('link')
const tabsOfMember = ['Overview', 'About', 'Discussion', 'Members']
const tabOf = (page: Page) => page.getByRole('link', { name: /^Applications/ })
const listOf = (page: Page) => page.getByRole('list', { name: 'Applications' })
const rowOf = (page: Page, name: string) =>
  listOf(page).getByRole('listitem').filter({ hasText: name })
const toggleOf = (page: Page, name: string) =>
  page.getByRole('button', { name: `Application of ${name}` })

async function openApplications(page: Page, slug: string) {
  await page.goto(`/course/${slug}/dashboard?tab=applications`)
  await hydrated(page)
}

test('a stranger signs up, applies, is rejected, applies again and is let in, side by side', async ({
  page,
  browser,
  thunder,
}) => {
  const complaints = complaintsOf(page)
  const creator = await guardedCourse(browser, thunder.url, 'Guarded garden')
  const { slug, id } = creator.course
  await openApplications(creator.page, slug)
  await expect(creator.page.getByRole('heading', { name: 'No applications yet' })).toBeVisible()

  // The return through sign-up.
  await page.goto(`/course/${slug}`)
  await expect(page.getByText('Joining takes an application')).toBeVisible()
  await page.getByRole('link', { name: 'Sign Up to Join' }).click()
  await hydrated(page)
  await signUpHere(page, newcomer('Ada Applicant'))
  // The address of the sign-up page ends with this path, too.
  await page.waitForURL(({ pathname }) => pathname === `/course/${slug}`)
  await hydrated(page)

  // Questions that do not come can be asked for again.
  const dialog = page.getByRole('dialog', { name: 'Apply to Join' })
  await whileFailing(page, ['GET', '**/application-questions'], async () => {
    await page.getByRole('button', { name: 'Apply to Join' }).click()
    await expect(dialog.getByRole('alert')).toContainText(
      'Failed to load application questions. Please try again later.',
    )
  })
  await dialog.getByRole('button', { name: 'Try again' }).click()

  // What is missing is said where it is missing, and nothing that was typed gets lost.
  await expect(dialog.getByText('Guarded garden')).toBeVisible()
  await expect(dialog.getByText('Tell us a little.')).toBeVisible()
  const why = dialog.getByLabel('Why this course?')
  await dialog.getByLabel('Anything else?').fill('No.')
  await why.fill('   ')
  await dialog.getByRole('button', { name: 'Submit Application' }).click()
  await expect(dialog.getByRole('alert')).toHaveText('Please answer all required questions.')
  await expect(why).toBeFocused()
  await expectGoodOnEveryScreen(page)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Apply to Join' }).click()
  await expect(dialog.getByLabel('Anything else?')).toHaveValue('No.')
  await why.fill('Because of the roses.')
  await page.context().setOffline(true)
  await dialog.getByRole('button', { name: 'Submit Application' }).click()
  await expect(dialog.getByRole('alert')).toHaveText(
    'Failed to submit application. Please try again.',
  )
  await page.context().setOffline(false)
  await dialog.getByRole('button', { name: 'Submit Application' }).click()
  await expect(page.getByText('Application Pending')).toBeVisible()
  await expect(
    page.getByText(
      "Your application to join this course is being reviewed. We'll notify you when a decision is made.",
    ),
  ).toBeVisible()
  await expect(page.getByRole('button', { name: 'Apply to Join' })).toBeDisabled()

  // The instructor's open tab has it without being asked.
  await expect(tabsOf(creator.page)).toHaveText([...tabsOfMember, 'Applications1'])
  const row = rowOf(creator.page, 'Ada Applicant')
  await toggleOf(creator.page, 'Ada Applicant').click()
  await expect(row.getByText('Because of the roses.')).toBeVisible()
  await expectGoodOnEveryScreen(creator.page)
  await row.getByRole('textbox', { name: /^Notes/ }).fill('Tell us which roses.')
  await row.getByRole('checkbox', { name: 'Share notes with the applicant' }).check()
  await row.getByRole('button', { name: 'Reject' }).click()
  await expect(row.getByText('Rejected', { exact: true })).toBeVisible()
  await expect(tabOf(creator.page)).toHaveText('Applications')

  // So has the applicant the decision, and the words that came with it.
  await expect(page.getByText('Application Rejected')).toBeVisible()
  await expect(
    page.getByText(
      'Your application to join this course was not approved. You may apply again with updated information.',
    ),
  ).toBeVisible()
  await expect(page.getByRole('blockquote')).toHaveText('Tell us which roses.')
  await expectGoodOnEveryScreen(page)

  // Withdrawn and sent again.
  await page.getByRole('button', { name: 'Apply Again' }).click()
  await why.fill('The old ones.')
  await dialog.getByRole('button', { name: 'Submit Application' }).click()
  await expect(tabOf(creator.page)).toHaveText('Applications1')
  await page.getByRole('button', { name: 'Withdraw application' }).click()
  const question = page.getByRole('alertdialog')
  await question.getByRole('button', { name: 'Withdraw application' }).click()
  await expect(page.getByText('Application Pending')).toBeHidden()
  const undecided = creator.page
    .getByRole('list', { name: 'Applications' })
    .getByRole('listitem')
    .filter({ hasNotText: 'Rejected' })
  await expect(tabOf(creator.page)).toHaveText('Applications')
  await expect(undecided).toHaveCount(0)
  await apply(page.request, id, 'All of them.')

  // Let in: the page that waits goes on by itself.
  await expect(tabOf(creator.page)).toHaveText('Applications1')
  await undecided.getByRole('button', { name: 'Application of Ada Applicant' }).click()
  await rowOf(creator.page, 'All of them.').getByRole('button', { name: 'Approve' }).click()
  await page.waitForURL(`**/course/${slug}/dashboard`)

  // An approval outlives leaving.
  await expect(page.getByRole('button', { name: 'Leave Course' })).toBeVisible()
  await expect(tabsOf(page)).toHaveText(tabsOfMember)
  expect((await page.request.delete(`/rest/v1/enrollments/${id}`)).status()).toBe(200)
  await page.waitForURL(`**/course/${slug}`)
  await expect(page.getByText('Application Approved')).toBeVisible()
  await page.getByRole('button', { name: 'Join Course' }).click()
  await page.waitForURL(`**/course/${slug}/dashboard`)
  expect(complaints.filter((text) => !text.includes('ERR_INTERNET_DISCONNECTED'))).toEqual([])
  await creator.context.close()
})

test('a queue is worked off with the keys, and several at once with a way back', async ({
  browser,
  thunder,
}) => {
  const creator = await guardedCourse(browser, thunder.url, 'Busy bakery')
  const { page } = creator
  const { slug, id } = creator.course
  const people = ['Bea', 'Cid', 'Dan', 'Eve', 'Fay']
  for (const name of people) await applicant(browser, thunder.url, id, name)
  await openApplications(page, slug)

  // One after the other.
  await expect(toggleOf(page, 'Bea')).toHaveAttribute('aria-expanded', 'true')
  await rowOf(page, 'Bea')
    .getByRole('textbox', { name: /^Notes/ })
    .press('a')
  await expect(rowOf(page, 'Bea').getByRole('textbox', { name: /^Notes/ })).toHaveValue('a')
  await toggleOf(page, 'Bea').focus()
  await page.keyboard.press('j')
  await expect(toggleOf(page, 'Cid')).toBeFocused()
  await expect(rowOf(page, 'Cid').getByText('I am Cid.')).toBeVisible()
  await page.keyboard.press('ArrowUp')
  await expect(toggleOf(page, 'Bea')).toBeFocused()
  await expect(rowOf(page, 'Bea').getByRole('textbox', { name: /^Notes/ })).toHaveValue('a')
  await page.keyboard.press('a')
  await expect(rowOf(page, 'Bea').getByText('Approved', { exact: true })).toBeVisible()
  await expect(toggleOf(page, 'Cid')).toBeFocused()

  // Who goes on to write while a decision is on its way writes on, and decides about nobody.
  const { held, letGo } = await hold(page, /\/applications\/[^/]+\/review$/)
  await page.keyboard.press('r')
  await expect.poll(() => held.length).toBe(1)
  const search = page.getByRole('searchbox', { name: 'Search applications' })
  await search.pressSequentially('i am f')
  letGo()
  await expect(rowOf(page, 'Cid').getByText('Rejected', { exact: true })).toBeVisible()
  await page.keyboard.type('ar')
  await expect(search).toHaveValue('i am far')
  await expect(rowOf(page, 'Dan').getByText('Pending', { exact: true })).toBeVisible()
  expect(held).toHaveLength(1)

  // Several at once, seen in another tab, too; taken back there.
  const other = await creator.context.newPage()
  // A computer with a clock that goes wrong has as long as any.
  await other.clock.install({ time: Date.now() + 600_000 })
  await openApplications(other, slug)
  await page.getByRole('checkbox', { name: 'Select Dan' }).check()
  await page.getByRole('checkbox', { name: 'Select Eve' }).check()
  // Longer than its ten seconds, which a busy machine needs to tell the other tab.
  await meddle(
    thunder,
    {
      change: `create function decide_later() returns trigger language plpgsql as $$
                 begin new.apply_at := new.apply_at + interval '5 minutes'; return new; end $$;
               create trigger decide_later before insert on course_application_decisions
                 for each row execute function decide_later()`,
      undo: 'drop trigger decide_later on course_application_decisions; drop function decide_later',
    },
    async () => {
      await page.getByRole('button', { name: 'Reject selected' }).click()
      await expect(rowOf(page, 'Dan').getByText('Rejecting…')).toBeVisible()
      await expect(listOf(page)).toBeFocused()
    },
  )
  await expect(rowOf(other, 'Eve').getByText('Rejecting…')).toBeVisible()
  await other.getByRole('button', { name: 'Undo' }).click()
  await expect(rowOf(page, 'Dan').getByText('Pending', { exact: true })).toBeVisible()
  await expect(rowOf(other, 'Eve').getByText('Pending', { exact: true })).toBeVisible()
  await expect(listOf(other)).toBeFocused()
  await other.close()
  await page.getByRole('checkbox', { name: 'Select all' }).check()
  await page.getByRole('button', { name: 'Approve selected' }).click()
  await expect(rowOf(page, 'Fay').getByText('Approving…')).toBeVisible()
  await expectGoodOnEveryScreen(page)
  await expect(tabOf(page)).toHaveText('Applications')

  // What has become of them.
  await page.getByRole('link', { name: 'Approved 4' }).click()
  await expect(rowOf(page, 'Eve').getByText('Approved', { exact: true })).toBeVisible()
  await page.getByRole('searchbox', { name: 'Search applications' }).fill('i am dan')
  await page.keyboard.press('Enter')
  await expect(rowOf(page, 'Eve')).toBeHidden()
  await expect(rowOf(page, 'Dan')).toBeVisible()
  await page.getByRole('link', { name: /^Rejected/ }).click()
  await expect(page.getByRole('heading', { name: 'No applications found' })).toBeVisible()
  await creator.context.close()
})

test('questions that change while somebody answers them are asked at once, and what was typed stays', async ({
  page,
  browser,
  thunder,
}) => {
  const creator = await guardedCourse(browser, thunder.url, 'Changing questions')
  const { slug, id } = creator.course
  await signedUp(page.request, 'Quinn Quick')
  await page.goto(`/course/${slug}`)
  await hydrated(page)
  const dialog = page.getByRole('dialog', { name: 'Apply to Join' })
  await page.getByRole('button', { name: 'Apply to Join' }).click()
  await dialog.getByLabel('Why this course?').fill('Because of the roses.')

  const path = `/rest/v1/courses/${id}/application-questions`
  const { questions } = await (await page.request.get(path)).json()
  const added = { question: 'Since when?', required: true }
  const changed = await creator.context.request.patch(`/rest/v1/courses/${id}`, {
    data: { applicationQuestions: [questions[0], added] },
  })
  expect(changed.status()).toBe(200)
  await dialog.getByRole('button', { name: 'Submit Application' }).click()
  await expect(dialog.getByRole('alert')).toHaveText(
    'The questions of this course have changed. Please look at them again.',
  )
  await expect(dialog.getByLabel('Why this course?')).toHaveValue('Because of the roses.')
  await expect(dialog.getByLabel('Anything else?')).toHaveCount(0)
  await dialog.getByLabel('Since when?').fill('Always.')
  // The same question in other words is another one.
  const before = await (await page.request.get(path)).json()
  const reworded = { ...before.questions[0], question: 'Do you agree to be photographed?' }
  const again = await creator.context.request.patch(`/rest/v1/courses/${id}`, {
    data: { applicationQuestions: [reworded, before.questions[1]] },
  })
  expect(again.status()).toBe(200)
  await dialog.getByRole('button', { name: 'Submit Application' }).click()
  await expect(dialog.getByLabel('Do you agree to be photographed?')).toHaveValue(
    'Because of the roses.',
  )
  await expect(page.getByText('Application Pending')).toBeHidden()
  await dialog.getByRole('button', { name: 'Submit Application' }).click()
  await expect(page.getByText('Application Pending')).toBeVisible()
})

test('questions are edited in the tab, and answered without JavaScript', async ({
  browser,
  thunder,
}) => {
  const creator = await guardedCourse(browser, thunder.url, 'Quiet quilts')
  const { page } = creator
  const { slug, id } = creator.course
  await openApplications(page, slug)
  await page.getByRole('link', { name: 'Edit questions' }).click()
  await page.getByRole('button', { name: 'Move “Question 2” up' }).click()
  await page.getByRole('button', { name: 'Remove “Question 2”' }).click()
  await expect(page.getByRole('button', { name: 'Remove “Question 1”' })).toBeDisabled()
  await page.getByRole('button', { name: 'Add Question' }).click()
  await page.getByRole('button', { name: 'Save Questions' }).click()
  await expect(
    page.getByText(
      'All questions must have content. Please fill in all questions or remove empty ones.',
    ),
  ).toBeVisible()
  await expectGoodOnEveryScreen(page)
  await page.getByLabel('Question 2', { exact: true }).fill('Which colours?')
  await page.getByRole('link', { name: 'Back to Applications' }).click()
  const question = page.getByRole('alertdialog', { name: 'Leave without saving?' })
  await question.getByRole('button', { name: 'Stay on this page' }).click()
  // What is typed behind an open dialog goes nowhere.
  await expect(question).toBeHidden()
  await page.getByLabel('Application instructions').fill('In your own words.')
  await page.getByRole('button', { name: 'Save Questions' }).click()
  await expect(page.getByRole('heading', { name: 'No applications yet' })).toBeVisible()
  await page.getByRole('link', { name: 'Edit questions' }).click()
  await page.getByLabel('Question 2', { exact: true }).fill('Which colours then?')
  const elsewhere = await page.request.patch(`/rest/v1/courses/${id}`, {
    data: { applicationInstructions: 'As another tab says.' },
  })
  expect(elsewhere.status()).toBe(200)
  await page.getByRole('button', { name: 'Save Questions' }).click()
  await expect(page.getByRole('heading', { name: 'No applications yet' })).toBeVisible()

  // Nothing was changed here: what another tab asks stays.
  await page.getByRole('link', { name: 'Edit questions' }).click()
  await expect(page.getByLabel('Question 2', { exact: true })).toHaveValue('Which colours then?')
  const asked = await (
    await page.request.get(`/rest/v1/courses/${id}/application-questions`)
  ).json()
  const [firstAsked, ...othersAsked] = asked.questions
  const asks = (questions: unknown[]) =>
    page.request.patch(`/rest/v1/courses/${id}`, { data: { applicationQuestions: questions } })
  await asks([{ ...firstAsked, question: 'As another tab asks?' }, ...othersAsked])
  await page.getByRole('button', { name: 'Save Questions' }).click()
  await expect(page.getByRole('heading', { name: 'No applications yet' })).toBeVisible()
  const left = await (await page.request.get(`/rest/v1/courses/${id}/application-questions`)).json()
  expect(left.questions[0].question).toBe('As another tab asks?')
  await asks(asked.questions)

  const plain = await somebodyElse(browser, { baseURL: thunder.url, javaScriptEnabled: false })
  await signedUp(plain.context.request, 'Paula Plain')
  await plain.page.goto(`/course/${slug}`)
  await plain.page.getByRole('button', { name: 'Apply to Join' }).click()
  await expect(plain.page.getByText('As another tab says.')).toBeVisible()
  await plain.page.getByLabel('Anything else?').fill('Hello.')
  await plain.page.getByRole('button', { name: 'Submit Application' }).click()
  await expect(plain.page.getByText('Please answer all required questions.')).toBeVisible()
  await expect(plain.page.getByLabel('Anything else?')).toHaveValue('Hello.')
  await plain.page.getByLabel('Which colours then?').fill('Blue.')
  await plain.page.getByRole('button', { name: 'Submit Application' }).click()
  await expect(plain.page.getByText('Application Pending')).toBeVisible()
  await expect(rowOf(page, 'Paula Plain')).toBeVisible()
  await plain.page.getByRole('button', { name: 'Withdraw application' }).click()
  await expect(plain.page.getByText('Application Pending')).toBeHidden()
  await expect(page.getByRole('heading', { name: 'Nobody is waiting' })).toBeVisible()
  await page.getByRole('link', { name: /^All\s*1$/ }).click()
  await expect(rowOf(page, 'Paula Plain').getByText('Withdrawn', { exact: true })).toBeVisible()
  for (const one of [creator, plain]) await one.context.close()
})

test('the page of questions says at once that there is no connection, and keeps the answers', async ({
  page,
  browser,
  thunder,
}) => {
  const creator = await guardedCourse(browser, thunder.url, 'Questions in a tunnel')
  await creator.context.close()
  await signedUp(page.request, 'Tina Tunnel')
  await page.goto(`/course/${creator.course.slug}/apply`)
  await hydrated(page)
  const why = page.getByLabel('Why this course?')
  const submit = page.getByRole('button', { name: 'Submit Application' })
  await why.fill('Because of the roses.')
  await page.context().setOffline(true)
  await submit.click()
  await expect(page.getByRole('main').getByRole('alert')).toHaveText(
    'Failed to submit application. Please try again.',
  )
  await expect(submit).not.toHaveAttribute('aria-busy', 'true')
  await expect(why).toHaveValue('Because of the roses.')
  await page.context().setOffline(false)
  await submit.click()
  await expect(page.getByText('Application Pending')).toBeVisible()
})

/** As many, one after the other, by people who have done nothing else. */
const manyApplications = `
  with people as (
    insert into users (name, email, username)
    select 'Asker ' || n, 'asker-' || n || '@' || $1::text || '.example', 'asker-' || n || '-' || right($1::text, 12)
      from generate_series(1, 25) n
    returning id, split_part(name, ' ', 2)::int as n)
  insert into course_applications (user_id, course_id, submitted_at)
  select id, $1::uuid, now() - interval '1 day' + n * interval '1 minute' from people`

test('a long queue comes in pages, and what fails or does not fit is said where it was tried', async ({
  browser,
  thunder,
}) => {
  const creator = await guardedCourse(browser, thunder.url, 'Crowded carpentry')
  const { page } = creator
  const { slug, id } = creator.course
  await inDatabase(thunder, manyApplications, [id])
  const items = listOf(page).getByRole('listitem')
  const calls = '**/rest/v1/courses/*/applications**'
  const whileOffline = async (address: string, act: () => Promise<void>) => {
    await page.route(address, (route) => route.abort())
    await act()
    await page.unroute(address)
  }

  await page.goto(`/course/${slug}/dashboard?tab=applications&status=all`)
  await hydrated(page)
  await expect(items).toHaveCount(20)
  await expect(items.first()).toContainText('Asker 25')

  await test.step('more, also after a failure', async () => {
    const more = page.getByRole('button', { name: 'Load more applications' })
    await whileOffline(calls, async () => {
      await more.click()
      await expect(page.getByRole('alert')).toHaveText(
        'Failed to load applications. Please try again.',
      )
      await expect(items).toHaveCount(20)
      await expectGoodOnEveryScreen(page)
    })
    await more.click()
    await expect(items).toHaveCount(25)
    await expect(more).toBeHidden()
    await expect(page.getByRole('alert')).toBeHidden()
  })

  await test.step('new ones wait until they are asked for', async () => {
    await applicant(browser, thunder.url, id, 'Nora New')
    const show = page.getByRole('button', { name: 'Show 1 new application', exact: true })
    await expect(show).toBeVisible()
    await expect(rowOf(page, 'Nora New')).toBeHidden()
    await show.click()
    await expect(items.first()).toContainText('Nora New')
    await expect(show).toBeHidden()
  })

  await test.step('on a phone the current tab is in view', async () => {
    const size = page.viewportSize()!
    await page.setViewportSize({ width: 375, height: 812 })
    await page.reload()
    await hydrated(page)
    await expect(tabOf(page)).toBeInViewport({ ratio: 1 })
    await page.setViewportSize(size)
  })

  await test.step('a review without a connection, and one for which there is no room', async () => {
    await openApplications(page, slug)
    const row = rowOf(page, 'Asker 1').first()
    const approve = row.getByRole('button', { name: 'Approve' })
    await whileOffline('**/rest/v1/courses/*/applications/*/review', async () => {
      await approve.click()
      await expect(row.getByRole('alert')).toHaveText(
        'Failed to review application. Please try again.',
      )
    })
    await inDatabase(thunder, 'update courses set students_count = 25 where id = $1', [id])
    await approve.click()
    await expect(row.getByRole('alert')).toHaveText(
      'This course has reached its maximum enrollment limit (25 students for free instructors)',
    )
    await expect(row.getByText('Pending', { exact: true })).toBeVisible()
    await inDatabase(thunder, 'update courses set students_count = 0 where id = $1', [id])
    await approve.click()
    await expect(row.getByText('Approved', { exact: true })).toBeVisible()
  })

  await test.step('questions that could not be saved', async () => {
    await page.getByRole('link', { name: 'Edit questions' }).click()
    await page.getByLabel('Question 2', { exact: true }).fill('Which tools?')
    const saving = `**/rest/v1/courses/${id}`
    const saysSo = async () => {
      const sent = page.waitForRequest(saving)
      await page.getByRole('button', { name: 'Save Questions' }).click()
      // The alert of the time before goes with the press; none comes where it does not fail.
      await (await sent).response()
      await expect(page.getByRole('alert')).toContainText(
        'Failed to save questions. Please try again.',
      )
      await expect(page.getByLabel('Question 2', { exact: true })).toHaveValue('Which tools?')
    }
    await whileFailing(page, ['PATCH', saving], saysSo)
    await whileOffline(saving, saysSo)
  })
  await creator.context.close()
})

test('who is approved for a paid course is told so, and not let in without paying', async ({
  page,
  browser,
  thunder,
}) => {
  const creator = await guardedCourse(browser, thunder.url, 'Precious pottery')
  const { slug, id } = creator.course
  const { request } = creator.context
  await inDatabase(
    thunder,
    "update courses set pricing_type = 'one_time', price_amount = 2900 where id = $1",
    [id],
  )
  await signedUp(page.request, 'Paul Payer')
  await apply(page.request, id, 'I like clay.')
  await page.goto(`/course/${slug}`)
  await hydrated(page)
  await expect(page.getByText('Application Pending')).toBeVisible()
  const { applications } = await (
    await request.get(`/rest/v1/courses/${id}/applications?status=pending`)
  ).json()
  const approved = await request.post(
    `/rest/v1/courses/${id}/applications/${applications[0].id}/review`,
    { data: { decision: 'approved' } },
  )
  expect(approved.status()).toBe(200)
  await expect(page.getByText('Application Approved')).toBeVisible()
  await expectGoodOnEveryScreen(page)
  await page.getByRole('button', { name: 'Join for $29' }).click()
  await expect(page).toHaveURL(/\/sandbox\/stripe\/c\/pay\//)
  const refused = await page.request.post('/rest/v1/enrollments', { data: { courseId: id } })
  expect([refused.status(), (await refused.json()).code]).toEqual([402, 'PAYMENT_REQUIRED'])
  await creator.context.close()
})

test('who applies by an invitation is counted by it once approved, with and without JavaScript', async ({
  page,
  browser,
  thunder,
}) => {
  const creator = await guardedCourse(browser, thunder.url, 'Invited to irises')
  const { slug, id } = creator.course
  const { request } = creator.context
  const made = await request.post(`/rest/v1/courses/${id}/invitations`, { data: { maxUses: 5 } })
  const path = new URL((await made.json()).url).pathname
  await creator.page.goto(`/course/${slug}/dashboard?tab=members`)
  await hydrated(creator.page)
  const links = creator.page.getByRole('list', { name: 'Links', exact: true })
  await expect(links).toContainText('0 of 5 joined')

  // The return through sign-up, from the course's page, which others saw before without an invitation.
  await page.goto(`/course/${slug}`)
  await page.goto(path)
  await page.getByRole('link', { name: 'See the course first' }).click()
  await page.getByRole('link', { name: 'Sign Up to Join' }).click()
  await hydrated(page)
  await signUpHere(page, newcomer('Iris Invited'))
  await expect(page).toHaveURL(`/course/${slug}?invitation=${path.split('/').at(-1)}`)
  await hydrated(page)
  await page.getByRole('button', { name: 'Apply to Join' }).click()
  const dialog = page.getByRole('dialog', { name: 'Apply to Join' })
  await dialog.getByLabel('Why this course?').fill('I was invited.')
  await dialog.getByRole('button', { name: 'Submit Application' }).click()
  await expect(page.getByText('Application Pending')).toBeVisible()

  const plain = await somebodyElse(browser, { baseURL: thunder.url, javaScriptEnabled: false })
  await signedUp(plain.context.request, 'Paul Plain')
  await plain.page.goto(path)
  await plain.page.getByRole('link', { name: 'See the course and apply' }).click()
  await plain.page.getByRole('button', { name: 'Apply to Join' }).click()
  // What is missing is said, and the invitation is still there.
  await plain.page.getByRole('button', { name: 'Submit Application' }).click()
  await expect(plain.page.getByText('Please answer all required questions.')).toBeVisible()
  await plain.page.getByLabel('Why this course?').fill('So was I.')
  await plain.page.getByRole('button', { name: 'Submit Application' }).click()
  await expect(plain.page.getByText('Application Pending')).toBeVisible()
  await plain.context.close()

  const { applications } = await (await request.get(`/rest/v1/courses/${id}/applications`)).json()
  expect(applications).toHaveLength(2)
  for (const application of applications) {
    const approved = await request.post(
      `/rest/v1/courses/${id}/applications/${application.id}/review`,
      { data: { decision: 'approved' } },
    )
    expect(approved.status()).toBe(200)
  }
  await expect(page).toHaveURL(`/course/${slug}/dashboard`)
  await expect(links).toContainText('2 of 5 joined')
  await creator.context.close()
})

test('who waits when a course stops asking can still be decided on', async ({
  browser,
  thunder,
}) => {
  const creator = await guardedCourse(browser, thunder.url, 'Opened orchard')
  const { page, context, course } = creator
  await applicant(browser, thunder.url, course.id, 'Wanda Waiting')
  const opened = await context.request.patch(`/rest/v1/courses/${course.id}`, {
    data: { applicationRequired: false },
  })
  expect(opened.status()).toBe(200)
  await page.goto(`/course/${course.slug}/dashboard`)
  await hydrated(page)
  await expect(tabsOf(page)).toHaveText([...tabsOfMember, 'Applications1'])
  await tabOf(page).click()
  await expect(page.getByText('This course no longer asks for applications')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Edit questions' })).toBeHidden()
  await expectGoodOnEveryScreen(page)

  // Whoever decides about the last one stays where they are; the tab goes when it is left.
  await rowOf(page, 'Wanda Waiting').getByRole('button', { name: 'Approve' }).click()
  await expect(rowOf(page, 'Wanda Waiting').getByText('Approved', { exact: true })).toBeVisible()
  await expect(tabsOf(page)).toHaveText([...tabsOfMember, 'Applications'])
  await page.reload()
  await hydrated(page)
  await expect(page.getByRole('heading', { name: 'Nobody is waiting' })).toBeVisible()
  await page.getByRole('link', { name: 'Overview' }).click()
  await expect(tabsOf(page)).toHaveText(tabsOfMember)
  await context.close()
})
