// What pages and articles say of prices, limits and fees: what the catalogue has.
import { glob, readFile } from 'node:fs/promises'
import type { ComponentType } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { createRoutesStub } from 'react-router'
import { describe, expect, test } from 'vitest'
import { catalogue, feePercents, typicalCardFee } from '../../billing/rules.ts'
import { annualSaving, money, shortMoney } from '../../billing/ui/plan-words.ts'
import { limits } from '../../courses/rules.ts'
import About from './about.tsx'
import Home from './home.tsx'
import Pro from './pro.tsx'
import Terms from './terms.tsx'

const { monthly, annual } = catalogue
const prices = {
  month: shortMoney(monthly.amount, monthly.currency),
  year: shortMoney(annual.amount, annual.currency),
}
const ownPercents = [feePercents.free, feePercents.pro, annualSaving().percent].map(String)
/** What a payout through PayPal costs at most. */
const payPalPercent = '2'

const wordsOf = (Page: ComponentType) => {
  const Stub = createRoutesStub([{ path: '/', Component: Page }])
  const html = renderToStaticMarkup(<Stub initialEntries={['/']} />)
  return html.replaceAll(/<[^>]+>/g, ' ')
}

const HomeOfToday = Home as unknown as ComponentType<{ loaderData: { courses: [] } }>
const pages: Record<string, () => string> = {
  home: () => wordsOf(() => <HomeOfToday loaderData={{ courses: [] }} />),
  pro: () => wordsOf(Pro),
  about: () => wordsOf(About),
  terms: () => wordsOf(Terms),
}

/** What is wrong with a text: a price of Pro, a percentage or a promise that the catalogue does not have. */
function wrongIn(text: string): string[] {
  const words = text.replaceAll(/\s+/g, ' ')
  const wrong: string[] = []
  for (const [said, amount, interval] of words.matchAll(
    /(\$[\d.,]*\d) (?:a|per|each|every) (month|year)/g,
  )) {
    const perMonthOfYear = money(annualSaving().perMonth, annual.currency)
    const right = prices[interval as 'month' | 'year']
    if (amount !== right && !(interval === 'month' && amount === perMonthOfYear)) wrong.push(said)
  }
  for (const [said, percent] of words.matchAll(/([\d.]+) ?%/g)) {
    const known = [...ownPercents, String(typicalCardFee.percent), payPalPercent]
    if (!known.includes(percent!)) wrong.push(said)
  }
  wrong.push(...(words.match(/\$29(?![\d,])/g) ?? []))
  for (const { index, 0: said } of words.matchAll(/no (?:transaction|platform) fees?\b/gi)) {
    const before = words
      .slice(0, index)
      .split(/[.!?] /)
      .at(-1)
    if (!/\bPro\b/.test(before ?? '')) wrong.push(said)
  }
  return wrong
}

test.each([
  ['Pro is $29 a month', ['$29 a month', '$29']],
  ['Pro is $20 a year', ['$20 a year']],
  ['We keep 6% of a sale.', ['6%']],
  ['Sell with no transaction fees.', ['no transaction fees']],
  ['Ask about Pro. No transaction fees!', ['No transaction fees']],
  [
    'On Pro, at $20 a month or $200 a year, there are no transaction fees; on Free they are 5%.',
    [],
  ],
])('the check finds what is wrong in %j', (text, wrong) => {
  expect(wrongIn(text)).toEqual(wrong)
})

describe('prices and fees are those of the catalogue', () => {
  test.each(Object.keys(pages))('on the page %s', (name) => {
    const words = pages[name]!()
    expect(wrongIn(words)).toEqual([])
    expect(words).toContain(prices.month)
    expect(words).toContain(`${name === 'pro' ? feePercents.pro : feePercents.free}%`)
  })

  test('in every article', async () => {
    const wrong: string[] = []
    let priced = 0
    for await (const path of glob('content/**/*.md')) {
      const text = await readFile(path, 'utf8')
      // Of coupons and of other products, which have prices of their own.
      const own = text.replaceAll(/^ *theirs:.*$/gm, '').replaceAll('100% off', '')
      priced += own.includes(`${prices.month} a month`) ? 1 : 0
      wrong.push(...wrongIn(own).map((said) => `${path}: ${said}`))
    }
    expect(wrong).toEqual([])
    expect(priced).toBeGreaterThan(1)
  })

  test('Pro is worth more only above the sales whose fee is its price', () => {
    const [, sales] = pages.pro!().match(/Above \$([\d,]+) of sales a month/) ?? []
    const saved = feePercents.free - feePercents.pro
    expect(Number(sales?.replaceAll(',', '')) * saved).toBe(monthly.amount)
  })

  test('home says that students come out as a file with Pro', () => {
    expect(pages.home!().replaceAll(/\s+/g, ' ')).toContain(
      'Courses and sales come out as files, and with Pro your students, too.',
    )
  })

  test('the terms name the limit of the Free plan', () => {
    expect(pages.terms!()).toMatch(new RegExp(`up to ${limits.freePlanStudents} learners in it`))
  })
})
