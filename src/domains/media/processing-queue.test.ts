// Whose turn it is among the videos that wait, who may say something of one, and who hears of it.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { makePerson } from '../../../test/factories.ts'
import { personTopic } from '../../server/publish.ts'
import {
  type Claim,
  claimNext,
  mostAttempts,
  note,
  queueProcessing,
  queueUnprocessed,
  retryProcessing,
} from './processing-queue.ts'
import { mediaFiles, videoProcessings } from './tables.ts'

let app: TestApp
let owner: { id: string }
beforeAll(async () => {
  // Nobody works here but the tests.
  app = await startTestApp({ FFMPEG_PATH: 'off' })
})
afterAll(() => app?.stop())
beforeEach(async () => {
  await query('delete from video_processings')
  await query('delete from media_files')
  owner = await makePerson(app.services)
})

const query = async (statement: string, ...values: unknown[]) =>
  (await app.services.pool.query(statement, values)).rows

const media = async (facts: Partial<typeof mediaFiles.$inferInsert> = {}) => {
  const [row] = await app.services.db
    .insert(mediaFiles)
    .values({
      ownerId: owner.id,
      purpose: 'video',
      status: 'ready',
      filename: 'a.mp4',
      sizeBytes: 10,
      contentType: 'video/mp4',
      durationSeconds: 12,
      ...facts,
    })
    .returning({ id: mediaFiles.id })
  return row!.id
}

type Row = typeof videoProcessings.$inferInsert
const waiting = async (facts: Partial<Row> = {}) => {
  const mediaId = await media()
  await app.services.db.insert(videoProcessings).values({ mediaId, ...facts })
  return mediaId
}

const rowOf = async (mediaId: string) =>
  (
    await query(
      `select status, percent, problem, attempts,
              heartbeat_at > clock_timestamp() - interval '10 minutes' as "justHeard"
         from video_processings where media_id = $1`,
      mediaId,
    )
  )[0]

/** Seconds; far more than this takes anywhere. */
const lease = 3600
const claim = () => claimNext(app.services.db, lease)
const heard = (mediaId: string, secondsAgo: number) =>
  query(
    'update video_processings set heartbeat_at = clock_timestamp() - make_interval(secs => $2) where media_id = $1',
    mediaId,
    secondsAgo,
  )

/** Of which videos the owner was told, in order. */
const told = async (id = owner.id) =>
  (
    await query(
      `select event->>'mediaId' as "mediaId" from live_events
        where topic = $1 and event->>'type' = 'video' order by id`,
      personTopic(id),
    )
  ).map(({ mediaId }) => mediaId)

describe('the next video', () => {
  test('is the one that waits longest of those that were tried least', async () => {
    const [late, early, again] = [await waiting(), await waiting(), await waiting({ attempts: 1 })]
    const createdAt = 'update video_processings set created_at = $2 where media_id = $1'
    await query(createdAt, late, '2026-01-02')
    await query(createdAt, early, '2026-01-01')
    await query(createdAt, again, '2025-01-01')
    for (const [mediaId, attempts] of [
      [early, 1],
      [late, 1],
      [again, 2],
    ] as const) {
      expect(await claim()).toEqual({
        claim: expect.objectContaining({
          mediaId,
          attempts,
          contentType: 'video/mp4',
          durationSeconds: 12,
        }),
        givenUp: [],
      })
      expect(await rowOf(mediaId)).toEqual({
        status: 'running',
        percent: 0,
        problem: null,
        attempts,
        justHeard: true,
      })
      // One at a time.
      expect(await claim()).toEqual({ claim: null, givenUp: [] })
      await query(`update video_processings set status = 'done' where media_id = $1`, mediaId)
    }
    expect(await claim()).toEqual({ claim: null, givenUp: [] })
    expect(await told()).toEqual([early, late, again])
  })

  test('is one whose process was silent for too long, with whatever it said before', async () => {
    const dead = await waiting({ status: 'running', attempts: 1, percent: 60, problem: 'x' })
    const next = await waiting()
    await heard(dead, lease - 600)
    expect((await claim()).claim).toBeNull()
    // A clock that was ahead, then a process that died.
    await heard(dead, -lease - 60)
    expect((await claim()).claim).toMatchObject({ mediaId: next })
    await query(`update video_processings set status = 'done' where media_id = $1`, next)
    expect((await claim()).claim).toMatchObject({ mediaId: dead, attempts: 2 })
    expect(await rowOf(dead)).toMatchObject({ status: 'running', percent: 0, problem: null })
  })

  test('is none that has had its three times; its owner is told', async () => {
    const [last, gone] = [
      await waiting({ status: 'running', attempts: mostAttempts - 1 }),
      await waiting({ status: 'running', attempts: mostAttempts }),
    ]
    for (const id of [last, gone]) await heard(id, lease + 1)
    const { claim: found, givenUp } = await claim()
    expect([found?.mediaId, found?.attempts, givenUp]).toEqual([last, mostAttempts, [gone]])
    expect(await rowOf(gone)).toMatchObject({
      status: 'failed',
      problem: expect.stringMatching(/\w+ \w+/),
    })
    expect(await told()).toEqual([gone, last])
  })

  test('may say nothing about itself', async () => {
    const mediaId = await media({ contentType: null, durationSeconds: null })
    await queueProcessing(app.services.db, [mediaId])
    expect((await claim()).claim).toMatchObject({ contentType: '', durationSeconds: null })
  })

  test('of many who ask at once one gets it', async () => {
    const mediaId = await waiting()
    const found = await Promise.all(Array.from({ length: 8 }, claim))
    expect(found.flatMap(({ claim: one }) => one?.mediaId ?? [])).toEqual([mediaId])
    expect((await rowOf(mediaId)).attempts).toBe(1)
  })
})

describe('what is said of a video', () => {
  const claimed = async () => {
    await waiting()
    const { claim: mine } = await claim()
    return mine!
  }

  test('is heard from whoever has it, and told when it is news', async () => {
    const mine = await claimed()
    await heard(mine.mediaId, 1800)
    expect(await note(app.services, mine)).toBe(true)
    expect((await rowOf(mine.mediaId)).justHeard).toBe(true)
    expect(await told()).toHaveLength(1)
    await heard(mine.mediaId, 1800)
    expect(await note(app.services, mine, { percent: 40 })).toBe(true)
    expect(await rowOf(mine.mediaId)).toMatchObject({ percent: 40, justHeard: true })
    expect(await told()).toHaveLength(2)
  })

  test('is not heard from whoever had it once', async () => {
    const mine = await claimed()
    const former: Claim = { ...mine, attempts: mine.attempts - 1 }
    expect(await note(app.services, former, { percent: 40 })).toBe(false)
    expect(await note(app.services, { ...mine, mediaId: randomUUID() })).toBe(false)
    await query(`update video_processings set status = 'done' where media_id = $1`, mine.mediaId)
    expect(await note(app.services, mine, { percent: 40 })).toBe(false)
    expect(await rowOf(mine.mediaId)).toMatchObject({ status: 'done', percent: 0 })
    expect(await told()).toHaveLength(1)
  })
})

describe('the queue', () => {
  test('takes what is ready, and leaves what came of it before', async () => {
    const done = await waiting({ status: 'done', percent: 100 })
    const fresh = await media()
    await queueProcessing(app.services.db, [done, fresh])
    await queueProcessing(app.services.db, [])
    expect(await rowOf(done)).toMatchObject({ status: 'done', percent: 100 })
    expect(await rowOf(fresh)).toMatchObject({ status: 'queued', percent: 0, attempts: 0 })
  })

  test('takes videos from before there was an ffmpeg, and nothing else', async () => {
    const videos = [await media(), await media({ purpose: 'post_video' })]
    const others = [
      await media({ purpose: 'thumbnail' }),
      await media({ status: 'uploading' }),
      await media({ status: 'failed', problem: 'x' }),
    ]
    const failed = await waiting({ status: 'failed', problem: 'Damaged' })
    await queueUnprocessed(app.services.db)
    await queueUnprocessed(app.services.db)
    for (const id of videos) expect(await rowOf(id)).toMatchObject({ status: 'queued' })
    for (const id of others) expect(await rowOf(id)).toBeUndefined()
    expect(await rowOf(failed)).toMatchObject({ status: 'failed', problem: 'Damaged' })
  })

  test('takes again what failed, for its owner, as if it were new', async () => {
    const again = (id: string, ownerId = owner.id) => retryProcessing(app.services, { id, ownerId })
    const failed = await waiting({ status: 'failed', problem: 'x', attempts: 3, percent: 50 })
    await query(
      `update video_processings set created_at = '2020-01-01' where media_id = $1`,
      failed,
    )
    const other = await makePerson(app.services)
    await again(failed, other.id)
    expect(await rowOf(failed)).toMatchObject({ status: 'failed', attempts: 3 })
    await again(failed)
    expect(await rowOf(failed)).toMatchObject({
      status: 'queued',
      percent: 0,
      problem: null,
      attempts: 0,
    })
    const [{ isNew }] = await query(
      `select created_at > now() - interval '1 minute' as "isNew" from video_processings where media_id = $1`,
      failed,
    )
    expect(isNew).toBe(true)
    expect(await told()).toEqual([failed])
    // What goes on, or is done, is left alone; what was never tried begins.
    const done = await waiting({ status: 'done', percent: 100 })
    const [fresh, picture, unready] = [
      await media(),
      await media({ purpose: 'thumbnail' }),
      await media({ status: 'uploading' }),
    ]
    for (const id of [done, failed, fresh, picture, unready]) await again(id)
    expect(await rowOf(done)).toMatchObject({ status: 'done', percent: 100 })
    expect(await rowOf(fresh)).toMatchObject({ status: 'queued' })
    expect([await rowOf(picture), await rowOf(unready)]).toEqual([undefined, undefined])
    expect(await told()).toEqual([failed, fresh])
  })
})
