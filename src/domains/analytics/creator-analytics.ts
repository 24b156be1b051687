import type { Pool } from 'pg'
import { isPro } from '../billing/plan.ts'
import { thumbnailUrls } from '../courses/rules.ts'
import { firstOfLast } from './counted-days.ts'
import type { CreatorAnalytics } from './schema.ts'

/** Courses that are listed. */
const most = 200

type Row = Omit<CreatorAnalytics, 'currency' | 'courses'> & {
  courses: (Omit<CreatorAnalytics['courses'][number], 'thumbnailUrl'> & {
    thumbnailId: string | null
  })[]
}

/** One statement, so that its figures are of one moment. `$1` the creator, `$2` the last days or null. */
const text = `
  with own as (
    select c.*,
           (case when $2::int is null then c.students_count
                 else (select coalesce(sum(d.students_count), 0) from course_days d
                        where d.course_id = c.id and d.day >= ${firstOfLast('$2')})
                    + (select coalesce(sum(x.amount), 0) from course_day_changes x
                        where x.course_id = c.id and x.metric = 'students'
                          and x.day >= ${firstOfLast('$2')}) end)::int as joined
      from courses c where c.instructor_id = $1
  ), earned as (
    select e.course_id, sum(e.gross - e.refunded - e.disputed) as revenue
      from ledger_accounts a
      join earning_days e on e.account_id = a.id and e.currency = 'usd'
       and e.day >= ${firstOfLast('$2')}
     where a.user_id = $1 group by e.course_id
  ), ranked as (
    select own.*, coalesce(e.revenue, 0) as revenue,
           row_number() over (order by coalesce(e.revenue, 0) desc, own.joined desc, own.title, own.id) as place
      from own left join earned e on e.course_id = own.id
  )
  select coalesce(sum(r.joined), 0)::int as "students",
         (select coalesce(sum(revenue), 0) from earned)::float8 as "revenue",
         (count(*) filter (where r.status = 'published'))::int as "activeCourses",
         (avg(r.rating) filter (where r.reviews_count > 0))::float8 as "averageRating",
         (select coalesce(sum(e.revenue), 0) from earned e
           where not exists (select from own where own.id = e.course_id))::float8 as "otherRevenue",
         (count(*) filter (where r.place > ${most}))::int as "moreCourses",
         ${isPro('$1')} as "isPro",
         coalesce(json_agg(json_build_object(
           'id', r.id, 'slug', r.slug, 'title', r.title, 'thumbnailId', r.thumbnail_id,
           'category', r.category, 'status', r.status, 'pricingType', r.pricing_type,
           'priceAmount', r.price_amount, 'students', r.joined, 'rating', r.rating,
           'reviewsCount', r.reviews_count, 'revenue', r.revenue) order by r.place)
           filter (where r.place <= ${most}), '[]') as "courses"
    from ranked r`

/** How this person's courses are doing; `days` null means from the beginning. */
export async function creatorAnalytics(
  pool: Pool,
  userId: string,
  days: number | null,
): Promise<CreatorAnalytics> {
  const query = { name: 'creator-analytics', text, values: [userId, days] }
  const { courses, ...sums } = (await pool.query<Row>(query)).rows[0]!
  return {
    ...sums,
    currency: 'usd',
    courses: courses.map(({ thumbnailId, ...course }) => ({
      ...course,
      thumbnailUrl: thumbnailId === null ? null : thumbnailUrls(thumbnailId).small,
    })),
  }
}
