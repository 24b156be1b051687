// What people read before they decide, and when they are stuck: comparisons and help, without a script.
import { XMLValidator } from 'fast-xml-parser'
import {
  expect,
  expectNoAxeViolations,
  expectNoSidewaysScrolling,
  hydrated,
  signedUp,
  somebodyElse,
  test,
} from './journey.ts'

const names = ['Whop', 'Skool', 'Kajabi', 'Teachable']

test('from the end of the catalogue to a comparison, and on to signing up', async ({
  browser,
  thunder,
}) => {
  const { context, page } = await somebodyElse(browser, {
    baseURL: thunder.url,
    javaScriptEnabled: false,
    viewport: { width: 375, height: 812 },
  })

  await test.step('the footer of Explore has four comparisons, and what else there is to read', async () => {
    await page.goto('/explore')
    const more = page.getByRole('navigation', { name: 'Read more' })
    for (const name of names) {
      await expect(more.getByRole('link', { name: `Thunder versus ${name}` })).toHaveAttribute(
        'href',
        `/blog/thunder-versus-${name.toLowerCase()}`,
      )
    }
    for (const [name, href] of [
      ['About', '/about'],
      ['Privacy', '/privacy'],
      ['Terms', '/terms'],
      ['Blog', '/blog'],
      ['Help Center', '/help'],
    ]) {
      await expect(more.getByRole('link', { name, exact: true })).toHaveAttribute('href', href!)
    }
    await more.getByRole('link', { name: 'Thunder versus Skool' }).click()
  })

  await test.step('a post: title, day, author, introduction, and a table whose rows others win as well', async () => {
    await expect(page).toHaveURL('/blog/thunder-versus-skool')
    await expect(page.getByRole('heading', { level: 1 })).toContainText('Thunder versus Skool')
    await expect(page.getByText('November 22, 2026, by the Thunder team')).toBeVisible()
    await expect(page.getByText('Thunder begins with the lesson.')).toBeVisible()
    const table = page.getByRole('table', { name: 'Feature by feature' })
    await expect(table.getByRole('columnheader', { name: 'Winner' })).toBeVisible()
    for (const winner of ['Thunder', 'Skool', 'Tie']) {
      expect(await table.getByRole('cell', { name: winner, exact: true }).count()).toBeGreaterThan(
        1,
      )
    }
    await expect(page.locator('head meta[property="og:type"]')).toHaveAttribute(
      'content',
      'article',
    )
    await expect(page.locator('head link[rel=canonical]')).toHaveCount(1)
    await expect(page.locator('head link[rel=alternate]')).toHaveAttribute('href', '/blog/rss.xml')
  })

  await test.step('on a phone the name of who wins a row stays one word', async () => {
    for (const name of names) {
      await page.goto(`/blog/thunder-versus-${name.toLowerCase()}`)
      const winners = page.getByRole('cell', { name, exact: true })
      const linesOfEach = await winners.evaluateAll((cells) =>
        cells.map((cell) => {
          const words = document.createRange()
          words.selectNodeContents(cell.lastChild!)
          return words.getClientRects().length
        }),
      )
      expect([name, new Set(linesOfEach)]).toEqual([name, new Set([1])])
    }
  })

  await test.step('it ends with the way in', async () => {
    await page.getByRole('link', { name: 'Get Started Free' }).click()
    await expect(page).toHaveURL('/signup')
  })

  await test.step('all posts, and the feed', async () => {
    await page.goto('/blog')
    await expect(page.getByRole('main').getByRole('article')).toHaveCount(4)
    await expect(page.getByRole('link', { name: 'Follow by RSS' })).toBeVisible()
    const feed = await page.request.get('/blog/rss.xml')
    expect(feed.status()).toBe(200)
    expect(feed.headers()['content-type']).toBe('application/rss+xml; charset=utf-8')
    const xml = await feed.text()
    expect(XMLValidator.validate(xml)).toBe(true)
    expect(xml).toContain(`<link>${thunder.url}/blog/thunder-versus-kajabi</link>`)
    expect(await (await page.request.get('/blog/rss.xml')).text()).toBe(xml)
  })
  await context.close()
})

test('a post that there is not, and one in capitals', async ({ page, request }) => {
  for (const slug of ['thunder-versus-moodle', 'versus-whop', 'x'.repeat(1900), '%00', '%F0%9F']) {
    const answer = await request.get(`/blog/${slug}`)
    expect(answer.status(), slug).toBeGreaterThanOrEqual(400)
    expect(answer.status(), slug).toBeLessThan(500)
  }
  const answer = await page.goto('/blog/thunder-versus-moodle')
  expect(answer?.status()).toBe(404)
  await expect(page.getByRole('heading', { name: 'Blog post not found' })).toBeVisible()
  await expectNoAxeViolations(page)
  await page.getByRole('link', { name: 'Back home' }).click()
  await expect(page).toHaveURL('/')

  await page.goto('/blog/Thunder-Versus-WHOP')
  await expect(page).toHaveURL('/blog/thunder-versus-whop')
  await page.goto('/help/Refunds')
  await expect(page).toHaveURL('/help/refunds')
})

test('help: looked for, found, read, and not found', async ({ browser, thunder }) => {
  const { context, page } = await somebodyElse(browser, {
    baseURL: thunder.url,
    javaScriptEnabled: false,
    viewport: { width: 375, height: 812 },
  })
  const search = async (words: string) => {
    await page.getByRole('searchbox', { name: 'Search help' }).fill(words)
    await page.getByRole('button', { name: 'Search', exact: true }).click()
  }

  await test.step('articles for learners and for creators', async () => {
    await page.goto('/help')
    for (const audience of ['For learners', 'For creators']) {
      const list = page.getByRole('list', { name: audience })
      expect(await list.getByRole('link').count()).toBeGreaterThan(6)
    }
  })

  await test.step('a search finds the best article first', async () => {
    await search('How do I get a refund?')
    await expect(page).toHaveURL(/\/help\?q=How/)
    await expect(page.locator('head meta[name=robots]')).toHaveAttribute('content', /noindex/)
    const first = page.getByRole('list').getByRole('heading', { level: 3 }).first()
    await expect(first).toHaveText('Get a refund')
    await first.getByRole('link').click()
    await expect(page).toHaveURL('/help/refunds')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Get a refund')
    await expect(
      page.getByRole('navigation', { name: 'For learners' }).getByText('Get a refund'),
    ).toHaveAttribute('aria-current', 'page')
  })

  await test.step('the part that answers is one press away', async () => {
    await page.goto('/help?q=passkeys')
    await page.getByRole('link', { name: 'Passkeys', exact: true }).click()
    await expect(page).toHaveURL('/help/keep-your-account-safe#passkeys')
    await expect(page.getByRole('heading', { name: 'Passkeys' })).toBeInViewport()
  })

  await test.step('nothing found: said so, with the way to people', async () => {
    await page.goto('/help')
    await search('<b>unicorn</b> "quotes"')
    await expect(
      page.getByRole('heading', { name: 'We did not find anything about “<b>unicorn</b>' }),
    ).toBeVisible()
    await expect(page.getByRole('searchbox')).toHaveValue('<b>unicorn</b> "quotes"')
    await page.getByRole('link', { name: 'Ask us' }).click()
    await expect(page).toHaveURL('/support')
  })

  await test.step('too long: a sentence, and what was typed', async () => {
    const answer = await page.goto(`/help?q=${'long '.repeat(60)}`)
    expect(answer?.status()).toBe(400)
    await expect(page.getByText('A search can have at most 200 characters')).toBeVisible()
    await expect(page.getByRole('searchbox')).toHaveValue(/^(long ){20}/)
    await expect(page.getByRole('link', { name: 'Get a refund' })).toBeVisible()
  })

  await test.step('an article that there is not', async () => {
    expect((await page.goto('/help/nothing'))?.status()).toBe(404)
    await expect(page.getByRole('heading', { name: 'Help article not found' })).toBeVisible()
  })
  await context.close()
})

test('signed in: the avatar menu leads to the Help Center, and its pages look right', async ({
  page,
}) => {
  await signedUp(page.request, 'Hella Hilf')
  await page.goto('/dashboard')
  await hydrated(page)
  await page.getByRole('button', { name: 'Account menu' }).click()
  await page.getByRole('banner').getByRole('link', { name: 'Help Center' }).press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Help Center' })).toBeVisible()
  await expectNoAxeViolations(page)

  await page.getByRole('searchbox', { name: 'Search help' }).fill('payout')
  await page.getByRole('button', { name: 'Search', exact: true }).click()
  await expect(page.getByRole('heading', { name: /about “payout”/ })).toBeVisible()
  await expectNoAxeViolations(page)
  await page.getByRole('link', { name: 'Get paid' }).click()
  await expect(page).toHaveURL('/help/payouts')
  await expectNoAxeViolations(page)

  for (const width of [375, 768, 1280]) {
    await page.setViewportSize({ width, height: 900 })
    for (const path of ['/blog/thunder-versus-teachable', '/help?q=unicorn', '/help/payouts']) {
      await page.goto(path)
      await expectNoSidewaysScrolling(page)
    }
  }
})
