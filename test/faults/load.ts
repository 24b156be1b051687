// People who write all the while to the app of a test. What was acknowledged is compared with the rows.
import { Client } from 'pg'
import { expect, vi } from 'vitest'
import type { TestApp } from '../app.ts'
import {
  joinCourse,
  lessonsOf,
  makeCourse,
  makePerson,
  makePost,
  sessionCookieOf,
} from '../factories.ts'
import {
  findLosses,
  newTally,
  newWriter,
  type Place,
  writeOn,
  type Writer,
} from '../journeys/crash-writers.ts'
import { patience } from '../patience.ts'
import { followSchedule } from '../schedule.ts'

/** How much longer everything takes than in `npm test`: `npm run prove:faults` says so. */
export const times = Number(process.env.FAULTS ?? 1)

/** To be set by each file: what one file sets is forgotten before the next. */
export const faultLimits = { testTimeout: 180_000 * times }

const people = 6

export interface Load {
  /** Waits until so many more were acknowledged: the app works. */
  acknowledges(more: number): Promise<void>
  /** Waits until so many more were refused: it is felt. */
  refuses(more: number): Promise<void>
  /** Ends it, and expects that nothing is lost or there twice, and that no refusal said anything else than `words`. */
  end(words?: string[]): Promise<void>
}

export async function startLoad(
  app: Pick<TestApp, 'url' | 'services' | 'databaseUrl'>,
): Promise<Load> {
  const { services, url } = app
  await followSchedule(services.pool)
  const owner = await makePerson(services)
  const lessons = Array.from({ length: 12 }, (_, at) => ({ title: `Lesson ${at + 1}` }))
  const course = await makeCourse(services, owner, {
    chapters: [{ title: 'Chapter 1', lessons }],
  })
  const place: Place = {
    url,
    postId: await makePost(services, course),
    lessonIds: (await lessonsOf(services, course.id)).map(({ id }) => id),
  }
  const tally = newTally()
  const ending = new AbortController()
  const writers: Writer[] = []
  const going: Promise<void>[] = []
  for (let number = 1; number <= people; number += 1) {
    const { id } = await makePerson(services, { name: `Writer ${number}` })
    await joinCourse(services, { id }, course)
    const writer = newWriter(`Writer ${number}`, id)
    writers.push(writer)
    going.push(
      writeOn(writer, await sessionCookieOf(services, id), place, {
        tally,
        ending: ending.signal,
      }),
    )
  }
  const refused = () =>
    [...tally.refused.values()].reduce((sum, count) => sum + count, tally.broken)
  const reaches = (count: () => number, more: number) => {
    const enough = count() + more * times
    return vi.waitFor(() => {
      if (count() < enough) throw new Error(`${count()} of ${enough}: ${[...tally.refused.keys()]}`)
    }, patience)
  }
  return {
    acknowledges: (more) => reaches(() => tally.acknowledged, more),
    refuses: (more) => reaches(refused, more),
    async end(words = []) {
      ending.abort()
      await Promise.all(going)
      const database = new Client({ connectionString: app.databaseUrl })
      await database.connect()
      const losses = await findLosses(database, writers, place)
      await database.end()
      expect(losses).toEqual([])
      const said = new Set([...tally.refused.keys()].map((one) => one.replace(/^429 .*/, '429')))
      const known = ['429', ...words]
      expect([...said].filter((one) => !known.some((word) => one.includes(word)))).toEqual([])
      console.log(
        `${tally.acknowledged} writes acknowledged, none lost, none twice; ${refused()} refused or broken`,
      )
    },
  }
}
