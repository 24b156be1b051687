// The catalogue in each of its orders, read from an index that has exactly this order.
import type { CourseSearch, Price, Sort } from './schema.ts'

export type Filters = Pick<CourseSearch, 'category' | 'price'>

interface Order {
  /** To the letter what the index says, or it would not be used. */
  by: string
  from: string
  /** The conditions that, each for itself, make this price filter: what they find is merged. */
  parts: Record<Price, (string | null)[]>
}

const published = `select id, category, price_amount, published_at, students_count from courses where status = 'published'`
const free = 'least(price_amount, 1) = 0'
const paid = 'least(price_amount, 1) = 1'
const inPriceOrder = { all: [null], free: ['price_amount = 0'], paid: ['price_amount > 0'] }

export const catalogueOrders: Record<Sort, Order> = {
  newest: {
    by: 'published_at desc nulls last, id desc nulls last',
    from: published,
    parts: { all: [null], free: [free], paid: [paid] },
  },
  popular: {
    by: 'students_count desc nulls last, id desc nulls last',
    from: published,
    parts: { all: [free, paid], free: [free], paid: [paid] },
  },
  trending: {
    by: 'score desc nulls last, id desc nulls last',
    from: `select course_id as id, category, price_class, score from trending_courses where true`,
    parts: {
      all: ['price_class = 0', 'price_class = 1'],
      free: ['price_class = 0'],
      paid: ['price_class = 1'],
    },
  },
  // Among equal prices the newest first; from high to low it is the same list from its other end.
  price_low: {
    by: 'price_amount, published_at desc nulls last, id desc nulls last',
    from: published,
    parts: inPriceOrder,
  },
  price_high: {
    by: 'price_amount desc nulls first, published_at nulls first, id nulls first',
    from: published,
    parts: inPriceOrder,
  },
}

/** Ids and what they are ordered by, in order: a statement with `{category}`. */
export function orderedCourses(sort: Sort, filters: Filters, limit: string): string {
  const { from, by, parts } = catalogueOrders[sort]
  const inCategory = filters.category === 'All' ? '' : ' and category = {category}'
  const selects = parts[filters.price].map(
    (part) =>
      `${from}${inCategory}${part === null ? '' : ` and ${part}`} order by ${by} limit ${limit}`,
  )
  if (selects.length === 1) return selects[0]!
  // Each part has its own limit: without it, all that both parts find would be sorted.
  const merged = selects.map((select) => `(${select})`).join(' union all ')
  return `select * from (${merged}) merged order by ${by} limit ${limit}`
}
