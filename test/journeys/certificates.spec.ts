// The last lesson of a course is worth a certificate: seen, taken along, checked by a stranger, and revoked.
import { readFile } from 'node:fs/promises'
import { createLocalJWKSet, jwtVerify } from 'jose'
import {
  complaintsOf,
  expect,
  expectNoAxeViolations,
  expectNoSidewaysScrolling,
  goOffline,
  hydrated,
  publishedCourse,
  signedUp,
  somebodyElse,
  test,
} from './journey.ts'

test('a learner completes the last lesson and takes a certificate along; the instructor revokes it', async ({
  page,
  browser,
  baseURL,
}) => {
  const complaints = complaintsOf(page)
  const creator = await signedUp(page.request, 'Ina Structor')
  const course = await publishedCourse(page.request, `Knots of ${creator.email}`, [
    'Bowline',
    'Hitch',
  ])
  const learner = await somebodyElse(browser, { baseURL })
  await signedUp(learner.page.request, 'Lea Řehoř Learner')
  await learner.page.request.post('/rest/v1/enrollments', { data: { courseId: course.id } })
  let address = ''

  await test.step('there is none before', async () => {
    await learner.page.goto('/certificates')
    await expect(learner.page.getByRole('heading', { name: 'No certificates yet' })).toBeVisible()
    await expectNoAxeViolations(learner.page)
  })

  await test.step('the last lesson says that the course is done, and leads to the certificate', async () => {
    const lesson = (name: string) => learner.page.goto(`/course/${course.slug}/lesson/${name}`)
    await lesson('bowline')
    await hydrated(learner.page)
    await learner.page.getByRole('button', { name: 'Mark Complete' }).click()
    // It is shown at once; here the server has answered, and the page may be left.
    const completed = learner.page.getByRole('button', { name: 'Completed' })
    await expect(completed).toBeVisible()
    await expect(completed).not.toHaveAttribute('aria-disabled')
    await expect(learner.page.getByRole('link', { name: 'See your certificate' })).toBeHidden()
    await lesson('hitch')
    await hydrated(learner.page)
    await learner.page.getByRole('button', { name: 'Mark Complete' }).click()
    await expect(learner.page.getByRole('link', { name: 'See your certificate' })).toBeVisible()
    await expectNoAxeViolations(learner.page)
    await learner.page.getByRole('link', { name: 'See your certificate' }).click()
    await expect(learner.page).toHaveURL(/\/certificates\/[0-9a-f-]{36}$/)
    address = new URL(learner.page.url()).pathname
    await expect(learner.page.getByText('This certificate is valid')).toBeVisible()
    // Also true of one that was claimed long after.
    await expect(
      learner.page.getByText('Every lesson of the course had been completed.'),
    ).toBeVisible()
    await expect(learner.page.getByRole('heading', { level: 1 })).toHaveText('Lea Řehoř Learner')
    await expect(
      learner.page.getByRole('link', { name: 'Add to LinkedIn profile' }),
    ).toHaveAttribute('href', /^https:\/\/www\.linkedin\.com\/profile\/add\?.*certId=/)
  })

  await test.step('as PDF and as badge, which the published key verifies', async () => {
    const downloaded = async (name: string | RegExp) => {
      const waiting = learner.page.waitForEvent('download')
      await learner.page.getByRole('link', { name }).click()
      return readFile(await (await waiting).path())
    }
    const pdf = await downloaded('Download as PDF')
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-')
    const badge = (await downloaded(/Download badge/)).toString()
    const keys = await (await learner.page.request.get('/certificates/keys.json')).json()
    const { payload } = await jwtVerify(badge, createLocalJWKSet(keys))
    expect(payload.credentialSubject).toMatchObject({
      identifier: [{ identityHash: 'Lea Řehoř Learner' }],
    })
  })

  await test.step('it is found from the course, the dashboard, the menu and the bell', async () => {
    await learner.page.goto(`/course/${course.slug}/dashboard`)
    await learner.page.getByRole('link', { name: 'See your certificate' }).click()
    await expect(learner.page).toHaveURL(address)
    await learner.page.goto('/dashboard')
    await learner.page
      .getByRole('link', { name: `Certificate of Knots of ${creator.email}` })
      .click()
    await expect(learner.page).toHaveURL(address)
    await hydrated(learner.page)
    await learner.page.getByRole('button', { name: 'Account menu' }).click()
    await learner.page.getByRole('link', { name: 'Certificates', exact: true }).press('Enter')
    await expect(learner.page).toHaveURL('/certificates')
    await expectNoAxeViolations(learner.page)
    await learner.page.getByRole('list', { name: 'Certificates' }).getByRole('link').click()
    await expect(learner.page).toHaveURL(address)
    await learner.page.goto('/notifications')
    await expect(learner.page.getByText('Your certificate is ready')).toBeVisible()
  })

  const stranger = await somebodyElse(browser, { baseURL, javaScriptEnabled: false })
  await test.step('a stranger reads it, without JavaScript, on a phone, and on paper', async () => {
    const looker = await somebodyElse(browser, { baseURL })
    await looker.page.goto(address)
    for (const width of [375, 768, 1280]) {
      await looker.page.setViewportSize({ width, height: 812 })
      await expectNoAxeViolations(looker.page)
      await expectNoSidewaysScrolling(looker.page)
    }
    await looker.page.emulateMedia({ media: 'print' })
    await expect(looker.page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(looker.page.getByRole('link', { name: 'Download as PDF' })).toBeHidden()
    await expect(looker.page.getByRole('contentinfo')).toBeHidden()
    await looker.context.close()

    const answer = await stranger.page.goto(address)
    expect(answer?.status()).toBe(200)
    await expect(stranger.page.getByText('This certificate is valid')).toBeVisible()
    await expect(stranger.page.locator('meta[name=robots]')).toHaveAttribute('content', 'noindex')
    await expect(stranger.page.getByRole('link', { name: 'Add to LinkedIn profile' })).toHaveCount(
      0,
    )
  })

  await test.step('the instructor revokes it with a reason', async () => {
    await page.goto(`/course/${course.slug}/dashboard?tab=members`)
    await page.getByRole('link', { name: 'Certificates', exact: true }).click()
    await expect(page).toHaveURL(`/course/${course.slug}/certificates`)
    await hydrated(page)
    await expectNoAxeViolations(page)
    await page.getByRole('button', { name: /^Revoke/ }).click()
    const dialog = page.getByRole('alertdialog')
    await expect(dialog).toContainText('This is for good')
    await expectNoAxeViolations(page)
    await dialog.getByLabel('Reason').fill('It was her sister.')
    await dialog.getByRole('button', { name: 'Revoke' }).click()
    await expect(page.getByText('The certificate is revoked.')).toBeVisible()
    await expect(dialog).toBeHidden()
    await expect(page.getByText('It was her sister.')).toBeVisible()
    await expect(page.getByRole('button', { name: /^Revoke/ })).toHaveCount(0)
  })

  await test.step('its page says so on the very next request, and gives nothing out any more', async () => {
    await stranger.page.goto(address)
    await expect(stranger.page.getByText(/This certificate was revoked on/)).toBeVisible()
    await expect(stranger.page.getByText('It was her sister.')).toBeVisible()
    await expect(stranger.page.getByRole('link', { name: 'Download as PDF' })).toHaveCount(0)
    await learner.page.goto(address)
    await expectNoAxeViolations(learner.page)
    expect((await learner.page.request.get(`${address}/certificate.pdf`)).status()).toBe(410)
  })

  await test.step('and at other addresses there is none', async () => {
    const nowhere = await stranger.page.goto('/certificates/0198f0a2-7b1c-7e2d-9d41-3a5b6c7d8e9f')
    expect(nowhere?.status()).toBe(404)
    await expect(
      stranger.page.getByRole('heading', { name: 'Certificate not found' }),
    ).toBeVisible()
  })
  expect(complaints).toEqual([])
  await Promise.all([learner.context.close(), stranger.context.close()])
})

/** With JavaScript the page with the button stays: where a proxy answers in our place, and without a connection. */
async function saysWhereItFails(
  { page, context }: Awaited<ReturnType<typeof somebodyElse>>,
  slug: string,
) {
  const own = `/course/${slug}/certificate`
  const getCertificate = () => page.getByRole('button', { name: 'Get your certificate' }).click()
  const isSaid = () =>
    expect(page.getByRole('alert')).toContainText(
      'Your certificate could not be made. Please try again.',
    )
  await page.goto(`/course/${slug}/dashboard`)
  await hydrated(page)
  const answers = `**${own}.data*`
  await page.route(answers, (route) =>
    route.fulfill({ status: 502, contentType: 'text/html', body: 'No server is ready.' }),
  )
  await getCertificate()
  await isSaid()
  await page.unroute(answers)
  await page.goto(`/course/${slug}/dashboard`)
  await hydrated(page)
  await goOffline(page, own)
  await getCertificate()
  await isSaid()
  await context.close()
}

test('without JavaScript: the certificate is claimed, and revoked on a page of its own', async ({
  browser,
  page,
  baseURL,
}) => {
  const creator = await signedUp(page.request, 'Nora Script')
  const course = await publishedCourse(page.request, `Hems of ${creator.email}`, ['One', 'Two'])
  const learner = await somebodyElse(browser, { baseURL, javaScriptEnabled: false })
  await signedUp(learner.page.request, 'Pat Paper')
  await learner.page.request.post('/rest/v1/enrollments', { data: { courseId: course.id } })
  await learner.page.goto(`/course/${course.slug}/lesson/one`)
  await learner.page.getByRole('button', { name: 'Mark Complete' }).click()
  await expect(learner.page.getByText(/^Completed on/)).toBeVisible()
  // The course becomes shorter: nothing is issued by that, and the learner asks for it.
  const address = `/rest/v1/courses/${course.id}/content`
  const content = await (await page.request.get(address)).json()
  content.chapters[0].lessons.pop()
  const { contentVersion, chapters } = content
  const saved = await page.request.put(address, {
    data: {
      contentVersion,
      chapters: chapters.map((chapter: { id: string; title: string; lessons: object[] }) => ({
        id: chapter.id,
        title: chapter.title,
        lessons: chapter.lessons.map((lesson) => {
          const { id, title, content: text } = lesson as Record<string, unknown>
          return { id, title, content: text }
        }),
      })),
    },
  })
  expect(saved.status(), await saved.text()).toBe(200)
  await saysWhereItFails(
    await somebodyElse(browser, { baseURL, storageState: await learner.context.storageState() }),
    course.slug,
  )
  await learner.page.goto(`/course/${course.slug}/dashboard`)
  await learner.page.getByRole('button', { name: 'Get your certificate' }).click()
  await expect(learner.page.getByText('This certificate is valid')).toBeVisible()
  const id = learner.page.url().split('/').at(-1)

  const owner = await somebodyElse(browser, {
    baseURL,
    javaScriptEnabled: false,
    storageState: await page.context().storageState(),
  })
  await owner.page.goto(`/course/${course.slug}/certificates`)
  await owner.page.getByRole('button', { name: /^Revoke/ }).click()
  await expect(owner.page).toHaveURL(new RegExp(`/course/${course.slug}/certificates/${id}/revoke`))
  await owner.page.getByLabel('Reason').fill('   ')
  await owner.page.getByRole('button', { name: 'Revoke' }).click()
  await expect(owner.page.getByRole('alert')).toContainText('Please say why')
  await owner.page.getByLabel('Reason').fill('A test.')
  await owner.page.getByRole('button', { name: 'Revoke' }).click()
  await expect(owner.page.getByText('The certificate is revoked.')).toBeVisible()
  await learner.page.reload()
  await expect(learner.page.getByText(/This certificate was revoked on/)).toBeVisible()
  await Promise.all([learner.context.close(), owner.context.close()])
})
