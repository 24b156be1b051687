// Everything that goes by time works: sessions, log-ins, sign-ups, jobs and news on open pages.
import { expect } from 'vitest'
import type { Person, TestApp } from '../app.ts'
import { eventsOf } from '../events-of.ts'
import { joinCourse, makeCourse, makePerson, makePost } from '../factories.ts'
import { mailTo } from '../mailbox.ts'

export const logIn = (app: TestApp, email: string, password = 'correct horse') =>
  app.request('/auth/v1/sign-in/email', { body: { email, password } })

/** For those who were there `earlier`, and for somebody who comes now, and is the answer. */
export async function everythingWorks(app: TestApp, earlier: Person[]): Promise<Person> {
  for (const { cookie, email } of earlier) {
    const settings = await app.request('/rest/v1/me', { cookie })
    expect([email, settings.status, settings.body.email]).toEqual([email, 200, email])
    expect((await logIn(app, email)).status).toBe(200)
  }
  const newcomer = await app.signUp()
  const { status } = await app.request('/auth/v1/request-password-reset', {
    body: { email: newcomer.email },
  })
  expect(status).toBe(200)
  await mailTo(app, newcomer.email, /password/i)

  const owner = await makePerson(app.services)
  const course = await makeCourse(app.services, owner)
  await joinCourse(app.services, newcomer, course)
  const heard = await eventsOf(app.services, owner.id)
  const commented = await app.request('/rest/v1/comments', {
    body: { postId: await makePost(app.services, course), content: 'I think so.' },
    cookie: newcomer.cookie,
  })
  expect(commented.status).toBe(200)
  expect((await heard.next()).done).toBe(false)
  await heard.return()
  return newcomer
}
