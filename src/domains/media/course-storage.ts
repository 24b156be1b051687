import { sql } from 'drizzle-orm'
import type { Executor } from '../../server/db.ts'

/** What the videos of a course, also those of its discussion, take on the disk: as uploaded, and what was made of it. */
export async function storageOfCourse(
  executor: Executor,
  courseId: string,
): Promise<{ bytes: number; files: number }> {
  const { rows } = await executor.execute<{ bytes: number; files: number }>(sql`
    select coalesce(sum(m.size_bytes + coalesce(p.size_bytes, 0)), 0)::float8 as "bytes",
           count(*)::int as "files"
      from media_files m left join video_processings p on p.media_id = m.id
     where m.course_id = ${courseId} and m.purpose in ('video', 'post_video') and m.status = 'ready'`)
  return rows[0]!
}
