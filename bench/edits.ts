// An edit has to be visible on the very next request: a check, not a timing.
import { ask } from './check-answer.ts'
import type { Server } from './processes.ts'
import type { Row } from './row.ts'
import { cookieOf, creatorOf, idNumbered, type Size } from './seed-many.ts'

async function call(origin: string, method: string, path: string, cookie: string, body?: unknown) {
  const response = await fetch(origin + path, {
    method,
    headers: { cookie, ...(body !== undefined && { 'content-type': 'application/json' }) },
    body: body === undefined ? undefined : JSON.stringify(body),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`)
  return JSON.parse(text)
}

/** Edits `count` courses in six ways through the API, and reads the kept pages after each. */
export async function checkEdits(
  thunder: Server,
  size: Size,
  secret: string,
  count: number,
): Promise<Row> {
  const { origin } = thunder
  let checks = 0
  const stale: string[] = []
  const sees = async (
    path: string,
    what: string,
    is: (answer: { status: number; text: string }) => boolean,
  ) => {
    checks++
    if (!is(await ask(origin, { path }))) stale.push(`${what} (${path})`)
  }
  for (let number = 1; number <= count; number++) {
    const id = idNumbered(number)
    const cookie = cookieOf(creatorOf(number, size), secret)
    const page = `/course/bench-course-${number}`
    await ask(origin, { path: page })
    await ask(origin, { path: '/explore' })

    const shortDescription = `Edited just now, for the ${number}th time.`
    await call(origin, 'PATCH', `/rest/v1/courses/${id}`, cookie, { shortDescription })
    await sees(page, 'short description', ({ text }) => text.includes(shortDescription))
    if (number <= 10)
      await sees('/explore', 'short description', ({ text }) => text.includes(shortDescription))

    const content = await call(origin, 'GET', `/rest/v1/courses/${id}/content`, cookie)
    content.chapters[0].lessons[0].title = `Edited lesson of course ${number}`
    for (const chapter of content.chapters) {
      for (const lesson of chapter.lessons) lesson.videoId = lesson.video?.id ?? null
    }
    const { contentVersion, chapters } = content
    await call(origin, 'PUT', `/rest/v1/courses/${id}/content`, cookie, {
      contentVersion,
      chapters,
    })
    await sees(page, 'lesson title', ({ text }) =>
      text.includes(`Edited lesson of course ${number}`),
    )

    await call(origin, 'POST', `/rest/v1/courses/${id}/unpublish`, cookie)
    await sees(page, 'unpublished', ({ status }) => status === 404)
    await sees('/explore', 'unpublished', ({ text }) => !text.includes(`"${page}"`))
    await call(origin, 'POST', `/rest/v1/courses/${id}/publish`, cookie)
    await sees(
      page,
      'published',
      ({ status, text }) => status === 200 && text.includes(shortDescription),
    )

    const title = `A new name ${number}`
    const { slug } = await call(origin, 'PATCH', `/rest/v1/courses/${id}`, cookie, { title })
    await sees(page, 'earlier address', ({ status }) => status === 301)
    await sees(
      `/course/${slug}`,
      'new title',
      ({ status, text }) => status === 200 && text.includes(title),
    )
  }
  if (stale.length > 0) console.error(`Stale: ${stale.slice(0, 10).join(', ')}`)
  return {
    what: 'an edit is visible on the very next request',
    measured: `${checks - stale.length} of ${checks} reads after an edit`,
    goal: 'all',
    met: stale.length === 0,
  }
}
