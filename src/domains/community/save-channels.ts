import { eq, sql } from 'drizzle-orm'
import type { Transaction } from '../../server/db.ts'
import { publishToCourse } from '../../server/publish.ts'
import { planOf } from '../billing/plan.ts'
import { courses } from '../courses/tables.ts'
import { communityLimits as limits } from './rules.ts'
import type { Channel } from './schema.ts'
import { communityChannels as channels } from './tables.ts'

interface Saving {
  courseId: string
  instructorId: string
  list: { id?: string; name: string }[]
  /** Those that were there when the list was begun. Left out, all of them. */
  known: string[] | undefined
}

/** Equal to the eye, or to the database's index. */
const asRead = (name: string) => name.normalize('NFKC').toLowerCase()

/**
 * Makes these the channels of a course. One that is known by its id keeps it, and its posts; one that went
 * meanwhile, or belongs to another course, comes back as a new one; one that came meanwhile stays, behind the
 * list, or where the list asks for a new one of that name. Without Pro what is there can still be ordered and removed.
 */
export async function saveChannels(
  transaction: Transaction,
  { courseId, instructorId, list, known }: Saving,
): Promise<Channel[] | 'gone' | 'no pro' | 'too many' | 'same name'> {
  // Two who save at once wait in line.
  const [course] = await transaction
    .select({ instructorId: courses.instructorId })
    .from(courses)
    .where(eq(courses.id, courseId))
    .for('no key update')
  if (course?.instructorId !== instructorId) return 'gone'
  const before = await channelsOf(transaction, courseId)
  const names = new Map(before.map(({ id, name }) => [id, name]))
  const free = new Set(names.keys())
  // Named twice in a list, the first one is meant.
  const listed = list.map(({ id, name }) => ({
    id: id !== undefined && free.delete(id) ? id : null,
    name,
  }))
  const isUnknown = ({ id }: Channel) => free.has(id) && known?.includes(id) === false
  // The answer to this very list may have been lost: what it asks for is there by now.
  const meant = listed.map(({ id, name }) => {
    const there = id ?? before.find((one) => one.name === name && isUnknown(one))?.id ?? null
    if (there !== null) free.delete(there)
    return { id: there, name }
  })
  const items = [...meant, ...before.filter(isUnknown)].map((item, index) => ({
    ...item,
    orderIndex: index + 1,
  }))
  if (items.length > limits.channels) return 'too many'
  const isNews = items.some(({ id, name }) => id === null || names.get(id) !== name)
  if (isNews && (await planOf(transaction, instructorId)) !== 'pro') return 'no pro'
  const rows = sql`jsonb_to_recordset(${JSON.stringify(items)}::jsonb)
                     as x("id" uuid, "name" text, "orderIndex" int)`
  const { rows: twice } = await transaction.execute(sql`
    select 1 from ${rows} group by lower(x."name") having count(*) > 1`)
  if (twice.length > 0 || new Set(items.map(({ name }) => asRead(name))).size < items.length) {
    return 'same name'
  }
  await transaction.execute(sql`
    delete from community_channels c where c.course_id = ${courseId}
       and not exists (select 1 from ${rows} where x."id" = c.id)`)
  // Two that swap their names meet the index row by row. No name that somebody gives begins a line.
  await transaction.execute(sql`
    update community_channels set name = E'\n' || id where course_id = ${courseId}`)
  await transaction.execute(sql`
    insert into community_channels as c (id, course_id, name, order_index)
    select coalesce(x."id", uuidv7()), ${courseId}, x."name", x."orderIndex" from ${rows}
    on conflict (id) do update set name = excluded.name, order_index = excluded.order_index
     where c.course_id = excluded.course_id`)
  await publishToCourse(transaction, courseId, { type: 'channels', courseId })
  return channelsOf(transaction, courseId)
}

const channelsOf = (transaction: Transaction, courseId: string): Promise<Channel[]> =>
  transaction
    .select({ id: channels.id, name: channels.name })
    .from(channels)
    .where(eq(channels.courseId, courseId))
    .orderBy(channels.orderIndex, channels.id)
