// What people find in the help, and in which order.
import { describe, expect, test } from 'vitest'
import { allHelp } from './published.ts'
import type { HelpArticle } from './schema.ts'
import { searchHelp } from './search-help.ts'

const article = (slug: string, parts: Partial<HelpArticle>): HelpArticle => ({
  slug,
  audience: 'learners',
  title: slug,
  description: '',
  order: 1,
  keywords: '',
  html: '',
  links: [],
  sections: [],
  ...parts,
})
const found = (articles: HelpArticle[], query: string) =>
  searchHelp(articles, query).map((one) => one.article.slug)

describe('made-up articles', () => {
  const inText = article('in-text', {
    sections: [{ id: null, heading: '', text: 'About lanterns and how to light them.' }],
  })
  const inHeading = article('in-heading', {
    sections: [
      { id: null, heading: '', text: 'Other things.' },
      { id: 'the-lantern', heading: 'The lantern', text: 'It is bright.' },
    ],
  })
  const inTitle = article('in-title', { title: 'Your lantern' })
  const all = [inText, inHeading, inTitle]

  test('title comes before heading before text', () => {
    expect(found(all, 'lantern')).toEqual(['in-title', 'in-heading', 'in-text'])
  })

  test.each(['LANTERN', 'lanterns', 'lant', 'Lántern', '  lantern?  '])(
    '%j finds them',
    (query) => {
      expect(found(all, query)).toHaveLength(3)
    },
  )

  test('the part whose heading answers is named', () => {
    expect(searchHelp([inHeading], 'lantern')[0]?.section).toEqual({
      id: 'the-lantern',
      heading: 'The lantern',
    })
    expect(searchHelp([inTitle], 'lantern')[0]?.section).toBeNull()
  })

  test('who has all words comes before who has some, and half is not enough', () => {
    const both = article('both', { description: 'A lantern made of paper' })
    expect(found([inTitle, both], 'lantern paper boat')).toEqual(['both'])
    expect(found([inTitle], 'lantern paper')).toEqual([])
  })

  test('all words in a text come before some in a title', () => {
    const inAll = article('all', {
      sections: [{ id: null, heading: '', text: 'A boat, some paper and a lantern.' }],
    })
    const some = article('some', { title: 'Your paper lantern' })
    expect(found([some, inAll], 'lantern paper boat')).toEqual(['all', 'some'])
  })

  test('a word twice is one word', () => {
    expect(found([inTitle], 'lantern lanterns paper')).toEqual([])
    expect(found([inTitle], 'lantern lanterns')).toEqual(['in-title'])
  })

  test('a whole word comes before one that is only begun', () => {
    const begun = article('begun', { title: 'Lanternfish' })
    expect(found([begun, inTitle], 'lantern')).toEqual(['in-title', 'begun'])
    // Also when the whole word comes first in a title that has both.
    const both = article('both', { title: 'Lantern or lanternfish' })
    expect(found([begun, both], 'lantern')).toEqual(['both', 'begun'])
  })

  test('keywords come after the title, before headings and descriptions', () => {
    const inKeywords = article('in-keywords', { keywords: 'lamp lantern' })
    const inDescription = article('in-description', { description: 'A lantern.' })
    expect(found([inText, inDescription, inHeading, inKeywords, inTitle], 'lantern')).toEqual([
      'in-title',
      'in-keywords',
      'in-heading',
      'in-description',
      'in-text',
    ])
  })

  test.each([
    ['bus', 'button'],
    ['cart', 'care'],
    ['class', 'clasp'],
  ])('%j is not cut until it begins %j', (query, title) => {
    expect(found([article('one', { title })], query)).toEqual([])
    expect(found([article('one', { title: query })], query)).toEqual(['one'])
  })

  test('a part is named when its heading says more than the title', () => {
    const sections = [
      { id: 'paper', heading: 'Paper', text: '' },
      { id: 'a-paper-lantern', heading: 'A paper lantern', text: '' },
      { id: 'boats', heading: 'Boats', text: '' },
    ]
    const one = article('one', { title: 'Your lantern', sections })
    const partFor = (query: string) => searchHelp([one], query)[0]?.section
    expect(partFor('paper lantern')).toEqual({ id: 'a-paper-lantern', heading: 'A paper lantern' })
    expect(partFor('lantern')).toBeNull()
    expect(partFor('boat')).toEqual({ id: 'boats', heading: 'Boats' })
    expect(partFor('bright lantern paper')?.id).toBe('a-paper-lantern')
  })

  test('small words do not count, unless there are no others', () => {
    expect(found(all, 'how do I light them')).toEqual(['in-text'])
    expect(found(all, 'how to')).toEqual(['in-text'])
    expect(found([inTitle], 'is there a lantern for me')).toEqual(['in-title'])
    expect(found([inTitle], 'where there was the lantern')).toEqual(['in-title'])
  })

  test.each(['', '   ', '???', 'antern', 'unicorn', '%', "' or 1=1", '\\'])(
    '%j finds nothing, and does no harm',
    (query) => expect(found(all, query)).toEqual([]),
  )
})

describe('our own articles', () => {
  test.each([
    ['refund', 'refunds'],
    ['how do I get my money back', 'refunds'],
    ['forgot my password', 'sign-up-and-log-in'],
    ['2fa', 'keep-your-account-safe'],
    ['delete my account', 'leave-download-delete'],
    ['cancel subscription', 'cancel-a-monthly-course'],
    ['payout', 'payouts'],
    ['bank account', 'payouts'],
    ['upload video', 'lessons-and-video'],
    ['captions', 'lessons-and-video'],
    ['discount code', 'coupons'],
    ['invite students', 'members-and-invitations'],
    ['certificate', 'certificates'],
    ['export course', 'export-and-import'],
    ['fees', 'price-and-fees'],
  ])('%j leads to %s', (query, slug) => {
    expect(found(allHelp(), query).slice(0, 2)).toContain(slug)
  })
})
