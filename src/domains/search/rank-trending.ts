import type { Pool } from 'pg'

/** A day's order for all at once: who is paging sees the old or the new one. */
export async function rankTrending({ pool }: { pool: Pool }): Promise<void> {
  await pool.query(`
    update trending_courses t
       set score = trending_score(c.id, c.students_count, (now() at time zone 'UTC')::date)
      from courses c where c.id = t.course_id`)
}
