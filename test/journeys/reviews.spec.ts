// What members think of a course: written and answered, read by everybody, on the course and on profiles.
import type { APIRequestContext, Page } from '@playwright/test'
import {
  complaintsOf,
  expect,
  expectNoAxeViolations,
  expectNoSidewaysScrolling,
  hydrated,
  inDatabase,
  publishedCourse,
  signedUp,
  somebodyElse,
  test,
} from './journey.ts'
import type { BuiltServer } from './server.ts'

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

const usernameOf = async (request: APIRequestContext): Promise<string> =>
  (await (await request.get('/rest/v1/me')).json()).username

const join = (request: APIRequestContext, courseId: string) =>
  request.post('/rest/v1/enrollments', { data: { courseId } })

const write = async (request: APIRequestContext, courseId: string, review: object) => {
  const answer = await request.put(`/rest/v1/courses/${courseId}/review`, { data: review })
  expect(answer.status()).toBe(200)
}

async function reviewsOf(request: APIRequestContext, slug: string): Promise<{ id: string }[]> {
  const answer = await request.get(`/rest/v1/courses/${slug}/reviews`)
  return (await answer.json()).reviews
}

/** By rows: so many sign-ups from one address would be refused. The next review counts them. */
async function reviewedByTwenty(thunder: BuiltServer, courseId: string) {
  await inDatabase(
    thunder,
    `with people as (
       insert into users (name, email)
       select 'Reader ' || n, 'reader-' || n || '@' || $1::text from generate_series(1, 20) n
       returning id, split_part(name, ' ', 2)::int as n),
     members as (
       insert into enrollments (user_id, course_id) select id, $1::uuid from people)
     insert into course_reviews (user_id, course_id, rating, review_text, created_at)
     select id, $1::uuid, case n when 1 then 1 else 5 end, 'Number ' || n || '.',
            now() - interval '1 hour' + n * interval '1 minute'
       from people`,
    [courseId],
  )
}

const reviews = (page: Page) => page.getByRole('list', { name: 'Reviews', exact: true })
const own = (page: Page) => page.locator('#your-review')

async function openAbout(page: Page, slug: string) {
  await page.goto(`/course/${slug}/dashboard?tab=about`)
  await hydrated(page)
}

test('a member writes, changes and removes a review; strangers see it on the next request', async ({
  page,
  browser,
  thunder,
}) => {
  const creator = await somebodyElse(browser, { baseURL: thunder.url })
  await signedUp(creator.context.request, 'Rita Creator')
  const course = await publishedCourse(creator.context.request, 'Reviewed knots')
  const stranger = await somebodyElse(browser, { baseURL: thunder.url, javaScriptEnabled: false })
  await stranger.page.goto(`/course/${course.slug}`)
  await expect(stranger.page.getByText('No reviews yet.')).toBeVisible()
  const toReviews = stranger.page.getByRole('link', { name: /^Rated/ })
  await expect(toReviews).toHaveCount(0)

  await signedUp(page.request, 'Mona Member')
  await join(page.request, course.id)
  const complaints = complaintsOf(page)
  await page.goto(`/course/${course.slug}/reviews`)
  await expect(own(page).getByRole('heading', { name: 'Write a review' })).toBeVisible()
  await expectGoodOnEveryScreen(page)
  await openAbout(page, course.slug)
  await expect(own(page).getByRole('heading', { name: 'Write a review' })).toBeVisible()

  // Without stars it is refused in words, and what was typed stays.
  await own(page).getByLabel('Your review').fill('Clear.\nAnd <b>short</b>.')
  await own(page).getByRole('button', { name: 'Submit Review' }).click()
  await expect(own(page).getByRole('alert')).toHaveText('Please choose 1 to 5 stars')
  await expect(own(page).getByLabel('Your review')).toHaveValue('Clear.\nAnd <b>short</b>.')
  await expectGoodOnEveryScreen(page)

  // By keyboard: the arrow moves from the first star to the second, and so on.
  const star = (name: string) => own(page).getByRole('radio', { name, exact: true })
  await expect(star('1 star')).toBeFocused()
  await page.keyboard.press('Space')
  for (let moved = 1; moved < 4; moved++) await page.keyboard.press('ArrowRight')
  await expect(star('4 stars')).toBeChecked()
  await own(page).getByRole('button', { name: 'Submit Review' }).press('Enter')
  await expect(page.getByText('Your review is saved.')).toBeVisible()
  await expect(own(page).getByRole('heading', { name: 'Your review' })).toBeFocused()
  await expect(own(page).getByRole('img', { name: '4 stars of 5' })).toBeVisible()
  await expect(own(page).locator('bdi')).toHaveText('Clear. And <b>short</b>.')
  await expect(page).toHaveURL(/\/dashboard\?tab=about/)
  await expectGoodOnEveryScreen(page)

  await stranger.page.reload()
  const seen = reviews(stranger.page).getByRole('listitem')
  await expect(seen).toHaveCount(1)
  await expect(seen).toContainText('And <b>short</b>.')
  await expect(seen.getByRole('link', { name: 'Mona Member' })).toHaveAttribute(
    'href',
    `/user/${await usernameOf(page.request)}`,
  )
  await expect(toReviews).toHaveAccessibleName(/^Rated 4\.0/)
  await expect(toReviews).toContainText('1 review')
  await expect(toReviews).toHaveAttribute('href', '#reviews')

  // Too long is said with the number, then changed; the date stays and the edit is marked.
  await own(page).getByText('Edit Review').click()
  await own(page).getByLabel('Your review').fill('x'.repeat(2001))
  await own(page).getByRole('button', { name: 'Save Review' }).click()
  await expect(own(page).getByRole('alert')).toHaveText('Review can have at most 2,000 characters')
  await expect(own(page).getByLabel('Your review')).toBeFocused()
  await star('2 stars').check({ force: true })
  await own(page).getByLabel('Your review').fill('Changed my mind.')
  await own(page).getByRole('button', { name: 'Save Review' }).click()
  await expect(own(page).getByText('(edited)')).toBeVisible()
  await expect(own(page).getByLabel('Your review')).toBeHidden()
  await stranger.page.reload()
  await expect(seen).toContainText('Changed my mind.')
  await expect(seen).toContainText('(edited)')

  // Removing asks first.
  await own(page).getByRole('button', { name: 'Remove Review' }).click()
  const question = page.getByRole('alertdialog', { name: 'Remove your review?' })
  await question.getByRole('button', { name: 'Cancel' }).click()
  await own(page).getByRole('button', { name: 'Remove Review' }).click()
  await question.getByRole('button', { name: 'Remove Review' }).click()
  await expect(question).toHaveCount(0)
  await expect(own(page).getByRole('heading', { name: 'Write a review' })).toBeFocused()
  await stranger.page.reload()
  await expect(stranger.page.getByText('No reviews yet.')).toBeVisible()
  expect(complaints).toEqual([])
  for (const { context } of [creator, stranger]) await context.close()
})

test('without a connection nothing typed is lost', async ({ page, browser, thunder, context }) => {
  const creator = await somebodyElse(browser, { baseURL: thunder.url })
  await signedUp(creator.context.request, 'Rosa Creator')
  const course = await publishedCourse(creator.context.request, 'Reviewed on a train')
  await creator.context.close()
  await signedUp(page.request, 'Tess Train')
  await join(page.request, course.id)
  await openAbout(page, course.slug)
  await own(page).getByRole('radio', { name: '5 stars' }).check({ force: true })
  await own(page).getByLabel('Your review').fill('Written on a train')
  await context.setOffline(true)
  await own(page).getByRole('button', { name: 'Submit Review' }).click()
  await expect(own(page).getByRole('alert')).toContainText('check your connection')
  await expect(own(page).getByLabel('Your review')).toHaveValue('Written on a train')
  await context.setOffline(false)
  await own(page).getByRole('button', { name: 'Submit Review' }).click()
  await expect(own(page).locator('bdi')).toHaveText('Written on a train')
})

test('the instructor answers once, and can take the answer back', async ({
  page,
  browser,
  thunder,
}) => {
  await signedUp(page.request, 'Anna Answers')
  const course = await publishedCourse(page.request, 'Answered knots')
  const member = await somebodyElse(browser, { baseURL: thunder.url })
  await signedUp(member.context.request, 'Milo Member')
  await join(member.context.request, course.id)
  await write(member.context.request, course.id, { rating: 3, reviewText: 'Fine so far.' })

  await openAbout(page, course.slug)
  await expect(own(page)).toHaveCount(0)
  const review = reviews(page).getByRole('listitem')
  await review.getByText('Answer the review by Milo Member').click()
  await review.getByRole('button', { name: 'Send Answer' }).click()
  await expect(review.getByLabel('Your answer')).toHaveAccessibleDescription(
    /Please write an answer/,
  )
  await expectGoodOnEveryScreen(page)
  await review.getByLabel('Your answer').fill('More is coming.')
  await review.getByRole('button', { name: 'Send Answer' }).click()
  await expect(review.getByText('Answer from the instructor')).toBeVisible()
  await expect(review.getByText('More is coming.')).toBeVisible()
  await expect(review.getByLabel('Your answer')).toHaveCount(0)

  await member.page.goto(`/course/${course.slug}/reviews`)
  await expect(reviews(member.page).getByText('More is coming.')).toBeVisible()
  await review.getByRole('button', { name: 'Remove Answer' }).click()
  await expect(review.getByText('Answer the review by Milo Member')).toBeVisible()
  await member.page.reload()
  await expect(reviews(member.page).getByRole('listitem')).toHaveCount(1)
  await expect(reviews(member.page).getByText('More is coming.')).toHaveCount(0)

  await test.step('what was answered elsewhere, or is gone, is said where its form goes', async () => {
    const about = `/rest/v1/courses/${course.id}`
    const { id } = (await reviewsOf(page.request, course.slug))[0]!
    await review.getByText('Answer the review by Milo Member').click()
    await review.getByLabel('Your answer').fill('Said in an old tab.')
    const elsewhere = await page.request.post(`${about}/reviews/${id}/answer`, {
      data: { answer: 'Said elsewhere.' },
    })
    expect(elsewhere.status()).toBe(200)
    await review.getByRole('button', { name: 'Send Answer' }).click()
    await expect(page.getByText('You have answered this review already.')).toBeVisible()
    await expect(review.getByText('Said elsewhere.')).toBeVisible()
    await review.getByRole('button', { name: 'Remove Answer' }).click()
    await review.getByText('Answer the review by Milo Member').click()
    await expect(review.getByRole('alert')).toHaveCount(0)
    await review.getByLabel('Your answer').fill('Too late.')
    expect((await member.context.request.delete(`${about}/review`)).status()).toBe(200)
    await review.getByRole('button', { name: 'Send Answer' }).click()
    await expect(page.getByText('This review is not there any more.')).toBeVisible()
    await expect(review).toHaveCount(0)
  })
  await member.context.close()
})

test('all of it works without JavaScript', async ({ page, browser, thunder }) => {
  await signedUp(page.request, 'Nils Teacher')
  const course = await publishedCourse(page.request, 'Plain knots')
  const address = `/course/${course.slug}/reviews`
  const noScript = { baseURL: thunder.url, javaScriptEnabled: false }
  const member = await somebodyElse(browser, noScript)
  await signedUp(member.context.request, 'Nora Plain')
  await join(member.context.request, course.id)
  const plain = member.page

  await plain.goto(`/course/${course.slug}/dashboard?tab=about`)
  await own(plain).getByLabel('Your review').fill('Plainly good')
  await own(plain).getByRole('button', { name: 'Submit Review' }).click()
  await expect(own(plain).getByRole('alert')).toHaveText('Please choose 1 to 5 stars')
  await expect(own(plain).getByLabel('Your review')).toHaveValue('Plainly good')
  await own(plain).getByRole('radio', { name: '5 stars' }).check({ force: true })
  await own(plain).getByRole('button', { name: 'Submit Review' }).click()
  await expect(own(plain).getByRole('img', { name: '5 stars of 5' })).toBeVisible()

  await plain.goto(address)
  await own(plain).getByText('Edit Review').click()
  await own(plain).getByRole('radio', { name: '4 stars' }).check({ force: true })
  await own(plain).getByRole('button', { name: 'Save Review' }).click()
  await expect(own(plain).getByRole('img', { name: '4 stars of 5' })).toBeVisible()

  const { cookies } = await page.context().storageState()
  const teacher = await somebodyElse(browser, {
    ...noScript,
    storageState: { cookies, origins: [] },
  })
  await teacher.page.goto(address)
  await teacher.page.getByText('Answer the review by Nora Plain').click()
  await teacher.page.getByLabel('Your answer').fill('Thank you, Nora')
  await teacher.page.getByRole('button', { name: 'Send Answer' }).click()
  await expect(teacher.page.getByText('Answer from the instructor')).toBeVisible()

  await teacher.page.getByRole('button', { name: 'Remove Answer' }).click()
  await teacher.page.getByText('Answer the review by Nora Plain').click()
  await teacher.page.getByLabel('Your answer').fill('Said in an old tab')
  const [{ id } = { id: '' }] = await reviewsOf(page.request, course.slug)
  const elsewhere = await page.request.post(`/rest/v1/courses/${course.id}/reviews/${id}/answer`, {
    data: { answer: 'Thank you, Nora' },
  })
  expect(elsewhere.status()).toBe(200)
  await teacher.page.getByRole('button', { name: 'Send Answer' }).click()
  await expect(teacher.page.getByRole('alert')).toHaveText('You have answered this review already.')

  await plain.goto(address)
  await expect(reviews(plain).getByText('Thank you, Nora')).toBeVisible()
  await own(plain).getByRole('button', { name: 'Remove Review' }).click()
  await expect(own(plain).getByRole('heading', { name: 'Write a review' })).toBeVisible()
  await expect(plain.getByRole('heading', { name: 'No reviews yet' })).toBeVisible()
  for (const { context } of [member, teacher]) await context.close()
})

test('many reviews: figures and the newest on the course, all of them on pages of twenty', async ({
  page,
  browser,
  thunder,
}) => {
  await signedUp(page.request, 'Paul Pages')
  const course = await publishedCourse(page.request, 'Much reviewed knots')
  await reviewedByTwenty(thunder, course.id)
  const last = await somebodyElse(browser, { baseURL: thunder.url })
  await signedUp(last.context.request, 'The last reader')
  await join(last.context.request, course.id)
  await write(last.context.request, course.id, { rating: 5, reviewText: 'Number 21.' })
  await last.context.close()
  const stranger = await somebodyElse(browser, { baseURL: thunder.url, javaScriptEnabled: false })
  const { page: plain } = stranger
  await plain.goto(`/course/${course.slug}`)
  await expect(reviews(plain).getByRole('listitem')).toHaveCount(3)
  await expect(reviews(plain).getByRole('listitem').first()).toContainText('Number 21.')
  const byStars = plain.getByRole('list', { name: 'Reviews by stars' }).getByRole('listitem')
  await expect(byStars).toHaveCount(5)
  await expect(byStars.first()).toContainText('5 stars of 5: 20 reviews, 95%')
  await expect(byStars.last()).toContainText('1 star of 5: 1 review, 5%')
  expect(await plain.content()).toContain('"reviewCount":21')
  await plain.getByRole('link', { name: 'See all 21 reviews' }).click()
  await expect(plain).toHaveURL(`${thunder.url}/course/${course.slug}/reviews`)
  await expect(plain.getByText('Average rating: 4.8')).toBeVisible()
  await expect(reviews(plain).getByRole('listitem')).toHaveCount(20)
  await plain.getByRole('link', { name: 'Older' }).click()
  await expect(plain.getByText('Page 2 of 2')).toBeVisible()
  await expect(reviews(plain).getByRole('listitem')).toHaveCount(1)
  await expect(reviews(plain)).toContainText('Number 1.')
  await plain.getByRole('link', { name: 'Newer' }).click()
  await expect(plain.getByText('Page 1 of 2')).toBeVisible()
  await plain.getByRole('link', { name: 'Back to the course' }).click()
  await expect(plain).toHaveURL(`${thunder.url}/course/${course.slug}`)
  await stranger.context.close()

  // As from the notice of a review that stood on the first page when it was told.
  const older = await page.request.get(`/rest/v1/courses/${course.slug}/reviews?page=2`)
  const [{ id }] = (await older.json()).reviews
  await page.goto(`/course/${course.slug}/reviews?review=${id}#review-${id}`)
  await expect(page).toHaveURL(`/course/${course.slug}/reviews?page=2#review-${id}`)
  await expect(page.locator(`#review-${id}`)).toContainText('Number 1.')
  await page.goto(`/course/${course.slug}/reviews?review=${crypto.randomUUID()}`)
  await expect(page.getByText('This review was removed.')).toBeVisible()
  const earlier = `${course.slug}-as-it-was`
  await inDatabase(thunder, `insert into course_slugs (slug, course_id) values ($1, $2)`, [
    earlier,
    course.id,
  ])
  const gone = `?page=2&review=${crypto.randomUUID()}`
  await page.goto(`/course/${earlier}/reviews${gone}`)
  await expect(page).toHaveURL(`/course/${course.slug}/reviews${gone}`)
  await expect(page.getByText('This review was removed.')).toBeVisible()

  const reader = await somebodyElse(browser, { baseURL: thunder.url })
  for (const path of [`/course/${course.slug}`, `/course/${course.slug}/reviews`]) {
    await reader.page.goto(path)
    await expectGoodOnEveryScreen(reader.page)
  }
  // A draft shows its reviews to nobody else, from the next request on.
  await page.request.post(`/rest/v1/courses/${course.id}/unpublish`)
  expect((await reader.page.goto(`/course/${course.slug}/reviews`))?.status()).toBe(404)
  await expect(reader.page.getByRole('heading', { name: 'Course not found' })).toBeVisible()
  await reader.context.close()
})

test('a profile has its reviews on a tab, and says when there are none', async ({
  page,
  browser,
  thunder,
}) => {
  const creator = await somebodyElse(browser, { baseURL: thunder.url })
  await signedUp(creator.context.request, 'Cleo Creator')
  const course = await publishedCourse(creator.context.request, 'Knots on a profile ⚡')
  await signedUp(page.request, 'Rafa Reviewer')
  const username = await usernameOf(page.request)
  await join(page.request, course.id)

  const visitor = await somebodyElse(browser, { baseURL: thunder.url, javaScriptEnabled: false })
  const { page: plain } = visitor
  await plain.goto(`/user/${username}?tab=reviews`)
  await expect(plain.getByRole('heading', { name: 'No reviews yet' })).toBeVisible()
  await expect(plain.getByText("Rafa Reviewer hasn't written any reviews yet.")).toBeVisible()

  await write(page.request, course.id, { rating: 4, reviewText: 'Ties well.' })
  await plain.goto(`/user/${username}`)
  const card = plain.getByRole('article').filter({ hasText: 'Knots on a profile' })
  await expect(card.getByRole('heading')).toHaveText('Knots on a profile')
  await expect(card).toContainText('Rated 4.0 (1 review)')
  await plain.getByRole('link', { name: 'Reviews (1)' }).click()
  await expect(plain).toHaveURL(`${thunder.url}/user/${username}?tab=reviews`)
  const review = reviews(plain).getByRole('article')
  await expect(review).toContainText('Ties well.')
  await expect(review.getByRole('img', { name: '4 stars of 5' })).toBeVisible()
  await expect(
    review.getByRole('link', { name: 'Knots on a profile', exact: true }),
  ).toHaveAttribute('href', `/course/${course.slug}`)
  await visitor.context.close()

  await page.goto(`/user/${username}?tab=reviews`)
  await hydrated(page)
  await expectGoodOnEveryScreen(page)

  // Whoever leaves the course keeps the review, without the name beside it.
  const { context } = await somebodyElse(browser, { baseURL: thunder.url })
  const leaving = await page.request.delete(`/rest/v1/enrollments/${course.id}`)
  expect(leaving.status()).toBe(200)
  const left = await context.newPage()
  await left.goto(`/course/${course.slug}`)
  await expect(reviews(left).getByText('Former member')).toBeVisible()
  await expect(reviews(left).getByText('Rafa Reviewer')).toHaveCount(0)
  // And can still remove it.
  await page.goto(`/course/${course.slug}/reviews`)
  await hydrated(page)
  await expect(own(page).getByText('You have left this course')).toBeVisible()
  await own(page).getByRole('button', { name: 'Remove Review' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove Review' }).click()
  await expect(own(page)).toHaveCount(0)
  for (const one of [context, creator.context]) await one.close()
})

test('a profile of somebody in no course says so', async ({ page }) => {
  await signedUp(page.request, 'Nina Nowhere')
  const username = await usernameOf(page.request)
  const { enrolled } = await (await page.request.get('/rest/v1/dashboard')).json()
  for (const { id } of enrolled) {
    expect((await page.request.delete(`/rest/v1/enrollments/${id}`)).status()).toBe(200)
  }
  await page.goto(`/user/${username}`)
  await hydrated(page)
  await expect(page.getByRole('heading', { name: 'No enrolled courses' })).toBeVisible()
  await expect(page.getByText("Nina Nowhere hasn't enrolled in any courses yet.")).toBeVisible()
  await expect(page.getByRole('link', { name: 'Enrolled Courses (0)' })).toBeVisible()
  await expectGoodOnEveryScreen(page)
})

test('an administrator removes what slanders somebody, with and without JavaScript', async ({
  page,
  browser,
  thunder,
}) => {
  const baseURL = thunder.url
  const creator = await somebodyElse(browser, { baseURL })
  await signedUp(creator.context.request, 'Rita Creator')
  const course = await publishedCourse(creator.context.request, 'Slandered knots')
  const address = `/course/${course.slug}/reviews`
  const member = await somebodyElse(browser, { baseURL })
  const other = await somebodyElse(browser, { baseURL })
  for (const [{ context }, reviewText] of [
    [member, 'Rita steals.'],
    [other, 'Rita lies.'],
  ] as const) {
    await signedUp(context.request, 'Mona Member')
    await join(context.request, course.id)
    await write(context.request, course.id, { rating: 1, reviewText })
  }
  const word = 'Remove as an administrator'
  await member.page.goto(address)
  await expect(reviews(member.page).getByRole('listitem')).toHaveCount(2)
  await expect(member.page.getByText(word)).toHaveCount(0)

  const admin = await signedUp(page.request, 'Ada Administrator')
  await inDatabase(thunder, "update users set role = 'admin' where email = $1", [admin.email])
  const complaints = complaintsOf(page)
  const missing = 'Please write a reason: the writer reads it'
  await page.goto(address)
  await hydrated(page)
  const items = reviews(page).getByRole('listitem')
  const item = items.filter({ hasText: 'Rita steals.' })
  await item.getByText(word).click()
  await item.getByRole('button', { name: 'Remove Review' }).click()
  await expect(item.getByText(missing)).toBeVisible()
  await expect(item.getByLabel('Reason')).toBeFocused()
  await expectGoodOnEveryScreen(page)
  await item.getByLabel('Reason').fill('She does not.')
  await item.getByRole('button', { name: 'Remove Review' }).press('Enter')
  await expect(page.getByText('The review is removed. Its writer is told why.')).toBeVisible()
  await expect(items).toHaveCount(1)
  await expect(reviews(page)).toBeFocused()
  expect(complaints).toEqual([])

  const still = await somebodyElse(browser, {
    baseURL,
    javaScriptEnabled: false,
    storageState: await page.context().storageState(),
  })
  await still.page.goto(address)
  const last = reviews(still.page).getByRole('listitem')
  await last.getByText(word).click()
  await last.getByRole('button', { name: 'Remove Review' }).click()
  await expect(last.getByText(missing)).toBeVisible()
  await last.getByLabel('Reason').fill('She does not.')
  await last.getByRole('button', { name: 'Remove Review' }).click()
  await expect(still.page.getByText('No reviews yet')).toBeVisible()
  for (const { context } of [creator, member, other, still]) await context.close()
})
