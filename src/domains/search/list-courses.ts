import type { Pool } from 'pg'
import { cardColumns, cardOf, type CardRow } from '../courses/queries.ts'
import { pageSize } from '../courses/schema.ts'
import { orderedCourses } from './catalogue-order.ts'
import { findCourses } from './find-courses.ts'
import { prepared } from './prepared.ts'
import type { CourseSearch } from './schema.ts'

const withInstructor = 'join courses c on c.id = f.id join users u on u.id = c.instructor_id'

type Values = Record<string, unknown>

/** From where the shown courses come, one more than asked for, in order; `c` is the course, `u` its instructor. */
async function shown(pool: Pool, search: CourseSearch): Promise<{ rest: string; values: Values }> {
  if (search.search !== '') {
    const ids = await findCourses(pool, search)
    const rest = `from unnest({ids}::uuid[]) with ordinality f(id, place) ${withInstructor}
                  where c.status = 'published' order by f.place`
    return { rest, values: { ids } }
  }
  // Written out for the first page, whose plan can then be kept: with a parameter it is made each time.
  const limit = search.show === pageSize ? String(pageSize + 1) : '{limit}'
  const source = orderedCourses(search.sort ?? 'newest', search, limit)
  const rest = `from (select id, row_number() over () as place from (${source}) s) f ${withInstructor} order by f.place`
  return { rest, values: { category: search.category, limit: search.show + 1 } }
}

/** Null as long as the payment provider was never asked. */
const canPay = '(select is_reachable from payment_provider)'

/** For a page without a course, on which there is no row to tell it. */
async function canPayAnyway(pool: Pool): Promise<boolean | null> {
  const { rows } = await pool.query<{ canPay: boolean | null }>(`select ${canPay} as "canPay"`)
  return rows[0]!.canPay
}

/** The cards of the catalogue that a search shows. */
export async function listCourses(pool: Pool, search: CourseSearch) {
  const { rest, values } = await shown(pool, search)
  const { rows } = await pool.query<CardRow & { canPay: boolean | null }>(
    prepared(`select ${cardColumns}, ${canPay} as "canPay" ${rest}`, values),
  )
  return {
    courses: rows.slice(0, search.show).map(cardOf),
    hasMore: rows.length > search.show,
    canPay: (rows[0] ? rows[0].canPay : await canPayAnyway(pool)) ?? true,
  }
}

/**
 * Names everything that the catalogue page shows: its cards with their versions, whether there are more, and
 * whether people can pay.
 */
export async function cataloguePageVersion(pool: Pool, search: CourseSearch): Promise<string> {
  const { rest, values } = await shown(pool, search)
  const { rows } = await pool.query<[string, string, string, boolean | null]>({
    ...prepared(`select c.id, c.version, u.version, ${canPay} ${rest}`, values),
    rowMode: 'array',
  })
  if (rows.length === 0) return `none ${await canPayAnyway(pool)}`
  return `${rows.slice(0, search.show).join(' ')}${rows.length > search.show ? ' more' : ''}`
}
