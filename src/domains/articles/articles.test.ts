// The articles of this repository: whole, honest about others, and leading somewhere.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { RouteConfigEntry } from '@react-router/dev/routes'
import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { matchRoutes, type RouteObject } from 'react-router'
import { afterEach, describe, expect, test } from 'vitest'
import routes from '../../routes.ts'
import { noticeKinds } from '../notifications/kinds.ts'
import { graceEnd } from '../purchases/rules.ts'
import { brand, defaultBrand, setBrand } from '../site/brand.ts'
import { webhookPayloads } from '../webhooks/events.ts'
import { blogFeed } from './feed.ts'
import { allHelp, allPosts, postAt } from './published.ts'
import { readArticles } from './read-articles.ts'
import { competitors, dayLabel, postAddress } from './rules.ts'

const asObjects = (entries: readonly RouteConfigEntry[]): RouteObject[] =>
  entries.map(({ path, index, children }) =>
    index ? { index: true } : { path, children: children && asObjects(children) },
  )
const pages = asObjects(routes.filter(({ path }) => path !== '*'))

const { posts, help } = readArticles()
const everything = [
  ...posts.map((post) => ({ name: `versus-${post.competitor}`, ...post })),
  ...help.map((article) => ({ name: article.slug, ...article })),
]

afterEach(() => void setBrand(defaultBrand))

describe.each(everything)('$name', ({ links, html, title, description }) => {
  test('leads only to pages that there are', () => {
    const anchors = new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))
    for (const link of links) {
      if (link.startsWith('https://')) continue
      if (link.startsWith('#')) expect(anchors, link).toContain(link.slice(1))
      else expect(matchRoutes(pages, link.replace(/[?#].*/, '')), link).not.toBeNull()
    }
  })

  test('is marks and text: no script, no style, and no promise', () => {
    const tags = new Set([...html.matchAll(/<\/?([a-z0-9]+)/g)].map(([, tag]) => tag))
    const known = ['h2', 'h3', 'p', 'a', 'ul', 'ol', 'li', 'strong', 'em', 'code', 'br']
    expect([...tags].filter((tag) => !known.includes(tag ?? ''))).toEqual([])
    expect(html).not.toMatch(/ style=| on[a-z]+=|javascript:/i)
    expect(`${title} ${description} ${html}`).not.toMatch(/coming soon|thunder/i)
  })
})

describe('comparisons', () => {
  test('there is one for each competitor, whose name is this', () => {
    expect(competitors).toEqual({
      whop: 'Whop',
      skool: 'Skool',
      kajabi: 'Kajabi',
      teachable: 'Teachable',
    })
    expect(posts.map(({ competitor }) => competitor)).toEqual(Object.keys(competitors))
  })

  test.each(posts)('$competitor wins some rows, and loses some', ({ rows, author, date }) => {
    const won = (who: string) => rows.filter(({ winner }) => winner === who).length
    expect(won('competitor')).toBeGreaterThanOrEqual(2)
    expect(won('product')).toBeGreaterThanOrEqual(2)
    expect(new Set(rows.map(({ feature }) => feature)).size).toBe(rows.length)
    expect(author).not.toBe('')
    expect(new Date(date).getTime()).toBeLessThanOrEqual(Date.now())
  })

  test('address and text have the name of the product', () => {
    expect(postAddress('whop')).toBe('/blog/thunder-versus-whop')
    setBrand({ ...brand, name: 'Clever & Sons <x>' })
    expect(postAddress('whop')).toBe('/blog/clever-sons-x-versus-whop')
    const found = postAt('clever-sons-x-versus-whop')
    expect(found?.post.title).toContain('Clever & Sons <x> versus Whop')
    expect(found?.post.html).toContain('Clever &#38; Sons &#60;x&#62; does one thing')
    expect(JSON.stringify([allPosts(), allHelp()])).not.toContain('{{')
  })

  test.each(['thunder-versus-moodle', 'versus-whop', 'whop', 'other-versus-whop', ''])(
    '%j is none',
    (slug) => expect(postAt(slug)).toBeNull(),
  )

  test('is found in any case, at the address that is right', () => {
    expect(postAt('Thunder-Versus-Kajabi')?.address).toBe('/blog/thunder-versus-kajabi')
  })
})

test('help has articles for both, whose names are addresses', () => {
  for (const audience of ['learners', 'creators']) {
    expect(help.filter((one) => one.audience === audience).length).toBeGreaterThanOrEqual(7)
  }
})

describe('help says what is so of', () => {
  const said = (name: string) => help.find(({ slug }) => slug === name)!.html

  test('a missing payment: the access may end before its last day', () => {
    const missing = new Date('2026-03-01T00:00:00Z')
    const days = (graceEnd(missing).getTime() - missing.getTime()) / (24 * 60 * 60 * 1000)
    const text = said('buying-and-receipts')
    expect(text).toContain(`at the latest after ${days} days without the payment`)
    expect(text).toContain('ends when the provider gives up')
  })

  test('notifications: most cannot be switched off', () => {
    expect(Object.values(noticeKinds).some(({ switch: name }) => name === null)).toBe(true)
    const text = said('community')
    expect(text).not.toContain('Each kind of notification can be switched')
    expect(text).toContain('Some things always reach you')
  })

  test('a discussion: programs of the creator may read it, too', () => {
    expect(Object.keys(webhookPayloads)).toEqual(
      expect.arrayContaining(['post.created', 'comment.created']),
    )
    expect(said('community')).toContain(
      'programs that the creator has told of new posts and comments',
    )
  })

  test('another address: the present one is asked where it is confirmed', () => {
    expect(said('keep-your-account-safe')).toContain('If your present address is confirmed')
  })
})

describe('the feed', () => {
  test('is well-formed RSS 2.0 with whole addresses', () => {
    setBrand({ ...brand, name: 'Clever & Sons <x>' })
    const xml = blogFeed(allPosts(), 'https://courses.example')
    expect(XMLValidator.validate(xml)).toBe(true)
    const { rss } = new XMLParser({ ignoreAttributes: false, htmlEntities: true }).parse(xml)
    expect(rss['@_version']).toBe('2.0')
    expect(rss.channel.link).toBe('https://courses.example/blog')
    expect(rss.channel['atom:link']['@_href']).toBe('https://courses.example/blog/rss.xml')
    expect(rss.channel.item).toHaveLength(4)
    for (const item of rss.channel.item) {
      expect(item.link).toMatch(
        /^https:\/\/courses\.example\/blog\/clever-sons-x-versus-(whop|skool|kajabi|teachable)$/,
      )
      expect(item.guid['#text']).toBe(item.link)
      expect(item.title).toContain('Clever & Sons <x>')
      expect(item.description).not.toBe('')
      expect(item.pubDate).toMatch(/^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/)
    }
  })
})

describe('the feed of other days', () => {
  const [one] = allPosts()
  const dated = (...dates: string[]) => dates.map((date) => ({ ...one!, date }))
  const built = (xml: string) => /<lastBuildDate>(.*)<\/lastBuildDate>/.exec(xml)?.[1]

  test('says when the newest post was written, wherever it stands', () => {
    const xml = blogFeed(dated('2026-03-01', '2026-11-22', '2026-05-01'), 'https://x.example')
    expect(built(xml)).toBe('Sun, 22 Nov 2026 00:00:00 GMT')
    expect([...xml.matchAll(/<pubDate>(.*?)<\/pubDate>/g)].map(([, day]) => day)).toEqual([
      'Sun, 01 Mar 2026 00:00:00 GMT',
      'Sun, 22 Nov 2026 00:00:00 GMT',
      'Fri, 01 May 2026 00:00:00 GMT',
    ])
  })

  test('is this, letter by letter', () => {
    setBrand({ ...brand, name: 'Birch & "Sons"' })
    const post = {
      ...one!,
      competitor: 'whop' as const,
      date: '2026-11-22',
      title: `{{product}} <or> 'it'`,
      description: 'By {{product}}',
    }
    expect(blogFeed([post], 'https://x.y')).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom">
  <channel>
    <title>The Birch &#38; &#34;Sons&#34; blog</title>
    <link>https://x.y/blog</link>
    <description>How courses are made and sold, compared by Birch &#38; &#34;Sons&#34;.</description>
    <language>en</language>
    <lastBuildDate>Sun, 22 Nov 2026 00:00:00 GMT</lastBuildDate>
    <atom:link href="https://x.y/blog/rss.xml" rel="self" type="application/rss+xml"/>
    <item>
      <title>Birch &#38; &#34;Sons&#34; &#60;or&#62; &#39;it&#39;</title>
      <link>https://x.y/blog/birch-sons-versus-whop</link>
      <guid isPermaLink="true">https://x.y/blog/birch-sons-versus-whop</guid>
      <pubDate>Sun, 22 Nov 2026 00:00:00 GMT</pubDate>
      <description>By Birch &#38; &#34;Sons&#34;</description>
    </item>
  </channel>
</rss>
`)
    const two = blogFeed([one!, one!], 'https://x.y')
    expect(two).toContain('</item>\n    <item>')
  })

  test('is whole without a post', () => {
    const xml = blogFeed([], 'https://x.example')
    expect(XMLValidator.validate(xml)).toBe(true)
    expect(built(xml)).toBe('Thu, 01 Jan 2026 00:00:00 GMT')
    expect(xml).not.toContain('<item>')
    expect(xml).toContain('<title>The Thunder blog</title>')
    expect(xml).toContain('<description>How courses are made and sold, compared by Thunder.')
  })
})

test('a day is the same one everywhere', () => {
  expect(dayLabel('2026-11-22')).toBe('November 22, 2026')
  expect(dayLabel('2026-01-01')).toBe('January 1, 2026')
})

describe('a wrong file stops the build with a sentence', () => {
  const made: string[] = []
  afterEach(() => {
    for (const folder of made.splice(0)) rmSync(folder, { recursive: true })
  })

  function reading(path: string, text: string) {
    const root = mkdtempSync(join(tmpdir(), 'articles-'))
    made.push(root)
    mkdirSync(join(root, dirname(path)), { recursive: true })
    writeFileSync(join(root, path), text)
    return () => readArticles(root)
  }
  const head = '---\ntitle: A\ndescription: B\norder: 1\n---\n'
  const inHelp = (text: string) => reading('help/learners/a.md', text)

  test.each([
    ['no head', 'text', 'it has to begin with a head'],
    ['no YAML', '---\ntitle: "\n---\ntext', 'its head is no YAML'],
    ['a missing title', '---\ndescription: B\norder: 1\n---\ntext', 'title is missing (title)'],
    ['an unknown field', '---\ntitle: A\ncolour: red\n---\ntext', 'description is missing'],
    ['an empty title', '---\ntitle: " "\ndescription: B\norder: 1\n---\ntext', 'title is empty'],
    ['a field too many', head.replace('order', 'colour: red\norder'), /a\.md: [^()]+\.$/],
    ['half an order', head.replace('1', '1.5'), 'order must be a whole number (order).'],
    ['keywords in a list', head.replace('order', 'keywords: [a]\norder'), 'keywords must be text'],
    ['no text', head, 'it has no text'],
    ['a script', `${head}<script>alert(1)</script>`, 'HTML is not allowed in it'],
    ['HTML in a line', `${head}Some <b onclick="x">text</b>`, 'HTML is not allowed in it'],
    ['a picture', `${head}![x](/x.png)`, 'pictures are not allowed'],
    ['a table', `${head}| A |\n| - |\n| 1 |`, 'tables are not allowed in it'],
    ['a deep heading', `${head}#### Deep`, 'headings begin with ## or ###'],
    ['a link from here', `${head}[x](other.md)`, 'other.md is no page or https address'],
    ['a link without encryption', `${head}[x](http://x.example)`, 'is no page or https address'],
    ['a heading of the page', `${head}# Title`, 'headings begin with ## or ###'],
    ['a heading twice', `${head}## One\n\n## One`, '“One” stands in it twice'],
    ['a script as a link', `${head}[x](javascript:alert)`, 'is no page or https address'],
    ['a link to another host', `${head}[x](//evil.example)`, 'is no page or https address'],
  ])('%s', (_what, text, sentence) => {
    expect(inHelp(text)).toThrow(sentence)
    expect(inHelp(text)).toThrow('help/learners/a.md')
  })

  test('a comparison without its table, with a strange winner, or that is missing', () => {
    const wholePost = (rest: string) =>
      `---\ntitle: A\ndescription: B\ndate: 2026-01-31\nauthor: C\ncompetitor: whop\n${rest}---\ntext`
    const post = (rest: string) => reading('blog/versus-whop.md', wholePost(rest))
    expect(post('')).toThrow('rows are missing')
    expect(post('rows: [{ feature: a, ours: b, theirs: c, winner: tie }]\n')).toThrow(
      'rows must be at least 6 (rows).',
    )
    for (const field of ['feature', 'ours', 'theirs']) {
      const fields = { feature: 'a', ours: 'b', theirs: 'c', winner: 'tie', [field]: undefined }
      expect(post(`rows: [${JSON.stringify(fields)}]\n`)).toThrow(
        `${field} is missing (rows.0.${field})`,
      )
    }
    expect(post('rows: [{ feature: a, ours: b, theirs: c, winner: me }]\n')).toThrow(
      'winner must be product, competitor or tie (rows.0.winner)',
    )
    const row = '  - { feature: a, ours: b, theirs: c, winner: tie }\n'
    const whole = `rows:\n${row.repeat(6)}`
    expect(post(whole)).toThrow('blog/versus-skool.md is missing.')
    const wrong = (right: string, instead: string) =>
      reading('blog/versus-whop.md', wholePost(whole).replace(right, instead))
    expect(wrong('2026-01-31', '31.1.2026')).toThrow('date must be a day like 2026-01-31 (date).')
    expect(wrong('author: C', 'author:')).toThrow('author is missing (author).')
    expect(wrong('competitor: whop', 'competitor: moodle')).toThrow(
      'competitor must be one of whop, skool, kajabi, teachable (competitor).',
    )
  })
})
