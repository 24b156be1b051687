import type { Pool } from 'pg'
import { pageCursor, readPageCursor } from '../../server/page-place.ts'
import type { Audience } from './announcement-rules.ts'
import { perPage } from './rules.ts'

interface AnnouncementRow {
  id: string
  title: string
  message: string
  href: string | null
  audience: Audience
  announcedBy: { id: string; name: string } | null
  createdAt: Date
  toldCount: number
  people: number
  finishedAt: Date | null
  time: string
}

/** Newest first; null for a place that is none. How many were expected to be told stands in the log. */
export async function announcementsOf(pool: Pool, cursor: string | undefined) {
  const place = cursor === undefined ? undefined : readPageCursor(cursor)
  if (place === null) return null
  const { rows } = await pool.query<AnnouncementRow>(
    `select a.id, a.title, a.message, nullif(a.href, '') as href, a.audience,
            a.created_at as "createdAt", a.told_count as "toldCount",
            a.finished_at as "finishedAt",
            case when u.id is not null
                 then json_build_object('id', u.id, 'name', u.name) end as "announcedBy",
            coalesce((select (act.details->>'people')::int from administrative_acts act
                       where act.subject_kind = 'announcement' and act.subject_id = a.id::text
                       limit 1), a.told_count) as people,
            (extract(epoch from a.created_at) * 1000000)::bigint::text as time
       from announcements a left join users u on u.id = a.announced_by
      ${
        place
          ? `where (a.created_at, a.id)
                 < (timestamptz 'epoch' + $1::bigint * interval '1 microsecond', $2::uuid)`
          : ''
      }
      order by a.created_at desc nulls last, a.id desc nulls last limit ${perPage + 1}`,
    place ? [place.time, place.id] : [],
  )
  const announcements = rows.slice(0, perPage)
  const last = rows.length > perPage ? announcements.at(-1) : undefined
  return { announcements, nextCursor: last ? pageCursor(last) : null }
}
