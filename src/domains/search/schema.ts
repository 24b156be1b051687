// What is looked for in the catalogue. The API refuses what it does not know; a page goes on without it.
import * as z from 'zod'
import { categories } from '../courses/rules.ts'
import { courseCard, maxShown, pageSize } from '../courses/schema.ts'

const sorts = ['newest', 'popular', 'trending', 'price_low', 'price_high'] as const
export type Sort = (typeof sorts)[number]

const prices = ['all', 'free', 'paid'] as const
export type Price = (typeof prices)[number]

const search = z
  .string('Search text must be text')
  .transform((value) => value.replaceAll('\0', '').toWellFormed().trim())
  .pipe(z.string().max(200, 'Search text can have at most 200 characters'))
const category = z.enum(['All', ...categories], 'There is no such category')
const price = z.enum(prices, 'Price must be one of: all, free, paid')
const sort = z.enum(sorts, `Sort must be one of: ${sorts.join(', ')}`)
const howMany = `The number of courses to show must be a whole number from ${pageSize} to ${maxShown}`
const show = z.coerce.number(howMany).int(howMany).min(pageSize, howMany).max(maxShown, howMany)

export const courseSearch = z.object({
  search: search.default(''),
  category: category.default('All'),
  price: price.default('all'),
  /** Left out: the best match first where something is searched for, else the newest. */
  sort: sort.optional(),
  /** How many cards at most; grows by 12 with 'Load More Courses'. */
  show: show.default(pageSize),
})
export type CourseSearch = z.output<typeof courseSearch>

/** The same from an address that anybody may have typed. */
export const exploreSearch = z.object({
  search: search.default(''),
  category: category.catch('All').default('All'),
  price: price.catch('all').default('all'),
  sort: sort.optional().catch(undefined),
  show: show.catch(pageSize).default(pageSize),
})

export const courseList = z.object({
  courses: z.array(courseCard),
  hasMore: z.boolean(),
  /** What costs something can be bought now, as far as we know. */
  canPay: z.boolean(),
})
