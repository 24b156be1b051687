import { sql } from 'drizzle-orm'
import type { Transaction } from '../../server/db.ts'

/**
 * Counts the reviews of courses anew, with their mean, after any change of them; kept pages notice by it.
 * The caller holds the courses' locks, which makes it exact.
 */
export async function recountReviews(transaction: Transaction, courseIds: string[]): Promise<void> {
  if (courseIds.length === 0) return
  // Cut after two decimals: rounded to one decimal later, 4.2477 must become 4.2, not 4.3 by way of 4.25.
  await transaction.execute(sql`
    update courses set reviews_count = counted.total, rating = counted.mean
      from (select c.id, count(r.id)::int as total, coalesce(trunc(avg(r.rating), 2), 0) as mean
              from courses c left join course_reviews r on r.course_id = c.id
             where c.id = any (${sql.param(courseIds)}::uuid[])
             group by c.id) counted
     where courses.id = counted.id`)
}
