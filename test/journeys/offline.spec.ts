// Without a connection: the text of lessons that were opened, for that person alone, and a page for the rest.
import {
  expect,
  expectNoAxeViolations,
  hydrated,
  inDatabase,
  publishedCourse,
  signedUp,
  somebodyElse,
  test,
} from './journey.ts'

test.use({ serviceWorkers: 'allow' })

test('lessons that were opened are read offline, by who opened them, until they log out', async ({
  page,
  context,
  browser,
  baseURL,
  thunder,
}) => {
  const creator = await somebodyElse(browser, { baseURL })
  await signedUp(creator.page.request, 'Oona Line')
  const { id, slug } = await publishedCourse(creator.page.request, 'Far <b>from</b> any mast', [
    'Tents & poles',
    'Campfire',
    'Stars',
    'Silence',
  ])
  await signedUp(page.request, 'Otto Range')
  const lesson = (name: string) => `/course/${slug}/lesson/${name}`
  const heading = page.getByRole('heading', { level: 1 })
  const kept = () =>
    page.evaluate(async () => {
      const shelf = await caches.open('kept-lessons')
      const paths = (await shelf.keys()).map(({ url }) => new URL(url).pathname)
      return paths.filter((path) => path.startsWith('/course/')).length
    })

  await test.step('two lessons are opened', async () => {
    const joined = await page.request.post('/rest/v1/enrollments', { data: { courseId: id } })
    expect(joined.status()).toBe(200)
    await page.goto(lesson('tents-poles'))
    await hydrated(page)
    await expect.poll(kept).toBe(1)
    await page.goto(lesson('campfire'))
    await expect.poll(kept).toBe(2)
  })

  await test.step('a lesson without a text is not among them, also when it had one', async () => {
    await page.goto(lesson('silence'))
    await expect.poll(kept).toBe(3)
    const content = `/rest/v1/courses/${id}/content`
    const { contentVersion, chapters } = await (await creator.page.request.get(content)).json()
    chapters[0].lessons.at(-1).content = { type: 'doc', content: [{ type: 'paragraph' }] }
    const saved = await creator.page.request.put(content, { data: { contentVersion, chapters } })
    expect(saved.status(), await saved.text()).toBe(200)
    await creator.context.close()
    await page.goto(lesson('silence'))
    await expect.poll(kept).toBe(2)
  })

  await test.step('offline their text is there, and nothing else', async () => {
    await context.setOffline(true)
    await page.goto(lesson('tents-poles'))
    await expect(heading).toHaveText('Tents & poles')
    await expect(
      page.getByText('You are offline. This is the text as you last opened it.'),
    ).toBeVisible()
    await expect(page.locator('main .prose').getByText('Tents & poles')).toBeVisible()
    await expectNoAxeViolations(page)
    await page.goto(lesson('stars'))
    await expect(heading).toHaveText('You are offline')
    await expect(page).toHaveTitle('You are offline')
    await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(2)
    await expect(page.getByText('Far <b>from</b> any mast').first()).toBeVisible()
    await page.setViewportSize({ width: 375, height: 812 })
    await expectNoAxeViolations(page)
    await page.getByRole('link', { name: /Campfire/ }).click()
    await expect(heading).toHaveText('Campfire')
    await page.getByRole('link', { name: 'All lessons you can read now' }).click()
    await expect(heading).toHaveText('You are offline')
    await page.setViewportSize({ width: 1280, height: 800 })
  })

  await test.step('online again pages come from the network', async () => {
    await page.goto(lesson('stars'))
    await context.setOffline(false)
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(heading).toHaveText('Stars')
    await hydrated(page)
    await expect.poll(kept).toBe(3)
  })

  await test.step('going on inside of the page without a connection leads there, too', async () => {
    await context.setOffline(true)
    await page
      .getByRole('link', { name: /Campfire/ })
      .last()
      .click()
    await expect(heading).toHaveText('Campfire')
    await expect(page.getByText('You are offline. This is the text')).toBeVisible()
    await context.setOffline(false)
  })

  const members = `/course/${slug}/dashboard`
  const join = async () => {
    const joined = await page.request.post('/rest/v1/enrollments', { data: { courseId: id } })
    expect(joined.status()).toBe(200)
  }

  await test.step('what leads from one place of the course to another changes nothing', async () => {
    const noSuchChannel = `tab=discussion&channel=${id}`
    await page.goto(`${members}?${noSuchChannel}`)
    await expect(page).toHaveURL(`${members}?tab=discussion`)
    await hydrated(page)
    // As React Router asks for it, after a channel was removed; and by the id, as by a former address.
    for (const address of [`${members}.data?${noSuchChannel}`, `/course/${id}/dashboard.data`]) {
      expect(await page.evaluate(async (url) => (await fetch(url)).status, address)).toBe(202)
    }
    await page.goto(`/course/${id}/dashboard`)
    await expect(page).toHaveURL(members)
    await hydrated(page)
    expect(await kept()).toBe(3)
  })

  await test.step('what one may not open any more is not kept', async () => {
    // Removed while on another page.
    await page.goto('/explore')
    await hydrated(page)
    const left = await page.request.delete(`/rest/v1/enrollments/${id}`)
    expect(left.ok(), await left.text()).toBe(true)
    await expect.poll(kept).toBe(0)

    // While nothing is open that could be told.
    for (const opened of [lesson('stars'), members]) {
      await join()
      await page.goto(lesson('tents-poles'))
      await expect.poll(kept).toBe(1)
      await page.goto(lesson('campfire'))
      await expect.poll(kept).toBe(2)
      await page.goto('/healthz')
      await page.request.delete(`/rest/v1/enrollments/${id}`)
      expect(await kept()).toBe(2)
      await page.goto(opened)
      await expect(page).toHaveURL(`/course/${slug}`)
      await expect.poll(kept).toBe(0)
    }

    await join()
    await page.goto(lesson('campfire'))
    await expect.poll(kept).toBe(1)
    // Without the news, too.
    await context.route('**/realtime/**', (route) => route.abort())
    await page.goto(members)
    await hydrated(page)
    await page.getByRole('button', { name: 'Leave Course' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Leave Course' }).click()
    await expect(page).toHaveURL(({ pathname }) => pathname === '/dashboard')
    await expect.poll(kept).toBe(0)
    await context.unroute('**/realtime/**')

    await join()
    await page.goto(lesson('campfire'))
    await expect.poll(kept).toBe(1)
  })

  await test.step('who logs out leaves nothing', async () => {
    await hydrated(page)
    await page.getByRole('button', { name: 'Account menu' }).click()
    await page.getByRole('button', { name: 'Sign Out' }).press('Enter')
    await expect(page).toHaveURL(`${baseURL}/`)
    await expect.poll(kept).toBe(0)
    await context.setOffline(true)
    await page.goto(lesson('campfire'))
    await expect(heading).toHaveText('You are offline')
    await expect(page.getByText('No lesson is kept in this browser.')).toBeVisible()
    await context.setOffline(false)
  })

  await test.step('the next person finds nothing of somebody whose session just ended', async () => {
    await signedUp(page.request, 'Olga First')
    await page.request.post('/rest/v1/enrollments', { data: { courseId: id } })
    await page.goto(lesson('campfire'))
    await expect.poll(kept).toBe(1)
    await context.clearCookies()
    await signedUp(page.request, 'Nora Next')
    await page.goto('/dashboard')
    await expect.poll(kept).toBe(0)
  })

  await test.step('nor does who only looks at public pages after it', async () => {
    await signedUp(page.request, 'Olaf First')
    await page.request.post('/rest/v1/enrollments', { data: { courseId: id } })
    await page.goto(lesson('campfire'))
    await expect.poll(kept).toBe(1)
    await page.goto('/explore')
    await expect.poll(kept).toBe(1)
    // The same for everybody, and no sign of a log-out.
    await page.goto('/docs')
    expect(await kept()).toBe(1)
    await context.clearCookies()
    await page.goto('/explore')
    await expect.poll(kept).toBe(0)
  })

  await test.step('nor does who is suspended, on the way to another page', async () => {
    const { email } = await signedUp(page.request, 'Olga Stopped')
    await page.request.post('/rest/v1/enrollments', { data: { courseId: id } })
    await page.goto(lesson('campfire'))
    await hydrated(page)
    await expect.poll(kept).toBe(1)
    const suspend = `with stopped as (update users set suspended_at = now() where email = $1 returning id)
      insert into suspensions (user_id, reason, suspended_by) select id, 'Spam', id from stopped`
    await inDatabase(thunder, suspend, [email])
    await page.getByRole('link', { name: 'Back to Course' }).click()
    await expect(page).toHaveURL('/suspended')
    await expect.poll(kept).toBe(0)
  })
})

test('an answer that is older than a lesson that is kept does not take it, and is asked for again', async ({
  page,
  context,
  browser,
  baseURL,
}) => {
  const creator = await somebodyElse(browser, { baseURL })
  await signedUp(creator.page.request, 'Orla Line')
  const { id, slug } = await publishedCourse(creator.page.request, 'There and back again', [
    'Out',
    'Back',
    'Home',
  ])
  await creator.context.close()
  await signedUp(page.request, 'Rita Return')
  const lesson = (name: string) => `/course/${slug}/lesson/${name}`
  const keptPaths = () =>
    page.evaluate(async () => {
      const shelf = await caches.open('kept-lessons')
      const paths = (await shelf.keys()).map(({ url }) => new URL(url).pathname)
      return paths.filter((path) => path.startsWith('/course/'))
    })
  const join = async () => {
    const joined = await page.request.post('/rest/v1/enrollments', { data: { courseId: id } })
    expect(joined.status()).toBe(200)
  }
  let answers = 0
  /** The next answer that says that they are not in the course, and when it may arrive. */
  let slow: { sent: () => void; arrival: Promise<void> } | null = null
  await context.route(`**/course/${slug}/dashboard.data`, async (route) => {
    const response = await route.fetch()
    if (slow && response.headers()['x-no-course-access'] !== undefined) {
      const { sent, arrival } = slow
      slow = null
      sent()
      await arrival
    }
    await route.fulfill({ response })
    answers += 1
  })
  /** They leave, the worker asks whether they have, and the answer is long on its way. */
  async function leaveSlowly() {
    await page.goto('/explore')
    await hydrated(page)
    const sent = Promise.withResolvers<void>()
    const arrival = Promise.withResolvers<void>()
    slow = { sent: sent.resolve, arrival: arrival.promise }
    const left = await page.request.delete(`/rest/v1/enrollments/${id}`)
    expect(left.ok(), await left.text()).toBe(true)
    await sent.promise
    // The next page is not told of it as well.
    await context.route('**/realtime/**', (route) => route.abort())
    return async () => {
      const before = answers
      arrival.resolve()
      // Itself, and that to the question that follows.
      await expect.poll(() => answers).toBeGreaterThan(before + 1)
      await context.unroute('**/realtime/**')
    }
  }

  await join()
  await page.goto(lesson('out'))
  await hydrated(page)
  await expect.poll(keptPaths).toEqual([lesson('out')])

  await test.step('they are back by then', async () => {
    const letGo = await leaveSlowly()
    await join()
    await page.goto(lesson('back'))
    await expect.poll(keptPaths).toEqual([lesson('out'), lesson('back')])
    await letGo()
    await page.goto(lesson('home'))
    await expect.poll(keptPaths).toEqual([lesson('out'), lesson('back'), lesson('home')])
  })

  await test.step('a page from before kept its lesson only now', async () => {
    const letGo = await leaveSlowly()
    await page.evaluate(async (path) => {
      const shelf = await caches.open('kept-lessons')
      const owner = await (await shelf.match('/offline/owner'))!.text()
      const late = await (await shelf.match(path))!.json()
      await shelf.delete(path)
      const registration = await navigator.serviceWorker.ready
      registration.active?.postMessage({ type: 'keep', owner, lesson: late })
    }, lesson('home'))
    await expect.poll(keptPaths).toContain(lesson('home'))
    await letGo()
    await expect.poll(keptPaths).toEqual([])
  })
})

test('a page waits for nothing that the worker asks by itself', async ({ page, context }) => {
  await signedUp(page.request, 'Stella Stall')
  await page.goto('/dashboard')
  await hydrated(page)
  const isKept = () => page.evaluate(async () => Boolean(await caches.match('/offline')))
  await expect.poll(isKept).toBe(true)
  const asked = Promise.withResolvers<void>()
  const letGo = Promise.withResolvers<void>()
  await context.route('**/offline', async (route) => {
    asked.resolve()
    await letGo.promise
    await route.continue()
  })
  await page.evaluate(() => caches.delete('offline-page'))
  // The worker misses the offline page, and the line stalls.
  await page.reload()
  await hydrated(page)
  await asked.promise
  await page.getByRole('link', { name: 'Explore' }).first().click()
  await expect(page).toHaveURL('/explore')
  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  letGo.resolve()
  await expect.poll(isKept).toBe(true)
})

test('the worker is always asked for, and may answer for the whole site', async ({ request }) => {
  const answer = await request.get('/sw.js')
  expect(answer.headers()['content-type']).toContain('text/javascript')
  expect(answer.headers()['cache-control']).toBe('no-cache')
  const manifest = await (await request.get('/manifest.webmanifest')).json()
  expect(manifest.start_url.startsWith(manifest.scope)).toBe(true)
  const sizes = manifest.icons.map(({ sizes: size }: { sizes: string }) => size)
  expect(sizes).toEqual(expect.arrayContaining(['192x192', '512x512']))
})
