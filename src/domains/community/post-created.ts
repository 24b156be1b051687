import { type SQL, sql } from 'drizzle-orm'
import { keepingEvent } from '../webhooks/keep-event.ts'

/** What programs of the creator are told of a new post, as parts of a WITH. */
export const postCreated = (post: { postId: string; courseId: string; userId: string }): SQL =>
  keepingEvent({
    type: 'post.created',
    courseId: post.courseId,
    personId: post.userId,
    more: sql`
      select jsonb_build_object('post', jsonb_build_object(
               'id', x.id, 'content', x.content, 'isAnnouncement', x.is_announcement))
        from posts x where x.id = ${post.postId}::uuid`,
  })
