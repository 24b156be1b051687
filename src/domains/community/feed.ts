import type { Pool } from 'pg'
import type { Config } from '../../server/config.ts'
import type { Viewer } from '../../server/viewer.ts'
import { isPro } from '../billing/plan.ts'
import type { CourseAccess } from '../courses/access.ts'
import { feedCursor, type FeedPlace } from './feed-cursor.ts'
import { postJson, type PostRow, presentPost } from './post-query.ts'
import { communityLimits, postsPerPage, type Sort } from './rules.ts'
import type { Channel, CommunityRights } from './schema.ts'

interface Asked {
  sort: Sort
  channelId?: string
  place: FeedPlace | null
}

/** The indexes are "nulls last", so the order must say it too, or they would not be used. */
const down = (columns: string[]) => columns.map((column) => `p.${column} desc nulls last`).join()
/** The same order from its other end. */
const up = (columns: string[]) => columns.map((column) => `p.${column} asc nulls first`).join()

const byTime = ['created_at', 'id']
const byLikes = ['likes_count', 'created_at', 'id']
const orders: Record<Sort, { columns: string[]; order: string; beyond: '<' | '>' }> = {
  newest: { columns: byTime, order: down(byTime), beyond: '<' },
  helpful: { columns: byTime, order: down(byTime), beyond: '<' },
  oldest: { columns: byTime, order: up(byTime), beyond: '>' },
  highest: { columns: byLikes, order: down(byLikes), beyond: '<' },
  lowest: { columns: byLikes, order: up(byLikes), beyond: '>' },
}

const placeParts: Record<string, string> = {
  likes_count: '$4::int',
  created_at: `timestamptz 'epoch' + $5::bigint * interval '1 microsecond'`,
  id: '$6::uuid',
}

/**
 * $1 viewer, $2 course, $3 channel or null, $4 to $6 the place, $7 whether an administrator. What is pinned stands on the first page
 * only, and there are few of those: to skip them costs nothing, however long the feed is.
 */
function statement({ sort, channelId, place }: Asked) {
  const { columns, order, beyond } = orders[sort]
  const shown = `p.status = 'published'`
  const channel = `(select id from community_channels where id = $3 and course_id = $2)`
  const inChannel = channelId === undefined ? 'true' : `p.channel_id = ${channel}`
  // Not the course as well: the index of the channel has the posts in this order.
  const inPart = channelId === undefined ? 'p.course_id = $2' : inChannel
  const after = place
    ? `and (${columns.map((column) => `p.${column}`).join()})
           ${beyond} (${columns.map((column) => placeParts[column]).join()})`
    : ''
  const pinned = `
    select p.id, 0 as part, row_number() over (order by p.pinned_at desc nulls last, p.id) as place
      from posts p where ${shown} and p.course_id = $2 and ${inChannel} and p.is_pinned`
  const page = `
    select id, 1 as part, row_number() over () as place
      from (select p.id from posts p where ${shown} and ${inPart} and not p.is_pinned ${after}
             order by ${order} limit ${postsPerPage + 1}) listed`
  return {
    name: `feed ${sort === 'helpful' ? 'newest' : sort} ${channelId !== undefined} ${place !== null}`,
    text: `
      with viewer as (select $1::uuid as id),
      asked as (select $3::uuid, $4::int, $5::bigint, $6::uuid),
      listed as materialized (${place ? page : `${pinned} union all ${page}`})
      select c.title,
             ${isPro('c.instructor_id')} as "hasAdvanced",
             (select count(*)::int
                from (select about_instructor from moderation_cases
                       where course_id = c.id and status = 'open' limit 100) m
               where not about_instructor or c.instructor_id <> $1 or $7::boolean) as "openCases",
             coalesce((select json_agg(json_build_object('id', h.id, 'name', h.name)
                                       order by h.order_index, h.id)
                         from community_channels h where h.course_id = c.id), '[]') as channels,
             coalesce((select json_agg(json_build_object(
                                'isPinned', l.part = 0,
                                'at', (extract(epoch from p.created_at) * 1000000)::bigint::text,
                                'post', ${postJson})
                                order by l.part, l.place)
                         from listed l join posts p on p.id = l.id), '[]') as posts
        from courses c where c.id = $2`,
  }
}

interface Row {
  title: string
  hasAdvanced: boolean
  openCases: number
  channels: Channel[]
  posts: { isPinned: boolean; at: string; post: PostRow }[]
}

/** A page of a community with all that stands around it, in one statement; null when the course is gone. */
export async function feedOf(
  { pool, secret, config }: { pool: Pool; secret: string; config: Pick<Config, 'videoMaxMb'> },
  { viewer, course, ...asked }: Asked & { viewer: Viewer; course: CourseAccess },
) {
  const { courseId, slug, instructorId, standing, canEdit, canModerate } = course
  const { channelId, place } = asked
  const { rows } = await pool.query<Row>({
    ...statement(asked),
    values: [
      viewer.id,
      courseId,
      channelId ?? null,
      place?.likes ?? null,
      place?.at ?? null,
      place?.id ?? null,
      viewer.role === 'admin',
    ],
  })
  const row = rows[0]
  if (!row) return null
  const rights: CommunityRights = {
    canPost: standing === 'member' || standing === 'instructor',
    canManage: canEdit,
    canModerate,
    hasAdvanced: row.hasAdvanced,
    openCases: canModerate ? row.openCases : null,
  }
  const reader = { viewerId: viewer.id, instructorId, secret }
  const pinned = row.posts.filter(({ isPinned }) => isPinned).slice(0, communityLimits.pinned)
  const listed = row.posts.filter(({ isPinned }) => !isPinned)
  const page = listed.slice(0, postsPerPage)
  const last = listed.length > page.length ? page.at(-1) : undefined
  return {
    course: { id: courseId, slug, title: row.title },
    rights,
    channels: row.channels,
    videoMaxMb: config.videoMaxMb,
    posts: [...pinned, ...page].map(({ post }) => presentPost(post, reader)),
    nextCursor: last
      ? feedCursor({ likes: last.post.likesCount, at: last.at, id: last.post.id })
      : null,
  }
}
