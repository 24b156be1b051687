// People of every kind around two courses, who look at what the others made.
import type { Services } from '../../src/server/services.ts'
import { joinCourse, makePerson, sessionCookieOf } from '../factories.ts'
import { makeTarget } from '../make-target.ts'
import { makeWholePerson } from '../whole-person.ts'
import { audiences } from './audiences.ts'
import type { Canary } from './canaries.ts'

export interface Reader {
  name: string
  id: string | null
  cookie: string
  isAdministrator?: boolean
  /** By id, the courses that they made and those that they are members of. */
  made: string[]
  joined: string[]
}

async function makeReader(services: Services, name: string): Promise<Reader & { id: string }> {
  const { id } = await makePerson(services, { name })
  return { name, id, cookie: await sessionCookieOf(services, id), made: [], joined: [] }
}

/**
 * A stranger, an outsider, a member of each course, their creators and an administrator; one of them has a row in
 * every table that can say something about a person.
 */
export async function makeReaders(services: Services) {
  const teacher = await makeReader(services, 'teacher')
  const member = await makeReader(services, 'member')
  const classmate = await makeReader(services, 'classmate')
  const outsider = await makeReader(services, 'outsider')
  const administrator = await makeReader(services, 'administrator')
  const whole = await makeWholePerson(services, 'whole', { teacher, member })
  const { shared, alone, joined } = whole
  await joinCourse(services, classmate, joined)
  await services.pool.query(`update users set role = 'admin' where id = $1`, [administrator.id])
  const stranger: Reader = { name: 'stranger', id: null, cookie: '', made: [], joined: [] }
  const readers: Reader[] = [
    stranger,
    outsider,
    { ...member, joined: [shared.id] },
    { ...classmate, joined: [joined.id] },
    { ...teacher, made: [joined.id] },
    {
      name: 'whole',
      id: whole.id,
      cookie: whole.cookie,
      made: [shared.id, alone.id],
      joined: [joined.id],
    },
    { ...administrator, isAdministrator: true },
  ]
  const targets = [await makeTarget(services, shared), await makeTarget(services, joined)]
  return { readers, targets }
}

/** Whether the column's audience is this person, for this row. */
export function mayRead(reader: Reader, { column, courseId, people }: Canary): boolean {
  const makes = courseId !== null && reader.made.includes(courseId)
  const isMember = courseId !== null && reader.joined.includes(courseId)
  return (audiences[column] ?? []).some((audience) => {
    switch (audience) {
      case 'all':
        return true
      case 'signedIn':
        return reader.id !== null
      case 'own':
        return reader.id !== null && people.includes(reader.id)
      case 'creator':
        return makes
      case 'moderators':
        return makes || reader.isAdministrator
      case 'learners':
        return makes || isMember || reader.isAdministrator
      case 'administrators':
        return reader.isAdministrator
    }
  })
}
