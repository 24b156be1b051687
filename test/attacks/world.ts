// People and a course for attacks: an owner with Pro, a member, an administrator, and one of everything.
import type { Target } from '../contract-rows.ts'
import {
  joinCourse,
  lessonsOf,
  makeCase,
  makeComment,
  makeCourse,
  makeMedia,
  makePerson,
  makePost,
  makeReview,
  sessionCookieOf,
} from '../factories.ts'
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
  const [lesson] = await lessonsOf(services, course.id)
  const { rows } = await pool.query<{ id: string }>(
    'select id from chapters where course_id = $1',
    [course.id],
  )
  const postId = await makePost(services, course)
  const target = {
    courseId: course.id,
    slug: course.slug,
    chapterId: rows[0]!.id,
    lessonId: lesson!.id,
    lessonSlug: lesson!.slug,
    mediaId: await makeMedia(services, owner, { purpose: 'video', courseId: course.id }),
    reviewId: await makeReview(services, course),
    postId,
    commentId: await makeComment(services, postId, { by: owner }),
    caseId: await makeCase(services, course),
  }
  // Last of all: what inputs say of "the newest member" is the member's.
  await joinCourse(services, member, course)
  return { owner, member, administrator, target }
}
