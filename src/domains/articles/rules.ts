// Pure decisions about articles: what they are called, and how the product's name comes into them.
import { escaped } from '../../escaped.ts'
import { slugOf } from '../courses/rules.ts'
import { brand } from '../site/brand.ts'

/** Those that the blog compares the product with, by the end of the post's address. */
export const competitors = {
  whop: 'Whop',
  skool: 'Skool',
  kajabi: 'Kajabi',
  teachable: 'Teachable',
} as const
export type Competitor = keyof typeof competitors

export const longestHelpSearch = 200

const productSlug = () => slugOf(brand.name) || 'product'

/** `/blog/{product}-versus-{competitor}` */
export const postAddress = (competitor: Competitor) => `/blog/${productSlug()}-versus-${competitor}`

/** Which post has this as the end of its address, in any case; undefined when none has. */
export const competitorOf = (slug: string): Competitor | undefined =>
  (Object.keys(competitors) as Competitor[]).find(
    (competitor) => postAddress(competitor) === `/blog/${slug.toLowerCase()}`,
  )

/** Text of an article with the product's name in it. */
export const named = (text: string) =>
  text.replaceAll('{{product}}', brand.name).replaceAll('{{product-slug}}', productSlug())

/** The same for HTML. */
export const namedHtml = (html: string) =>
  html.replaceAll('{{product}}', escaped(brand.name)).replaceAll('{{product-slug}}', productSlug())

/** 'November 22, 2026'; the day is a day anywhere, so it is read and written in UTC. */
export const dayLabel = (date: string) =>
  new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(date))
