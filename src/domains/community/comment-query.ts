// The comments of a post as a viewer reads them: one statement for each page, whatever it has to say.
import type { Executor } from '../../server/db.ts'
import { queryPrepared } from '../../server/execute-prepared.ts'
import { shownUsername } from '../accounts/shown-username.ts'
import { commentsPerPage, firstReplies } from './rules.ts'
import type { Author, CommentPage, Mention, Thread } from './schema.ts'

/** Who reads, and in which course. */
interface Reading {
  courseId: string
  instructorId: string
  viewerId: string
  canModerate: boolean
}

type Dated<Of> = Omit<Of, 'createdAt' | 'updatedAt'> & { createdAt: Date; updatedAt: Date }
type CommentAnswer = Dated<Omit<Thread, 'repliesCount' | 'replies' | 'nextReplies' | 'linkedReply'>>
type ThreadAnswer = CommentAnswer & {
  repliesCount: number
  replies: CommentAnswer[]
  nextReplies: string | null
  linkedReply: CommentAnswer | null
}
type PageAnswer = Omit<CommentPage, 'threads' | 'linked'> & {
  threads: ThreadAnswer[]
  linked: ThreadAnswer | null
}

interface CommentRow extends Omit<
  CommentAnswer,
  'author' | 'mentions' | 'isOwn' | 'createdAt' | 'updatedAt'
> {
  createdAt: string
  updatedAt: string
  userId: string | null
  repliesCount: number
  name: string | null
  username: string | null
  avatarUrl: string | null
  verified: boolean | null
  mentions: Mention[] | null
  /** Microseconds since 1970. */
  at: string
}

/** What was deleted or hidden keeps its place as long as something below it is shown. */
const isShownThread = (c: string) => `(${c}.status = 'published' or ${c}.replies_count > 0)`
const isShownReply = (r: string) => `(${r}.status = 'published' or exists (
  select 1 from comments below
   where below.parent_id = ${r}.id
     and (below.status <> 'hidden'
          or exists (select 1 from comments lower where lower.parent_id = below.id))))`

const isAfter = (c: string, at: string, id: string) => `(${c}.created_at, ${c}.id)
  > (timestamptz 'epoch' + ${at}::bigint * interval '1 microsecond', ${id}::uuid)`

/** Of `listed (id)`, for the viewer `$4`; an empty list is a row without an id. */
const columns = `
  c.id, c.post_id as "postId", c.parent_id as "parentId", c.thread_id as "threadId",
  c.user_id as "userId", c.content, c.status, c.likes_count as "likesCount",
  c.replies_count as "repliesCount", c.created_at as "createdAt", c.updated_at as "updatedAt",
  (extract(epoch from c.created_at) * 1000000)::bigint::text as "at",
  u.name, ${shownUsername('u')} as "username", u.avatar_url as "avatarUrl", u.verified, liked.user_id is not null as "liked",
  (select json_agg(json_build_object('handle', m.handle, 'name', p.name, 'username', ${shownUsername('p')})
                   order by m.handle)
     from comment_mentions m join users p on p.id = m.user_id
    where m.comment_id = c.id) as "mentions"`
const joins = `
  left join listed on true
  left join comments c on c.id = listed.id
  left join users u on u.id = c.user_id
  left join comment_likes liked on liked.comment_id = c.id and liked.user_id = $4`
const oldestFirst = 'order by c.created_at, c.id'

const start = ['0', '00000000-0000-0000-0000-000000000000']
const placeIn = (cursor: string | undefined) => cursor?.split('_') ?? start
const cursorAfter = ({ at, id }: CommentRow) => `${at}_${id}`

function present(
  row: CommentRow,
  { viewerId, instructorId }: Pick<Reading, 'viewerId' | 'instructorId'>,
): CommentAnswer {
  const { id, postId, parentId, threadId, status, likesCount, liked } = row
  const times = { createdAt: new Date(row.createdAt), updatedAt: new Date(row.updatedAt) }
  const place = { id, postId, parentId, threadId, status, ...times }
  if (status !== 'published' || row.userId === null) {
    const nothing = { author: null, content: '', mentions: [], isOwn: false }
    return { ...place, ...nothing, likesCount: 0, liked: false }
  }
  const { name, username, avatarUrl, verified } = row as CommentRow & Author
  const isInstructor = row.userId === instructorId
  return {
    ...place,
    author: { id: row.userId, name, username, avatarUrl, verified, isInstructor },
    content: row.content,
    mentions: row.mentions ?? [],
    likesCount,
    liked,
    isOwn: row.userId === viewerId,
  }
}

/** `found`: its first replies, one more if there are more, and the one that was asked for. */
function threadOf(
  row: CommentRow,
  found: CommentRow[],
  linkedId: string | undefined,
  reading: Reading,
): ThreadAnswer {
  const first = found.slice(0, firstReplies)
  const linked = found.slice(firstReplies).find(({ id }) => id === linkedId)
  return {
    ...present(row, reading),
    repliesCount: row.repliesCount,
    replies: first.map((reply) => present(reply, reading)),
    nextReplies: found.length > first.length ? cursorAfter(first.at(-1)!) : null,
    linkedReply: linked ? present(linked, reading) : null,
  }
}

interface Asked {
  postId: string
  cursor?: string
  with?: string
  only?: string
}

/**
 * A page of threads with their first replies; null when the post is not there for the viewer. It reads at
 * most 106 comments: 21 threads, one that was asked for, four replies of each and the reply asked for.
 */
export async function commentsOf(
  executor: Executor,
  reading: Reading,
  asked: Asked,
): Promise<PageAnswer | null> {
  const { courseId, viewerId, canModerate } = reading
  const linkedId = asked.only ?? asked.with
  const [at, after] = placeIn(asked.cursor)
  const perPage = asked.only ? 0 : commentsPerPage
  // In the text: of a limit that comes as a value the planner thinks that it is a tenth of all.
  const limit = asked.only ? 0 : commentsPerPage + 1
  const { rows } = await queryPrepared<
    CommentRow & { commentsCount: number; isPaged: boolean; id: string | null }
  >(executor, {
    name: asked.only ? 'comment-of-post' : 'comments-of-post',
    text: `
      with post as (
        select id, comments_count from posts
         where id = $1 and course_id = $2 and (status = 'published' or $3)),
      paged as materialized (
        select t.id from comments t
         where t.post_id = $1 and t.thread_id is null and exists (select 1 from post)
           and ${isAfter('t', '$5', '$6')} and ${isShownThread('t')}
         order by t.created_at, t.id limit ${limit}),
      linked as materialized (
        select l.id, t.id as thread_id
          from comments l join comments t on t.id = coalesce(l.thread_id, l.id)
         where l.id = $7 and l.post_id = $1 and exists (select 1 from post)
           and ${isShownThread('t')} and (l.thread_id is null or ${isShownReply('l')})),
      threads as (select id from paged union select thread_id from linked),
      listed as (
        select id from threads
        union
        select r.id from threads cross join lateral (
          select r.id from comments r
           where r.thread_id = threads.id and ${isShownReply('r')}
           order by r.created_at, r.id limit ${firstReplies + 1}) r
        union
        select id from linked)
      select ${columns}, post.comments_count as "commentsCount",
             c.id in (select id from paged) as "isPaged"
        from post ${joins} ${oldestFirst}`,
    values: [asked.postId, courseId, canModerate, viewerId, at, after, linkedId ?? null],
  })
  const [first] = rows
  if (!first) return null
  const found = rows.filter((row) => row.id !== null)
  const roots = found.filter(({ threadId }) => threadId === null)
  const replies = Map.groupBy(found, ({ threadId }) => threadId)
  const withReplies = (root: CommentRow) =>
    threadOf(root, replies.get(root.id) ?? [], linkedId, reading)
  const paged = roots.filter(({ isPaged }) => isPaged)
  const page = paged.slice(0, perPage)
  const linkedRow = found.find(({ id }) => id === linkedId)
  const linkedRoot =
    linkedRow && roots.find(({ id }) => id === (linkedRow.threadId ?? linkedRow.id))
  return {
    threads: page.map(withReplies),
    nextCursor: paged.length > page.length ? cursorAfter(page.at(-1)!) : null,
    linked: linkedRoot && !page.includes(linkedRoot) ? withReplies(linkedRoot) : null,
    commentsCount: first.commentsCount,
  }
}

/** One comment or reply; null when it is not shown. */
export async function commentById(
  executor: Executor,
  reading: Reading,
  asked: { postId: string; commentId: string },
): Promise<CommentAnswer | null> {
  const { postId, commentId } = asked
  const { linked } = (await commentsOf(executor, reading, { postId, only: commentId })) ?? {}
  if (!linked || linked.id === commentId) return linked ?? null
  return linked.linkedReply ?? linked.replies.find(({ id }) => id === commentId) ?? null
}

/** More replies of a thread; null when it is not there for the viewer. */
export async function repliesOf(
  executor: Executor,
  reading: Reading,
  { commentId, cursor }: { commentId: string; cursor?: string },
): Promise<{ replies: CommentAnswer[]; nextCursor: string | null } | null> {
  const { courseId, viewerId, canModerate } = reading
  const [at, after] = placeIn(cursor)
  const { rows } = await queryPrepared<CommentRow & { id: string | null }>(executor, {
    name: 'replies-of-comment',
    text: `
      with thread as (
        select t.id from comments t join posts p on p.id = t.post_id
         where t.id = $1 and t.course_id = $2 and t.thread_id is null
           and (p.status = 'published' or $3) and ${isShownThread('t')}),
      listed as (
        select r.id from comments r
         where r.thread_id = $1 and exists (select 1 from thread)
           and ${isAfter('r', '$5', '$6')} and ${isShownReply('r')}
         order by r.created_at, r.id limit ${commentsPerPage + 1})
      select ${columns} from thread ${joins} ${oldestFirst}`,
    values: [commentId, courseId, canModerate, viewerId, at, after],
  })
  if (rows.length === 0) return null
  const found = rows.filter((row) => row.id !== null)
  const page = found.slice(0, commentsPerPage)
  return {
    replies: page.map((reply) => present(reply, reading)),
    nextCursor: found.length > page.length ? cursorAfter(page.at(-1)!) : null,
  }
}
