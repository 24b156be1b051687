// All that is read about reviews. Prepared statements: a course's page asks the first ones.
import type { Pool } from 'pg'
import { shownUsername } from '../accounts/shown-username.ts'
import { thumbnailUrls } from '../courses/rules.ts'
import { pagesOf } from './rules.ts'
import type { CourseReview, CourseReviews, ProfileReview, ReviewSearch } from './schema.ts'

const reviewColumns = `
  r.id, r.rating, r.review_text as "reviewText", r.created_at as "createdAt",
  r.edited_at is not null as "edited"`

/** The index is "nulls last", so the order must say it too, or it would not be used. */
const newestFirst = 'order by r.created_at desc nulls last, r.id desc nulls last'

// One course ------------------------------------------------------------------------------------

/** The facts of a course beside its reviews; null when the course is gone. */
export async function reviewStats(pool: Pool, courseId: string) {
  const { rows } = await pool.query<
    CourseReviews['course'] & { total: number; average: number; byStars: number[] }
  >({
    name: 'review-stats',
    text: `select c.id, c.slug, c.title, c.status, u.name as "instructorName",
                  c.reviews_count as "total", c.rating::float8 as "average",
                  array(select count(r.id)::int from generate_series(1, 5) stars
                          left join course_reviews r on r.course_id = c.id and r.rating = stars
                         group by stars order by stars) as "byStars"
             from courses c join users u on u.id = c.instructor_id where c.id = $1`,
    values: [courseId],
  })
  const row = rows[0]
  if (!row) return null
  const { total, average, byStars, ...course } = row
  return { course, stats: { total, average, byStars } }
}

type ReviewRow = Omit<CourseReview, 'author' | 'answer' | 'createdAt'> & {
  createdAt: Date
  answer: string | null
  answeredAt: Date
}

function withAnswer<Row extends ReviewRow>({ answer, answeredAt, ...review }: Row) {
  return { ...review, answer: answer === null ? null : { text: answer, answeredAt } }
}

interface AuthoredRow extends ReviewRow {
  isMember: boolean
  name: string
  username: string | null
  avatarUrl: string | null
}

/** A page of a course's reviews. A page past the end is the last one. */
export async function reviewsOf(pool: Pool, courseId: string, total: number, search: ReviewSearch) {
  const { perPage } = search
  const pages = pagesOf(total, perPage)
  const page = Math.min(search.page, pages)
  const { rows } = await pool.query<AuthoredRow>({
    name: 'reviews-of-course',
    text: `select ${reviewColumns}, r.answer, r.answered_at as "answeredAt",
                  exists (select 1 from enrollments e
                           where e.user_id = r.user_id and e.course_id = r.course_id) as "isMember",
                  u.name, u.avatar_url as "avatarUrl",
                  ${shownUsername('u')} as username
             from course_reviews r join users u on u.id = r.user_id
            where r.course_id = $1
            ${newestFirst} limit $2 offset $3`,
    values: [courseId, perPage, (page - 1) * perPage],
  })
  const reviews = rows.map(({ isMember, name, username, avatarUrl, ...row }) => ({
    ...withAnswer(row),
    author: isMember ? { name, username, avatarUrl } : null,
  }))
  return { reviews, page, pages }
}

/** On which page of its course a review stands; null when it is gone. */
export async function pageOfReview(
  pool: Pool,
  courseId: string,
  reviewId: string,
  perPage: number,
): Promise<number | null> {
  const { rows } = await pool.query<{ newer: number }>({
    name: 'page-of-review',
    text: `select (select count(*)::int from course_reviews n
                    where n.course_id = r.course_id and (n.created_at, n.id) > (r.created_at, r.id)) as newer
             from course_reviews r where r.course_id = $1 and r.id = $2`,
    values: [courseId, reviewId],
  })
  return rows[0] ? Math.floor(rows[0].newer / perPage) + 1 : null
}

/** What this person wrote about the course. */
export async function reviewBy(pool: Pool, courseId: string, userId: string) {
  const { rows } = await pool.query<ReviewRow>({
    name: 'review-by',
    text: `select ${reviewColumns}, r.answer, r.answered_at as "answeredAt"
             from course_reviews r where r.course_id = $1 and r.user_id = $2`,
    values: [courseId, userId],
  })
  return rows[0] ? withAnswer(rows[0]) : null
}

/**
 * Names everything that the page of a course's reviews shows to a signed-out visitor. Null when there is
 * nothing to keep, as with `coursePageVersion`. Whatever happens to a review, or to a membership, raises
 * the course's version; that writers change their names and pictures does not.
 */
export async function reviewsPageVersion(
  pool: Pool,
  slug: string,
  search: ReviewSearch,
): Promise<string | null> {
  if (!/^[a-z0-9-]+$/.test(slug)) return null
  const { rows } = await pool.query<[string, string, string, string[]]>({
    name: 'reviews-version',
    text: `select c.id, c.version, u.version, ${writersVersions('$2', '$3')}
             from courses c join users u on u.id = c.instructor_id
            where c.slug = $1 and c.status = 'published'`,
    values: [slug, search.perPage, search.page],
    rowMode: 'array',
  })
  return rows[0]?.join() ?? null
}

/** SQL: the versions of those who wrote the reviews on a page of `courses c`. */
export function writersVersions(perPage: string, page: string): string {
  const lastPage = `(c.reviews_count - 1) / ${perPage}::int`
  return `array(select w.version from course_reviews r join users w on w.id = r.user_id
                 where r.course_id = c.id
                 ${newestFirst} limit ${perPage}::int
                 offset greatest(0, least(${page}::int - 1, ${lastPage})) * ${perPage}::int)`
}

// Somebody's public profile ------------------------------------------------------------------------

// Of courses that they have left nothing: a review is shown without its writer's name then.
const ofPublished = `from course_reviews r join courses c on c.id = r.course_id
  where r.user_id = $1 and c.status = 'published'
    and exists (select 1 from enrollments e where e.user_id = $1 and e.course_id = r.course_id)
  ${newestFirst} limit $2`

type ProfileRow = Omit<ProfileReview, 'course' | 'createdAt'> & {
  createdAt: Date
  courseId: string
  slug: string
  title: string
  category: string
  thumbnailId: string | null
}

/** What this person wrote about published courses that they are in, newest first, and whether there is more. */
export async function profileReviews(pool: Pool, userId: string, show: number) {
  const { rows } = await pool.query<ProfileRow>({
    name: 'profile-reviews',
    text: `select ${reviewColumns}, c.id as "courseId", c.slug, c.title, c.category,
                  c.thumbnail_id as "thumbnailId" ${ofPublished}`,
    values: [userId, show + 1],
  })
  const reviews = rows
    .slice(0, show)
    .map(({ courseId, slug, title, category, thumbnailId, ...row }) => ({
      ...row,
      course: {
        id: courseId,
        slug,
        title,
        category,
        thumbnail: thumbnailId === null ? null : thumbnailUrls(thumbnailId),
      },
    }))
  return { reviews, hasMore: rows.length > show }
}

/** Names all that the reviews tab of the profile shows; a review's change raises its course's version. */
export async function profileReviewsVersion(
  pool: Pool,
  userId: string,
  show: number,
): Promise<string> {
  const { rows } = await pool.query<[string, string]>({
    name: 'profile-reviews-version',
    text: `select r.id, c.version ${ofPublished}`,
    values: [userId, show + 1],
    rowMode: 'array',
  })
  return rows.join()
}
