// People and a course for attacks: an owner with Pro, a member, an administrator, and one of everything.
import type { Target } from '../contract-inputs.ts'
import { joinCourse, makeCourse, makePerson, sessionCookieOf } from '../factories.ts'
import { makeTarget } from '../make-target.ts'
import type { Services } from '../../src/server/services.ts'

interface Caller {
  id: string
  cookie: string
}

export interface World {
  owner: Caller
  member: Caller
  administrator: Caller
  target: Target
}

export async function makeWorld(services: Services): Promise<World> {
  const { pool } = services
  const caller = async () => {
    const person = await makePerson(services)
    return { ...person, cookie: await sessionCookieOf(services, person.id) }
  }
  const [owner, member, administrator] = [await caller(), await caller(), await caller()]
  await pool.query(`update users set role = 'admin' where id = $1`, [administrator.id])
  await pool.query(`insert into plan_grants (user_id, reason) values ($1, 'A test')`, [owner.id])
  const course = await makeCourse(services, owner)
  const target = await makeTarget(services, course)
  // Last of all: what inputs say of "the newest member" is the member's.
  await joinCourse(services, member, course)
  return { owner, member, administrator, target }
}
