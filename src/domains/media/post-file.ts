import { sql } from 'drizzle-orm'
import type { Db } from '../../server/db.ts'
import type { Viewer } from '../../server/viewer.ts'
import type { CourseAccess } from '../courses/access.ts'

/**
 * Whether this person, who may read the community of this course, may have this file of a post now: what a
 * published post shows, what a hidden one shows if they moderate, what a scheduled one of theirs shows; what stands
 * in none if it is theirs.
 */
export async function mayHavePostFile(
  db: Db,
  viewer: Viewer,
  course: CourseAccess,
  mediaId: string,
): Promise<boolean> {
  if (!course.canLearn) return false
  const { rows } = await db.execute(sql`
    select 1 from media_files m
      left join post_attachments a on a.media_id = m.id
      left join posts p on p.id = a.post_id
     where m.id = ${mediaId} and m.course_id = ${course.courseId} and m.status = 'ready'
       and m.purpose in ('post_image', 'post_video')
       and case when p.id is null then m.owner_id = ${viewer.id}
                else p.status = 'published'
                     or (${course.canModerate} and (p.status = 'hidden' or p.user_id = ${viewer.id})) end`)
  return rows.length > 0
}
