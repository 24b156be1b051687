// What Markdown files of `content/` say in their heads, and what they become at build time.
import * as z from 'zod'
import { competitors } from './rules.ts'

const sentence = (name: string, most: number) =>
  z
    .string(`${name} is missing`)
    .trim()
    .min(1, `${name} is empty`)
    .max(most, `${name} can have at most ${most} characters`)

const comparison = z.strictObject({
  feature: sentence('feature', 60),
  ours: sentence('ours', 140),
  theirs: sentence('theirs', 140),
  winner: z.enum(['product', 'competitor', 'tie'], 'winner must be product, competitor or tie'),
})

export const postHead = z.strictObject({
  title: sentence('title', 90),
  description: sentence('description', 200),
  date: z.iso.date('date must be a day like 2026-01-31'),
  author: sentence('author', 60),
  competitor: z.enum(
    Object.keys(competitors) as (keyof typeof competitors)[],
    `competitor must be one of ${Object.keys(competitors).join(', ')}`,
  ),
  rows: z.array(comparison, 'rows are missing').min(6, 'rows must be at least 6'),
})

export const helpHead = z.strictObject({
  title: sentence('title', 70),
  description: sentence('description', 160),
  order: z.int('order must be a whole number'),
  /** Other words that people look for it with. */
  keywords: z.string('keywords must be text').default(''),
})

/** A part of an article under one heading, as text without marks; the first has none. */
export interface Section {
  id: string | null
  heading: string
  text: string
}

/** `{{product}}` stands for the product's name until somebody reads it: the brand is configuration. */
interface Written {
  html: string
  sections: Section[]
  /** Where it leads to. */
  links: string[]
}

export type Post = z.output<typeof postHead> & Written
export type Audience = 'learners' | 'creators'
export type HelpArticle = z.output<typeof helpHead> & Written & { slug: string; audience: Audience }

export interface Articles {
  posts: Post[]
  help: HelpArticle[]
}
