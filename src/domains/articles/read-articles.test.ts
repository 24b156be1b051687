// A folder of articles as it is read: everything that is written in it, in its order.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { defaultBrand, setBrand } from '../site/brand.ts'
import { postAt } from './published.ts'
import { articleFiles, readArticles } from './read-articles.ts'
import { competitorOf, named, namedHtml, postAddress } from './rules.ts'

const made: string[] = []
afterEach(() => {
  setBrand(defaultBrand)
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true })
})

function folderOf(files: Record<string, string>): string {
  const root = mkdtempSync(join(tmpdir(), 'articles-'))
  made.push(root)
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(root, dirname(path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  return root
}

const rows = Array.from(
  { length: 6 },
  (_, at) =>
    `  - { feature: F${at}, ours: O, theirs: T, winner: ${['product', 'competitor', 'tie'][at % 3]} }\n`,
).join('')
const post = (competitor: string, text = 'It is one.') =>
  `---\ntitle: Against ${competitor}\ndescription: What differs\ndate: 2026-01-31\nauthor: Ann\ncompetitor: ${competitor}\nrows:\n${rows}---\n${text}`
const help = (order: number, text: string) =>
  `---\ntitle: Help ${order}\ndescription: How to\norder: ${order}\n---\n${text}`

const blog = Object.fromEntries(
  ['teachable', 'kajabi', 'skool', 'whop'].map((name) => [`blog/versus-${name}.md`, post(name)]),
)

test('is there with its sections, links and marks', () => {
  const text = [
    'Before & *all*: [home](/), [here](#later-on).',
    '',
    'More of it.',
    '',
    '## Later <on>',
    '',
    '- One',
    "- Two “three” 'four'",
    '',
    '### “Deeper” & deeper',
    '',
    'See [them](https://example.com/?a=1&b=2).',
  ].join('\r\n')
  const root = folderOf({
    ...blog,
    'help/learners/second.md': help(2, text.replace('<on>', 'on')),
    'help/creators/first.md': help(1, 'Just text.'),
    'notes.txt': 'no article',
  })
  expect(articleFiles(root).map((file) => file.slice(root.length + 1))).toEqual([
    'blog/versus-kajabi.md',
    'blog/versus-skool.md',
    'blog/versus-teachable.md',
    'blog/versus-whop.md',
    'help/creators/first.md',
    'help/learners/second.md',
  ])
  const read = readArticles(root)
  expect(read.posts.map(({ competitor }) => competitor)).toEqual([
    'whop',
    'skool',
    'kajabi',
    'teachable',
  ])
  expect(read.posts[0]).toEqual({
    title: 'Against whop',
    description: 'What differs',
    date: '2026-01-31',
    author: 'Ann',
    competitor: 'whop',
    rows: Array.from({ length: 6 }, (_, at) => ({
      feature: `F${at}`,
      ours: 'O',
      theirs: 'T',
      winner: ['product', 'competitor', 'tie'][at % 3],
    })),
    html: '<p>It is one.</p>\n',
    sections: [{ id: null, heading: '', text: 'It is one.' }],
    links: [],
  })
  expect(read.help.map(({ slug, audience }) => [slug, audience])).toEqual([
    ['first', 'creators'],
    ['second', 'learners'],
  ])
  expect(read.help[0]).toEqual({
    title: 'Help 1',
    description: 'How to',
    order: 1,
    keywords: '',
    slug: 'first',
    audience: 'creators',
    html: '<p>Just text.</p>\n',
    sections: [{ id: null, heading: '', text: 'Just text.' }],
    links: [],
  })
  const second = read.help[1]!
  expect(second.links).toEqual(['/', '#later-on', 'https://example.com/?a=1&b=2'])
  expect(second.sections).toEqual([
    { id: null, heading: '', text: 'Before & all : home , here . More of it.' },
    { id: 'later-on', heading: 'Later on', text: "One Two “three” 'four'" },
    { id: 'deeper-deeper', heading: '“Deeper” & deeper', text: 'See them .' },
  ])
  expect(second.html).toContain('<h2 id="later-on">Later on</h2>')
  expect(second.html).toContain('<h3 id="deeper-deeper">“Deeper” &amp; deeper</h3>')
  expect(second.html).toContain('<a href="/">home</a>')
  expect(second.html).toContain(
    '<a href="https://example.com/?a=1&#38;b=2" rel="noreferrer">them</a>',
  )
})

test('stands in its order, whichever folder it is in', () => {
  const root = folderOf({
    ...blog,
    'help/creators/last.md': help(3, 'Text.'),
    'help/learners/first.md': help(1, 'Text.').replace('order', 'keywords: other words\norder'),
    'help/learners/middle.md': help(2, 'Text.'),
  })
  const read = readArticles(root).help
  expect(read.map(({ slug }) => slug)).toEqual(['first', 'middle', 'last'])
  expect(read.map(({ keywords }) => keywords)).toEqual(['other words', '', ''])
})

test('has its text as it is read, whatever signs it has and however it is parted', () => {
  const text = [
    '1 < 2 & 3 > 2, "so" it\'s &#60;b&#62; &#38; &#34;c&#34;',
    '',
    '---',
    '',
    'A **strong**  end. See [all](/courses).',
    '',
    '## Is 1 < 2?',
  ].join('\n')
  const root = folderOf({ ...blog, 'help/learners/a.md': help(1, text) })
  const [one] = readArticles(root).help
  expect(one?.sections).toEqual([
    {
      id: null,
      heading: '',
      text: '1 < 2 & 3 > 2, "so" it\'s <b> & "c" A strong end. See all .',
    },
    { id: 'is-1-2', heading: 'Is 1 < 2?', text: '' },
  ])
  expect(one?.html).toContain('<a href="/courses">all</a>')
})

test('is refused in words where something is elsewhere or twice', () => {
  const reading = (files: Record<string, string>) => () => readArticles(folderOf(files))
  const text = help(1, 'Text.')
  expect(reading({ ...blog, 'help/learners/a.md': text, 'help/creators/a.md': text })).toThrow(
    'help/learners/a.md: there is another article of that name.',
  )
  expect(reading({ ...blog, 'help/learners/Not an address.md': text })).toThrow(
    'its name is no address.',
  )
  expect(reading({ ...blog, 'help/others/a.md': text })).toThrow(
    'articles are in blog, help/learners and help/creators.',
  )
  expect(reading({ ...blog, 'a.md': text })).toThrow('articles are in blog,')
  expect(reading({ ...blog, 'other/learners/a.md': text })).toThrow('articles are in blog,')
  expect(reading({ ...blog, 'blog/versus-whop.md': post('skool') })).toThrow(
    'about skool is versus-skool.md.',
  )
  expect(reading({ ...blog, 'help/learners/a.md': `x${text}` })).toThrow('it has to begin with')
  expect(
    reading({ ...blog, 'help/learners/a.md': text.replace('\n---\nText', '\n--- \nText') }),
  ).toThrow('it has to begin with')
})

test('the name of the product comes into addresses, text and marks', () => {
  setBrand({ ...defaultBrand, name: 'Birch & "Sons"' })
  expect(named('{{product}} and {{product}} at {{product-slug}}')).toBe(
    'Birch & "Sons" and Birch & "Sons" at birch-sons',
  )
  expect(namedHtml('<p>{{product}} at {{product-slug}}</p>')).toBe(
    '<p>Birch &#38; &#34;Sons&#34; at birch-sons</p>',
  )
  expect(postAddress('whop')).toBe('/blog/birch-sons-versus-whop')
  expect(competitorOf('Birch-Sons-Versus-WHOP')).toBe('whop')
  expect([competitorOf('whop'), competitorOf('birch-sons-versus-x')]).toEqual([
    undefined,
    undefined,
  ])
  expect(postAt('birch-sons-versus-whop')?.address).toBe('/blog/birch-sons-versus-whop')
  expect([postAt('birch-sons-versus-nobody'), postAt('')]).toEqual([null, null])
  setBrand({ ...defaultBrand, name: '雷' })
  expect(postAddress('skool')).toBe('/blog/product-versus-skool')
})
