// What is around the courses: header, themes, small screens, legal pages, signing up, in and out.
import type { Page } from '@playwright/test'
import {
  complaintsOf,
  expect,
  expectNoAxeViolations,
  expectNoSidewaysScrolling,
  hydrated,
  logInHere,
  newcomer,
  publishedCourse,
  signedUp,
  signUpHere,
  somebodyElse,
  stopClock,
  test,
} from './journey.ts'

const stillPages = [
  '/',
  '/about',
  '/privacy',
  '/terms',
  '/accessibility',
  '/offline',
  '/pro',
  '/challenges',
  '/support',
  '/support?topic=payments',
  '/blog',
  '/blog/thunder-versus-teachable',
  '/help',
  '/help/lessons-and-video',
  '/help?q=payout',
  '/help?q=there+is+no+such+word',
  '/explore',
  '/course/thunder-bootcamp',
  '/user/thunder',
]
const missingPages = [
  '/there-is-no-such-page',
  '/blog/there-is-no-such-post',
  '/help/there-is-no-such-article',
  '/challenges/there-is-no-such-challenge',
  '/certificates/00000000-0000-7000-8000-000000000000?there-is-no-such-certificate',
  '/course/there-is-no-such-course',
  '/user/there-is-no-such-person',
]

/** Where the keyboard is. */
const focused = (page: Page) => page.locator(':focus')

test.describe('still pages', () => {
  for (const path of [...stillPages, ...missingPages]) {
    test(`${path} is finished without a script, on a phone, in both themes`, async ({ page }) => {
      await page.setViewportSize({ width: 375, height: 812 })
      const complaints = complaintsOf(page)
      const scripts: string[] = []
      page.on('request', (request) => {
        if (request.resourceType() === 'script') scripts.push(request.url())
      })
      const answer = await page.goto(path)
      expect(answer?.status()).toBe(path.includes('there-is-no') ? 404 : 200)
      await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1)
      await expect(page).toHaveTitle(/Thunder/)
      await expect(page.locator('meta[name=description]')).toHaveAttribute('content', /\w+ \w+/)
      // Data for machines is no script.
      await expect(page.locator('script:not([type="application/ld+json"])')).toHaveCount(1)
      expect(scripts).toEqual([])
      await expectNoSidewaysScrolling(page)
      await expectNoAxeViolations(page)
      await page.setViewportSize({ width: 768, height: 1024 })
      await expectNoSidewaysScrolling(page)
      expect(complaints).toEqual([])
    })
  }

  test('every link on them leads somewhere', async ({ page, request }) => {
    const seen = new Set<string>()
    for (const path of stillPages) {
      await page.goto(path)
      for (const link of await page.locator('a[href]').all()) {
        const href = (await link.getAttribute('href')) ?? ''
        if (href.startsWith('/')) seen.add(href.split('#')[0] ?? '')
      }
    }
    for (const href of seen) {
      expect((await request.get(href)).status(), href).toBe(200)
    }
  })

  test('Terms, Privacy and About say what they have to', async ({ page }) => {
    await page.goto('/terms')
    await expect(page.getByText('June 29, 2025').first()).toBeVisible()
    for (const prohibited of [
      /violence or hate/i,
      /illegal activit/i,
      /explicit adult content/i,
      /infring/i,
      /medical, financial or legal advice/i,
    ]) {
      await expect(page.getByText(prohibited).first()).toBeVisible()
    }
    await page.goto('/privacy')
    await expect(page.getByText('June 29, 2025').first()).toBeVisible()
    await page.goto('/about')
    const toSignUp = page.getByRole('main').locator('a[href="/signup"]')
    await expect(toSignUp.first()).toBeVisible()
  })

  test('an edit is visible on the very next request', async ({
    page,
    request,
    thunder,
    browser,
  }) => {
    await signedUp(page.request, 'Creator of News')
    const { id, slug } = await publishedCourse(page.request, 'Yesterday’s Title')
    const visitor = await somebodyElse(browser, { baseURL: thunder.url })
    const titleNow = async () => {
      const html = await (await visitor.context.request.get(`/course/${slug}`)).text()
      return html.match(/<h1[^>]*>([^<]*)/)?.[1]
    }
    expect(await titleNow()).toBe('Yesterday’s Title')
    expect(await titleNow()).toBe('Yesterday’s Title')
    for (const title of ['Today’s Title', 'Tomorrow’s Title']) {
      const edit = await page.request.patch(`/rest/v1/courses/${id}`, { data: { title } })
      expect(edit.status()).toBe(200)
      expect(await titleNow()).toBe(title)
      const explore = await (await request.get('/explore?search=Title')).text()
      expect(explore).toContain(title)
    }
    await page.request.post(`/rest/v1/courses/${id}/unpublish`)
    expect((await visitor.context.request.get(`/course/${slug}`)).status()).toBe(404)
    await visitor.context.close()
  })

  test('what people write is text, wherever it shows', async ({ page, browser, thunder }) => {
    await signedUp(page.request, '<b>Bold</b> <script>alert(1)</script>')
    const name = '<script>alert(1)</script><img src=x onerror=alert(2)>'
    const { slug } = await publishedCourse(page.request, name, [name])
    const visitor = await somebodyElse(browser, { baseURL: thunder.url })
    const complaints = complaintsOf(visitor.page)
    visitor.page.on('dialog', (dialog) => complaints.push(`a script ran: ${dialog.message()}`))
    await visitor.page.goto(`/course/${slug}`)
    await expect(visitor.page.getByRole('heading', { level: 1 })).toHaveText(name)
    await expect(visitor.page.locator('main img[src="x"]')).toHaveCount(0)
    const machines = visitor.page.locator('script[type="application/ld+json"]').first()
    const data = await machines.textContent()
    expect(JSON.parse(data ?? '').name).toBe(name)
    page.on('dialog', (dialog) => complaints.push(`a script ran: ${dialog.message()}`))
    await page.goto(`/course/${slug}/dashboard`)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(name)
    expect(complaints).toEqual([])
    await visitor.context.close()
  })
})

test.describe('themes', () => {
  const background = (page: Page) =>
    page.evaluate(() => getComputedStyle(document.body).backgroundColor)

  test('the system decides until somebody chooses; then the choice wins', async ({ page }) => {
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.goto('/about')
    const dark = await background(page)
    await page.emulateMedia({ colorScheme: 'light' })
    const light = await background(page)
    expect(light).not.toBe(dark)

    await page.getByRole('button', { name: 'Switch theme' }).click()
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
    await expect.poll(() => background(page)).toBe(dark)
    await page.goto('/login')
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
    await hydrated(page)
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
    await page.getByRole('button', { name: 'Switch theme' }).click()
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'light')
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.reload()
    await expect.poll(() => background(page)).toBe(light)
  })
})

test.describe('the header', () => {
  test('signed out: Explore and Login, by keyboard', async ({ page }) => {
    await page.goto('/')
    await page.keyboard.press('Tab')
    await expect(focused(page)).toHaveText('Skip to content')
    await page.keyboard.press('Enter')
    await expect(page.locator('#main')).toBeFocused()
    await page.goto('/')
    const header = page.getByRole('banner')
    for (let presses = 0; presses < 5; presses++) await page.keyboard.press('Tab')
    await expect(header.getByRole('link', { name: 'Login' })).toBeFocused()
    await page.keyboard.press('Shift+Tab')
    await expect(header.getByRole('link', { name: 'Explore' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/\/explore$/)
  })

  test('signed in: both menus, by keyboard', async ({ page }) => {
    const person = await signedUp(page.request, 'Kay Board')
    await page.goto('/dashboard')
    await hydrated(page)
    const header = page.getByRole('banner')

    await header.getByRole('button', { name: 'Thunder menu' }).focus()
    await page.keyboard.press('Enter')
    await expect(page.getByText('Your Courses')).toBeVisible()
    await expectNoAxeViolations(page)
    await page.keyboard.press('Escape')
    await expect(page.getByText('Your Courses')).toBeHidden()
    await expect(header.getByRole('button', { name: 'Thunder menu' })).toBeFocused()
    await page.keyboard.press('ArrowDown')
    await expect(focused(page)).toHaveText('Explore Courses')
    await page.keyboard.press('ArrowDown')
    await expect(focused(page)).toHaveText('Create Course')
    await page.keyboard.press('ArrowDown')
    await expect(focused(page)).toHaveText('Thunder Bootcamp')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/\/course\/thunder-bootcamp\/dashboard$/)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Thunder Bootcamp')

    await header.getByRole('button', { name: 'Account menu' }).focus()
    await page.keyboard.press('Space')
    await expect(page.getByText(person.email)).toBeVisible()
    await expect(page.getByText('PRO', { exact: true })).toHaveCount(0)
    await expectNoAxeViolations(page)
    await page.keyboard.press('Tab')
    await expect(focused(page)).toHaveText('Dashboard')
    await page.keyboard.press('Tab')
    await expect(focused(page)).toHaveText('Creator Analytics')
    await page.keyboard.press('Tab')
    await expect(focused(page)).toHaveText('Profile')
    await page.keyboard.press('Tab')
    await expect(focused(page)).toHaveText('Certificates')
    await page.keyboard.press('Tab')
    await expect(focused(page)).toHaveText('Settings')
    await page.keyboard.press('Tab')
    await expect(focused(page)).toHaveText('Help Center')
    await page.keyboard.press('Tab')
    await expect(focused(page)).toHaveText('Upgrade to Pro')
    await page.keyboard.press('Tab')
    await expect(focused(page)).toHaveText('Sign Out')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/\/$/)
    await expect(header.getByRole('link', { name: 'Login' })).toBeVisible()
    await page.goto('/dashboard')
    await expect(page).toHaveURL(/\/login\?to=%2Fdashboard$/)
  })

  test('the menus work on still pages for people who are signed in', async ({ page }) => {
    await signedUp(page.request, 'Stan Still')
    await page.setViewportSize({ width: 375, height: 812 })
    const complaints = complaintsOf(page)
    for (const path of ['/', '/explore', '/about']) {
      await page.goto(path)
      await hydrated(page)
      await page.getByRole('button', { name: 'Account menu' }).click()
      await expect(page.getByRole('button', { name: 'Sign Out' })).toBeVisible()
      await expectNoSidewaysScrolling(page)
    }
    expect(complaints).toEqual([])
  })
})

test.describe('signing up', () => {
  const problem = (page: Page) => page.getByRole('main').getByRole('alert')

  test('the rules come in their order, in their words', async ({ page }) => {
    await page.goto('/signup')
    await hydrated(page)
    const send = () => page.getByRole('button', { name: 'Create account' }).click()
    const says = async (words: string) => {
      await send()
      await expect(problem(page)).toHaveText(words)
    }
    await says('Display name is required')
    await page.getByLabel('Display Name').fill('A')
    await says('Display name must be at least 2 characters long')
    await page.getByLabel('Display Name').fill(' Al ')
    await says('Email address is required')
    await page.getByLabel('Email').fill('al at example')
    await says('Please enter a valid email address')
    await page.getByLabel('Email').fill('al@example.com')
    await says('Password is required')
    await page.getByLabel('Password', { exact: true }).fill('12345')
    await says('Password must be at least 6 characters long')
    await page.getByLabel('Password', { exact: true }).fill('123456')
    await says('Please confirm your password')
    await page.getByLabel('Confirm Password', { exact: true }).fill('654321')
    await says('Passwords do not match')
    await page.getByLabel('Confirm Password', { exact: true }).fill('123456')
    await says('Please accept the Terms of Service and Privacy Policy')
    await expectNoAxeViolations(page)
    // What was typed is still there.
    await expect(page.getByLabel('Email')).toHaveValue('al@example.com')
    await expect(page.getByRole('link', { name: 'Terms of Service' })).toHaveAttribute(
      'href',
      '/terms',
    )
    await expect(page.getByRole('link', { name: 'Privacy Policy' })).toHaveAttribute(
      'href',
      '/privacy',
    )
  })

  test('a problem goes away after five seconds', async ({ page }) => {
    await page.clock.install()
    await page.goto('/signup')
    await hydrated(page)
    await stopClock(page)
    await page.getByRole('button', { name: 'Create account' }).click()
    await expect(problem(page)).toHaveText('Display name is required')
    await page.clock.runFor(4500)
    await expect(problem(page)).toBeVisible()
    await page.clock.runFor(600)
    await expect(problem(page)).toBeHidden()
    // The field keeps its mark.
    await expect(page.getByLabel('Display Name')).toBeFocused()
    await expect(page.getByLabel('Display Name')).toHaveAccessibleDescription(
      'Display name is required',
    )
  })

  test('an address has one account', async ({ page, browser, thunder }) => {
    const person = await signedUp(page.request, 'First Come')
    const other = await somebodyElse(browser, { baseURL: thunder.url })
    await other.page.goto('/signup')
    await hydrated(other.page)
    await signUpHere(other.page, { ...person, email: person.email.toUpperCase() })
    await expect(problem(other.page)).toHaveText(
      'An account with this email already exists. Please try logging in instead.',
    )
    await other.context.close()
  })

  test('somebody who is signed in has no business there', async ({ page }) => {
    await signedUp(page.request, 'Already In')
    for (const path of ['/signup', '/login']) {
      await page.goto(path)
      await expect(page).toHaveURL(/\/dashboard$/)
      await page.goto(`${path}?to=%2Fexplore`)
      await expect(page).toHaveURL(/\/explore$/)
    }
  })

  test('all of it works without JavaScript', async ({ browser, thunder }) => {
    const { context, page } = await somebodyElse(browser, {
      baseURL: thunder.url,
      javaScriptEnabled: false,
    })
    const person = newcomer('No Script')
    await page.goto('/signup')
    await page.getByRole('button', { name: 'Create account' }).click()
    await expect(problem(page)).toHaveText('Display name is required')
    await signUpHere(page, person)
    await page.getByRole('link', { name: 'Continue' }).click()
    await expect(page).toHaveURL(/\/dashboard$/)
    await expect(page.getByRole('heading', { level: 1 })).toContainText(person.name)
    await page.getByRole('button', { name: 'Account menu' }).click()
    await page.getByRole('button', { name: 'Sign Out' }).click()
    await expect(page.getByRole('link', { name: 'Login' })).toBeVisible()
    await page.goto('/login')
    await logInHere(page, { ...person, password: 'wrong horse' })
    await expect(problem(page)).toContainText('Invalid email or password.')
    await logInHere(page, person)
    await expect(page).toHaveURL(/\/dashboard$/)
    await context.close()
  })
})

test.describe('logging in', () => {
  test('a wrong password says so, then the way leads back to the remembered page', async ({
    page,
    browser,
    thunder,
  }) => {
    const person = await signedUp(page.request, 'Ann Other')
    const { context, page: other } = await somebodyElse(browser, { baseURL: thunder.url })
    await other.goto('/course/thunder-bootcamp/dashboard?tab=about')
    await expect(other).toHaveURL(/\/login\?to=/)
    await hydrated(other)
    await expectNoAxeViolations(other)
    await expect(other.getByRole('checkbox', { name: 'Remember me' })).toBeVisible()
    await logInHere(other, { ...person, password: 'wrong horse' })
    await expect(other.getByRole('main').getByRole('alert')).toHaveText(
      'Invalid email or password. Please check your credentials and try again.',
    )
    await expectNoAxeViolations(other)
    // An unknown address is answered the same.
    const answered = other.waitForResponse(/\/login\.data/)
    await logInHere(other, { email: 'nobody@example.com', password: 'wrong horse' })
    await answered
    await expect(other.getByRole('main').getByRole('alert')).toHaveText(
      'Invalid email or password. Please check your credentials and try again.',
    )
    await other.getByLabel('Password', { exact: true }).fill('correct horse')
    await other.getByRole('button', { name: 'Show password' }).click()
    await expect(other.getByLabel('Password', { exact: true })).toHaveAttribute('type', 'text')
    await logInHere(other, person)
    await expect(other).toHaveURL(`${thunder.url}/course/thunder-bootcamp/dashboard?tab=about`)
    await context.close()
  })

  for (const javaScriptEnabled of [true, false]) {
    const scripts = javaScriptEnabled ? 'with' : 'without'
    test(`the header’s Login leads back to the page it was pressed on, ${scripts} JavaScript`, async ({
      page,
      browser,
      thunder,
    }) => {
      await signedUp(page.request, 'Heidi Header')
      const { id, slug } = await publishedCourse(page.request, 'Bread by Invitation')
      const made = await page.request.post(`/rest/v1/courses/${id}/invitations`, { data: {} })
      const invited = new URL((await made.json()).url).pathname
      const code = invited.split('/').at(-1)
      await page.request.post('/logout', { form: {} })
      // Whoever made it would be led on to the dashboard of the course.
      const person = await signedUp(page.request, 'Lea Learner')
      for (const path of [
        `/course/${slug}?invitation=${code}`,
        `/course/${slug}?coupon=HALF`,
        invited,
        '/explore?search=old+bread',
      ]) {
        const options = { baseURL: thunder.url, javaScriptEnabled }
        const { context, page: other } = await somebodyElse(browser, options)
        await other.goto(path)
        const header = other.getByRole('banner')
        await header.getByRole('link', { name: 'Login' }).click()
        await expect(other).toHaveURL(`/login?to=${encodeURIComponent(path)}`)
        if (javaScriptEnabled) await hydrated(other)
        await logInHere(other, { ...person, password: 'wrong horse' })
        await expect(other.getByRole('main').getByRole('alert')).toContainText('Invalid email')
        await expect(other.getByRole('link', { name: 'Create an account' })).toHaveAttribute(
          'href',
          `/signup?to=${encodeURIComponent(path)}`,
        )
        await logInHere(other, person)
        await expect(other).toHaveURL(`${thunder.url}${path}`)
        await context.close()
      }
    })
  }

  test('Remember me keeps a device logged in for 30 days, without it until it is closed', async ({
    page,
    browser,
    thunder,
  }) => {
    const person = await signedUp(page.request, 'Mem Ory')
    const daysKept = async (remember: boolean) => {
      const { context, page: other } = await somebodyElse(browser, { baseURL: thunder.url })
      await other.goto('/login')
      await hydrated(other)
      if (remember) await other.getByRole('checkbox', { name: 'Remember me' }).check()
      await logInHere(other, person)
      await expect(other).toHaveURL(/\/dashboard$/)
      const cookies = await context.cookies()
      const session = cookies.find(({ name }) => name === 'thunder.session_token')
      expect(session).toMatchObject({ httpOnly: true, sameSite: 'Lax' })
      await context.close()
      const expires = session?.expires ?? 0
      return expires === -1 ? 0 : Math.round((expires - Date.now() / 1000) / 86_400)
    }
    expect(await daysKept(false)).toBe(0)
    expect(await daysKept(true)).toBe(30)
  })

  test('nothing of who is logged in is kept in the browser', async ({ page }) => {
    const person = newcomer('Noah Trace')
    await page.goto('/signup?to=%2Fdashboard')
    await hydrated(page)
    await signUpHere(page, person)
    await expect(page).toHaveURL(/\/dashboard$/)
    const { id } = await (await page.request.get('/rest/v1/me')).json()
    for (const path of ['/billing', '/settings', '/explore']) {
      await page.goto(path)
      await hydrated(page)
    }
    await page.getByRole('button', { name: 'Switch theme' }).click()
    const { keys, values, cookies } = await page.evaluate(() => ({
      keys: Object.keys(localStorage),
      values: JSON.stringify([localStorage, sessionStorage]),
      // Those that a script can read.
      cookies: document.cookie,
    }))
    expect(keys).toContain('theme')
    expect(keys.filter((key) => !['theme', 'letters'].includes(key))).toEqual([])
    for (const known of [id, person.name, person.email, person.password]) {
      expect(values).not.toContain(known)
    }
    expect(cookies).toBe('')
  })

  test('another site is not a page to come back to', async ({ page, browser, thunder }) => {
    const person = await signedUp(page.request, 'Far Away')
    for (const to of ['//evil.example', 'https://evil.example/x', '/\\evil.example']) {
      const { context, page: other } = await somebodyElse(browser, { baseURL: thunder.url })
      await other.goto(`/login?to=${encodeURIComponent(to)}`)
      await hydrated(other)
      await logInHere(other, person)
      await expect(other).toHaveURL(`${thunder.url}/dashboard`)
      await context.close()
    }
  })

  test('a part of a page is remembered as well', async ({ page, browser, thunder }) => {
    const person = await signedUp(page.request, 'Paula Part')
    const { context, page: other } = await somebodyElse(browser, { baseURL: thunder.url })
    await other.goto('/settings#security')
    await expect(other).toHaveURL('/login?to=%2Fsettings%23security')
    await hydrated(other)
    await logInHere(other, person)
    await expect(other).toHaveURL(`${thunder.url}/settings#security`)
    await expect(other.getByRole('heading', { name: 'Change Password' })).toBeVisible()
    await context.close()
  })

  test('whose session has ended is sent to log in by a link, and Back leads to the page before', async ({
    page,
  }) => {
    await signedUp(page.request, 'Enda Gone')
    await page.goto('/about')
    await hydrated(page)
    const footer = page.getByRole('navigation', { name: 'Footer' })
    await footer.getByRole('link', { name: 'Privacy' }).click()
    await expect(page).toHaveURL('/privacy')
    const follow = async (name: string) => {
      await page.getByRole('button', { name: 'Account menu' }).click()
      await page.getByRole('link', { name, exact: true }).click()
    }
    const cookies = await page.context().cookies()

    await test.step('from a page for everybody', async () => {
      await page.context().clearCookies()
      await follow('Dashboard')
      await expect(page).toHaveURL('/login?to=%2Fdashboard')
      await page.goBack()
      await expect(page).toHaveURL('/privacy')
    })

    await test.step('what is come back to without a session holds nobody', async () => {
      await page.context().addCookies(cookies)
      await page.reload()
      await hydrated(page)
      await follow('Dashboard')
      await expect(page).toHaveURL('/dashboard')
      await follow('Settings')
      await expect(page).toHaveURL('/settings')
      await page.context().clearCookies()
      await page.goBack()
      await expect(page).toHaveURL('/login?to=%2Fdashboard')
      await page.goBack()
      await expect(page).toHaveURL('/privacy')
    })
  })

  test('strangers are sent to log in by every protected page', async ({ request }) => {
    const pages = [
      '/dashboard',
      '/notifications',
      '/create-course',
      '/create-lessons/00000000-0000-7000-8000-000000000000',
      '/course/thunder-bootcamp/dashboard',
      '/course/thunder-bootcamp/lesson/anything',
      '/course/thunder-bootcamp/moderation',
      '/moderation',
      '/billing',
      '/billing/cancel',
      '/upgrade',
      '/upgrade/demo',
      '/analytics',
      '/settings',
      '/payments',
      '/certificates',
      '/import-course',
      '/admin',
    ]
    for (const path of pages) {
      const answer = await request.get(path, { maxRedirects: 0 })
      expect(answer.status(), path).toBe(302)
      expect(answer.headers().location).toBe(`/login?to=${encodeURIComponent(path)}`)
    }
  })
})

test('a body that is no form is never a failure of ours', async ({ page }) => {
  await signedUp(page.request, 'Odd Body')
  const bodies = [
    { type: 'application/json', data: '{"a":1}' },
    { type: 'multipart/form-data; boundary=x', data: '--y' },
    { type: 'text/plain', data: '' },
  ]
  for (const path of [
    '/course/thunder-bootcamp',
    '/course/thunder-bootcamp/apply',
    '/course/thunder-bootcamp/leave',
    '/course/thunder-bootcamp/delete',
    '/course/thunder-bootcamp/reviews',
    '/notifications',
    '/billing',
    '/billing/cancel',
    '/billing/update-payment',
    '/upgrade',
    '/upgrade/demo',
    '/settings',
    '/settings/password',
    '/settings/delete-account',
    '/login',
    '/signup',
  ]) {
    for (const { type, data } of bodies) {
      const headers = { 'content-type': type }
      const answer = await page.request.post(path, { data, headers, maxRedirects: 0 })
      expect(answer.status(), `${path} ${type}`).toBeLessThan(500)
    }
  }
})

test.describe('creators', () => {
  test('the second course of a free creator has to wait', async ({ page }) => {
    await signedUp(page.request, 'One Course')
    await publishedCourse(page.request, 'The Only One')
    await page.goto('/create-course')
    await hydrated(page)
    await expect(page.getByRole('main')).toContainText(
      'Free plan users can create up to 1 course. You have reached this limit.',
    )
    await expect(
      page.getByRole('main').getByRole('link', { name: 'Billing', exact: true }),
    ).toHaveAttribute('href', '/billing')
    await expect(page.getByLabel('Title')).toBeDisabled()
    await expect(page.getByRole('button', { name: 'Continue', exact: true })).toBeDisabled()
    await expectNoAxeViolations(page)
  })

  test('a file that only says it is a video is refused in the spec’s words', async ({ page }) => {
    await signedUp(page.request, 'Wrong File')
    const { id } = await publishedCourse(page.request, 'No Video Here')
    await page.goto(`/create-lessons/${id}`)
    await hydrated(page)
    await page
      .getByRole('main')
      .getByRole('button', { name: /^First lesson/ })
      .click()
    const sentence = 'Please upload a valid video file (MP4, WebM, OGG, AVI, MOV, QuickTime)'
    const choose = page.getByLabel('Choose a video')
    await choose.setInputFiles({
      name: 'notes.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from('notes'),
    })
    await expect(page.getByRole('alert').filter({ hasText: sentence })).toBeVisible()
    await page.getByRole('button', { name: 'Save Changes' }).click()
    await expect(
      page.getByText('Please resolve all upload errors before saving.').first(),
    ).toBeVisible()
    await expectNoAxeViolations(page)
    await page.getByRole('button', { name: 'Remove', exact: true }).click()
    // Its name is right, its bytes are not: that only the server can tell.
    await choose.setInputFiles({
      name: 'notes.mp4',
      mimeType: 'video/mp4',
      buffer: Buffer.from('notes'),
    })
    await expect(page.getByRole('alert').filter({ hasText: sentence })).toBeVisible()
  })
})
