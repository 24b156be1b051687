// The turn of what the schedule asks for, beside the work of people.
import { parseCrontab } from 'graphile-worker'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../test/app.ts'
import { jobs } from './jobs.ts'
import { schedule } from './schedule.ts'
import { enqueue, type Jobs, startJobs } from './server/jobs.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ JOBS: 'off' })
})
afterAll(() => app?.stop())
afterEach(() => app.services.pool.query('delete from graphile_worker._private_jobs'))

/** Those of which one that waits is enough. */
const oftenAsked = parseCrontab(schedule).filter(({ options }) => options.jobKey)

/** As the schedule does it each minute, now. */
async function askFor(name: string) {
  const { jobKey, priority, queueName } = oftenAsked.find(({ task }) => task === name)!.options
  await app.services.pool.query(
    `select graphile_worker.add_job($1, job_key := $2, priority := $3::int, queue_name := $4, run_at := now())`,
    [name, jobKey, priority, queueName],
  )
}

/** A node on which a job does nothing but note that it has begun, and then `work`. */
async function startNode(work: (name: string) => Promise<void> = async () => {}) {
  const begun: string[] = []
  const noted = Object.keys(jobs).map((name) => [
    name,
    () => {
      begun.push(name)
      return work(name)
    },
  ])
  const node = await startJobs(Object.fromEntries(noted) as Jobs<unknown>, app.services, {
    databaseUrl: app.databaseUrl,
    schedule: '',
    lanes: [],
  })
  return { begun, stop: node.stop }
}

const anHourAgo = () => new Date(Date.now() - 3_600_000)

describe('what the schedule asks for again and again', () => {
  test('is what it always was', () => {
    expect(oftenAsked.map(({ task }) => task).toSorted()).toEqual([
      'closeOverdueChallenges',
      'foldCourseDays',
      'followPayouts',
      'pruneLiveEvents',
      'publishOverduePosts',
      'reconcilePayments',
      'resumeRefunds',
      'resumeWebhooks',
    ])
  })

  test.each(oftenAsked.map(({ task }) => task))('%s passes work that is older', async (name) => {
    for (let count = 0; count < 20; count += 1) {
      await enqueue(app.services.db, 'sendNoticeMail', {}, undefined, anHourAgo())
    }
    // A minute later it is asked for anew, and was not begun.
    for (let minute = 0; minute < 2; minute += 1) await askFor(name)
    const { begun, stop } = await startNode()
    await expect.poll(() => begun.length).toBe(21)
    await stop()
    expect(begun.filter((one) => one === name)).toHaveLength(1)
    // Two are done at once.
    expect(begun.indexOf(name)).toBeLessThan(2)
  })

  test('leaves a place for the rest while the provider does not answer', async () => {
    const answered = Promise.withResolvers<void>()
    const { begun, stop } = await startNode(async (name) => {
      if (name !== 'sendNoticeMail') await answered.promise
    })
    await askFor('reconcilePayments')
    await askFor('followPayouts')
    await expect.poll(() => begun.length).toBe(1)
    // The next minute, while the last one's are still under way.
    await askFor('reconcilePayments')
    await askFor('followPayouts')
    await enqueue(app.services.db, 'sendNoticeMail', {})
    await expect.poll(() => begun.at(-1)).toBe('sendNoticeMail')
    expect(begun).toHaveLength(2)
    answered.resolve()
    await expect.poll(() => begun.length).toBe(4)
    await stop()
  })
})
