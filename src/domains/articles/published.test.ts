// What the articles of a build are to who reads them: with the product's name, newest or first first.
import { afterEach, expect, test, vi } from 'vitest'
import { defaultBrand, setBrand } from '../site/brand.ts'
import { allHelp, allPosts, postAt } from './published.ts'
import type { Articles } from './schema.ts'

vi.mock('virtual:articles', () => {
  const name = '{{product}} at {{product-slug}}'
  const texts = {
    title: `Title of ${name}`,
    description: `About ${name}`,
    html: `<p>${name}</p>`,
    sections: [{ id: 'why', heading: `Why ${name}`, text: `Text of ${name}` }],
    links: ['/blog/{{product-slug}}-versus-whop', '/courses'],
  }
  const post = (competitor: 'whop' | 'skool' | 'kajabi', date: string) => ({
    ...texts,
    author: `Ann of ${name}`,
    date,
    competitor,
    rows: [
      { feature: 'Price', ours: `Ours, ${name}`, theirs: `No ${name}`, winner: 'tie' as const },
    ],
  })
  const articles: Articles = {
    posts: [post('whop', '2026-02-01'), post('skool', '2026-03-01'), post('kajabi', '2025-12-31')],
    help: [
      { ...texts, slug: 'b', order: 1, keywords: 'words', audience: 'creators' },
      { ...texts, slug: 'a', order: 2, keywords: '', audience: 'learners' },
    ],
  }
  return { default: articles }
})

afterEach(() => void setBrand(defaultBrand))

const name = 'A & B at a-b'
const shown = {
  title: `Title of ${name}`,
  description: `About ${name}`,
  html: '<p>A &#38; B at a-b</p>',
  sections: [{ id: 'why', heading: `Why ${name}`, text: `Text of ${name}` }],
  links: ['/blog/a-b-versus-whop', '/courses'],
}
const whop = {
  ...shown,
  author: `Ann of ${name}`,
  date: '2026-02-01',
  competitor: 'whop',
  rows: [{ feature: 'Price', ours: `Ours, ${name}`, theirs: `No ${name}`, winner: 'tie' }],
}

test('posts come newest first, with the name of the product wherever it stands', () => {
  setBrand({ ...defaultBrand, name: 'A & B' })
  expect(allPosts()).toEqual([
    { ...whop, competitor: 'skool', date: '2026-03-01' },
    whop,
    { ...whop, competitor: 'kajabi', date: '2025-12-31' },
  ])
})

test('a post is found at its address, when it is there', () => {
  setBrand({ ...defaultBrand, name: 'A & B' })
  expect(postAt('a-b-versus-whop')).toEqual({ post: whop, address: '/blog/a-b-versus-whop' })
  // Known, and not written yet.
  expect(postAt('a-b-versus-teachable')).toBeNull()
  expect(postAt('a-b-versus-nobody')).toBeNull()
})

test('help has the name of the product, too, and its own order', () => {
  setBrand({ ...defaultBrand, name: 'A & B' })
  expect(allHelp()).toEqual([
    { ...shown, slug: 'b', order: 1, keywords: 'words', audience: 'creators' },
    { ...shown, slug: 'a', order: 2, keywords: '', audience: 'learners' },
  ])
})
