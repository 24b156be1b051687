// A fleet is restarted, one node after the other, while people write, read, listen and upload: no request fails.
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import { runningPostgresUrl } from '../../src/server/postgres/embedded.ts'
import { expect, publishedCourse, signedUp, test as journey } from './journey.ts'
import { type BuiltServer, startBuiltServer } from './server.ts'

/** How often every node is restarted; `npm run prove:restarts` does it more often. */
const rounds = Number(process.env.RESTART_ROUNDS ?? 1)
/** Seconds. A piece of an upload that begins before takes longer, so its node has left before it ends. */
const drain = 3

const test = journey.extend<object, { thunder: BuiltServer }>({
  thunder: [
    // Playwright insists on the empty pattern.
    // oxlint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const server = await startBuiltServer({ FFMPEG_PATH: 'off', DRAIN_SECONDS: String(drain) }, 2)
      await use(server)
      await server.stop()
    },
    { scope: 'worker', timeout: 240_000 },
  ],
})

const forgetComments = "delete from rate_limits where key like 'comment-account%'"

interface Load {
  what: string
  times: number
  wrong: string[]
}

/** In pieces with pauses, so that it has a middle, at which `halfWay` is called. */
function slowly(
  bytes: Buffer,
  milliseconds: number,
  halfWay: () => void,
): ReadableStream<Uint8Array> {
  const size = Math.ceil(bytes.length / 40)
  let at = 0
  return new ReadableStream({
    async pull(controller) {
      await pause(milliseconds / 40)
      if (at < bytes.length / 2 && at + size >= bytes.length / 2) halfWay()
      controller.enqueue(new Uint8Array(bytes.subarray(at, (at += size))))
      if (at >= bytes.length) controller.close()
    },
  })
}

/** Does it again and again until told to end. What does not answer as it should is kept; nothing is tried twice. */
function keepDoing(what: string, isOver: () => boolean, once: () => Promise<string | null>) {
  const load: Load = { what, times: 0, wrong: [] }
  const going = (async () => {
    while (!isOver()) {
      const problem = await once().catch((error: unknown) => String(error))
      if (problem === null) load.times += 1
      else load.wrong.push(`${what}: ${problem}`)
    }
    return load
  })()
  return going
}

async function rowsOf({ dataDir }: BuiltServer, statement: string, values: unknown[] = []) {
  const database = new Client({ connectionString: await runningPostgresUrl({ dataDir }) })
  await database.connect()
  try {
    return (await database.query(statement, values)).rows as Record<string, unknown>[]
  } finally {
    await database.end()
  }
}

/** Events as a page hears them: a stream that ends is opened again a little later, after the last event that was heard. */
async function listen(url: string, cookie: string, courseId: string, ending: AbortSignal) {
  const heard: string[] = []
  const wrong: string[] = []
  let streams = 0
  let latest = ''
  const going = (async () => {
    while (!ending.aborted) {
      const answer = await fetch(`${url}/realtime/v1/events?courseId=${courseId}`, {
        headers: { cookie, ...(latest && { 'last-event-id': latest }) },
        signal: ending,
      }).catch((error: unknown) => (ending.aborted ? null : String(error)))
      if (answer === null) return
      if (typeof answer === 'string' || answer.status !== 200) {
        wrong.push(typeof answer === 'string' ? answer : String(answer.status))
        continue
      }
      streams += 1
      let rest = ''
      const decoder = new TextDecoder()
      try {
        for await (const chunk of answer.body!) {
          const pieces = (rest + decoder.decode(chunk, { stream: true })).split('\n\n')
          rest = pieces.pop() ?? ''
          for (const piece of pieces) {
            const id = /^id: (.*)$/m.exec(piece)?.[1]
            if (id) latest = id
            if (id && piece.includes('\ndata:')) heard.push(id)
            if (piece.includes('"reset"')) wrong.push('a stream did not know what was missed')
          }
        }
      } catch (error) {
        // In order means: ended, never cut.
        if (!ending.aborted) wrong.push(`a stream was cut: ${String(error)}`)
      }
      // What happens meanwhile must not be lost.
      await pause(1000, undefined, { signal: ending }).catch(() => {})
    }
  })()
  return { heard, wrong, streams: () => streams, going }
}

test('every node is restarted in turn: no request fails, and nothing is lost or done twice', async ({
  page,
  thunder,
}) => {
  test.setTimeout(180_000 + rounds * 120_000)
  await signedUp(page.request, 'Rhea Restart')
  const titles = Array.from({ length: 60 }, (_, index) => `Lesson ${index + 1}`)
  const course = await publishedCourse(page.request, 'Restarted While You Learn', titles)
  const context = await page.context().browser()!.newContext({ baseURL: thunder.url })
  await signedUp(context.request, 'Leo Learner')
  const joined = await context.request.post('/rest/v1/enrollments', {
    data: { courseId: course.id },
  })
  expect(joined.status()).toBe(200)
  const cookie = (await context.cookies()).map(({ name, value }) => `${name}=${value}`).join('; ')
  const teacher = (await page.context().cookies())
    .map(({ name, value }) => `${name}=${value}`)
    .join('; ')
  const learning = { cookie, origin: thunder.url }
  const content = await (await page.request.get(`/rest/v1/courses/${course.id}/content`)).json()
  const lessons: string[] = content.chapters[0].lessons.map(({ id }: { id: string }) => id)
  const sending = { cookie: teacher, origin: thunder.url }
  const video = await readFile('test/fixtures/lesson.mp4')
  const paths = ['/', '/explore', `/course/${course.slug}`]

  const ending = new AbortController()
  const isOver = () => ending.signal.aborted
  const listening = new AbortController()
  const ear = await listen(thunder.url, cookie, course.id, listening.signal)
  await expect.poll(ear.streams).toBe(1)
  const [from] = await rowsOf(thunder, 'select coalesce(max(id), 0) as id from live_events')

  const acknowledged: string[] = []
  const write = async () => {
    const text = `Note ${randomBytes(8).toString('hex')}`
    const answer = await fetch(
      `${thunder.url}/rest/v1/lessons/${lessons[acknowledged.length % lessons.length]}/notes`,
      {
        method: 'POST',
        headers: { ...learning, 'content-type': 'application/json' },
        body: JSON.stringify({ text }),
      },
    )
    const body = await answer.text()
    if (answer.status !== 200) return `${answer.status} ${body.slice(0, 200)}`
    acknowledged.push(text)
    return null
  }
  const asked = await page.request.post('/rest/v1/posts', {
    data: { courseId: course.id, content: 'What do you think?' },
  })
  const { id: postId } = await asked.json()
  let commented = 0
  /** Each is an event of its own for everybody who follows the course, at a pace at which all are told. */
  const comment = async () => {
    await pause(200)
    // That limit is about people, who write more slowly.
    if (commented % 20 === 0) await rowsOf(thunder, forgetComments)
    const answer = await fetch(`${thunder.url}/rest/v1/comments`, {
      method: 'POST',
      headers: { ...learning, 'content-type': 'application/json' },
      body: JSON.stringify({ postId, content: `Comment ${commented}` }),
    })
    if (answer.status !== 200) return `${answer.status} ${await answer.text()}`
    await answer.text()
    commented += 1
    return null
  }
  let ticked = 0
  const tick = async () => {
    const lesson = lessons[ticked++ % lessons.length]
    const answer = await fetch(`${thunder.url}/rest/v1/lessons/${lesson}/completion`, {
      method: 'PUT',
      headers: learning,
    })
    await answer.text()
    return answer.status === 200 ? null : `${answer.status}`
  }
  const read = (path: string, as?: string) => async () => {
    const answer = await fetch(thunder.url + path, { headers: as ? { cookie: as } : {} })
    await answer.text()
    return answer.status === 200 ? null : `${answer.status}`
  }
  /** A whole video in two pieces, the first of them to one node; what is begun counts until it is whole. */
  const upload = async ({
    to = thunder.url,
    milliseconds = 2400,
    halfWay = () => {},
  } = {}): Promise<string | null> => {
    const tus = { ...sending, 'tus-resumable': '1.0.0' }
    const facts = {
      filename: 'a.mp4',
      filetype: 'video/mp4',
      purpose: 'video',
      courseId: course.id,
    }
    const begun = await fetch(`${to}/storage/v1/uploads`, {
      method: 'POST',
      headers: {
        ...tus,
        'upload-length': String(video.length),
        'upload-metadata': Object.entries(facts)
          .map(([name, value]) => `${name} ${btoa(value)}`)
          .join(','),
      },
    })
    if (begun.status !== 201) return `begun: ${begun.status} ${await begun.text()}`
    const place = new URL(begun.headers.get('location') ?? '', begun.url).pathname
    const half = Math.ceil(video.length / 2)
    const pieces = [
      { at: 0, through: to, takes: milliseconds },
      { at: half, through: thunder.url, takes: 2400 },
    ]
    for (const { at, through, takes } of pieces) {
      const answer = await fetch(through + place, {
        method: 'PATCH',
        headers: {
          ...tus,
          'upload-offset': String(at),
          'content-type': 'application/offset+octet-stream',
        },
        body: slowly(video.subarray(at, at + half), takes, halfWay),
        duplex: 'half',
        // A request that nobody answers fails as well.
        signal: AbortSignal.timeout(60_000),
      } as RequestInit)
      if (answer.status !== 204) return `piece at ${at}: ${answer.status} ${await answer.text()}`
    }
    return null
  }
  const loads = [
    keepDoing('write', isOver, write),
    keepDoing('tick', isOver, tick),
    keepDoing('comment', isOver, comment),
    keepDoing('upload', isOver, () => upload()),
    ...paths.map((path) => keepDoing(`read ${path}`, isOver, read(path))),
    keepDoing('read inside', isOver, read(`/course/${course.slug}/dashboard`, cookie)),
  ]
  for (let round = 0; round < rounds; round += 1) {
    for (const node of thunder.nodes) {
      const under = Promise.withResolvers<void>()
      const crossing = upload({
        to: node.url,
        milliseconds: 2800 * drain,
        halfWay: under.resolve,
      }).catch(String)
      await Promise.race([under.promise, crossing])
      await node.stop()
      expect(await crossing).toBeNull()
      await node.start()
    }
  }
  ending.abort()
  const done = await Promise.all(loads)
  expect(done.flatMap(({ wrong }) => wrong)).toEqual([])
  for (const { what, times } of done) expect(times, what).toBeGreaterThan(what === 'upload' ? 0 : 5)

  const notes = await rowsOf(thunder, 'select text from lesson_notes where course_id = $1', [
    course.id,
  ])
  expect(notes.map(({ text }) => text).toSorted()).toEqual(acknowledged.toSorted())

  const told = await rowsOf(
    thunder,
    `select id::text as id from live_events
      where id > $1 and topic = 'course:' || $2 and event->>'type' = 'comment'`,
    [from!.id, course.id],
  )
  expect(told).toHaveLength(commented)
  await expect.poll(() => told.filter(({ id }) => !ear.heard.includes(id as string))).toEqual([])
  listening.abort()
  await ear.going
  expect(ear.wrong).toEqual([])
  expect(ear.streams()).toBeGreaterThan(1)
  await context.close()
})
