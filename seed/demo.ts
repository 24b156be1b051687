// A database that looks lived in: for screenshots, and for people who want to look around.
import { eq, ne } from 'drizzle-orm'
import { users } from '../src/domains/accounts/tables.ts'
import { slugOf } from '../src/domains/courses/rules.ts'
import { courses } from '../src/domains/courses/tables.ts'
import { answerReview } from '../src/domains/reviews/answer-review.ts'
import { flagshipCourseId } from '../src/domains/site/flagship.ts'
import type { Services } from '../src/server/services.ts'
import {
  completeLessons,
  joinCourse,
  makeCourse,
  makePerson,
  makeReview,
  type MadePerson,
} from '../test/factories.ts'
import { danielOkafor } from './demo/daniel-okafor.ts'
import type { DemoCreator } from './demo/demo-shape.ts'
import { demoText } from './demo/demo-text.ts'
import { hanaSuzuki } from './demo/hana-suzuki.ts'
import { ingridSolberg } from './demo/ingrid-solberg.ts'
import { learnerNames } from './demo/learner-names.ts'
import { leoMarchetti } from './demo/leo-marchetti.ts'
import { answerWords, reviewWords } from './demo/review-words.ts'
import { maraLindqvist } from './demo/mara-lindqvist.ts'
import { priyaRaman } from './demo/priya-raman.ts'
import { samiraHaddad } from './demo/samira-haddad.ts'
import { tomasRivera } from './demo/tomas-rivera.ts'
import { houseEmail } from './seed-flagship.ts'

const creators = [
  maraLindqvist,
  tomasRivera,
  priyaRaman,
  danielOkafor,
  hanaSuzuki,
  leoMarchetti,
  ingridSolberg,
  samiraHaddad,
]

const password = 'demo1234'
const emailOf = (name: string) => `${slugOf(name.normalize('NFD'))}@demo.thunder.example`
const day = 24 * 60 * 60 * 1000

export interface DemoLogin {
  name: string
  email: string
  password: string
  /** What there is to see with it. */
  shows: string
}

const logins: DemoLogin[] = [
  { name: maraLindqvist.name, shows: 'a creator with four courses' },
  { name: samiraHaddad.name, shows: 'a creator with three courses' },
  { name: learnerNames[0]!, shows: 'a learner in the middle of several courses' },
  { name: learnerNames[1]!, shows: 'another learner' },
].map((login) => ({ ...login, email: emailOf(login.name), password }))

interface DemoMade {
  id: string
  instructorId: string
  publishedAt: number
  lessons: number
  reviews: number
}

/** The same numbers every time, so that screenshots can be compared (mulberry32). */
function dice(seed: number) {
  let state = seed
  return (sides: number): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % sides
  }
}

/**
 * Fills the database with creators, their published courses, and learners with progress; once: a second
 * call only answers with the logins. Creators have more courses than their plan allows, as people do
 * whose Pro plan has ended. No mail is sent.
 *
 * @throws {Error} with a sentence for people, where an earlier call was cut off in the middle, and where people are:
 *   the password of these accounts stands above, for everybody to read
 */
export async function seedDemo(services: Services): Promise<DemoLogin[]> {
  if (await isHere(services, learnerNames.at(-1)!)) return logins
  if (await isHere(services, creators[0]!.name)) {
    throw new Error(
      'A part of the demo content is here, from a time when it was stopped: fill an empty DATA_DIR or DATABASE_URL.',
    )
  }
  if ((await services.db.$count(users, ne(users.email, houseEmail))) > 0) {
    throw new Error('This Thunder has people: name an empty DATA_DIR or DATABASE_URL.')
  }
  const now = Date.now()
  const roll = dice(20_260_101)
  const opinion = dice(20_260_102)
  const flagship = await flagshipCourse(services)
  const { people, made } = await makeCreatorsAndCourses(services, now)

  /** Says with stars, and mostly with words, what this person thinks; creators answer some. */
  const review = async (person: MadePerson, course: DemoMade, at: Date) => {
    const rating = ([5, 5, 5, 5, 4, 4, 4, 3, 2] as const)[opinion(9)]!
    const words = reviewWords[rating]
    const reviewText = words[(made.indexOf(course) + course.reviews++) % words.length]!
    const id = await makeReview(services, course, { by: person, rating, reviewText, at })
    if (rating < 5 && opinion(3) === 0) {
      await services.db.transaction((transaction) =>
        answerReview(transaction, {
          reviewId: id,
          courseId: course.id,
          instructorId: course.instructorId,
          answer: answerWords[opinion(answerWords.length)]!,
        }),
      )
    }
  }

  /** Joins some courses, the older ones more often, and completes some of their lessons. */
  const learn = async (person: MadePerson, wanted: number, completeFirst: boolean) => {
    if (flagship) {
      await joinCourse(services, person, flagship, new Date(now - 250 * day))
      await completeLessons(services, person, flagship, roll(8), new Date(now - 240 * day))
    }
    for (let taken = 0; taken < wanted; taken++) {
      const course = made[Math.min(roll(made.length), roll(made.length))]!
      const joinedAt = new Date(course.publishedAt + roll(now - course.publishedAt))
      if ((await joinCourse(services, person, course, joinedAt)) !== 'enrolled') continue
      const lessons = taken === 0 && completeFirst ? course.lessons : roll(course.lessons + 1)
      const completedAt = new Date(Math.min(now, joinedAt.getTime() + day))
      await completeLessons(services, person, course, lessons, completedAt)
      // About half say what they think; most liked it.
      if (opinion(2) === 0) await review(person, course, completedAt)
    }
  }
  for (const person of people) await learn(person, 5, false)
  for (const [index, name] of learnerNames.entries()) {
    // The first two have enough on their dashboard for a picture of it.
    await learn(await makeDemoPerson(services, { name }), index < 2 ? 8 : 3 + roll(9), index < 2)
  }
  return logins
}

async function isHere({ db }: Services, name: string): Promise<boolean> {
  const found = await db
    .select({ id: users.id })
    .from(users)
    .where(eq(users.email, emailOf(name)))
  return found.length > 0
}

async function flagshipCourse(services: Services) {
  const id = await flagshipCourseId(services.db)
  if (id === null) return null
  const [course] = await services.db
    .select({ id: courses.id, instructorId: courses.instructorId })
    .from(courses)
    .where(eq(courses.id, id))
  return course ?? null
}

const makeDemoPerson = (
  services: Services,
  facts: { name: string; bio?: string; verified?: boolean },
) =>
  makePerson(services, {
    name: facts.name,
    bio: facts.bio,
    verified: facts.verified,
    email: emailOf(facts.name),
    username: slugOf(facts.name.normalize('NFD')),
    password,
  })

/** Published over the last eight months, the creators taking turns. */
async function makeCreatorsAndCourses(services: Services, now: number) {
  const owners: (DemoCreator & { person: MadePerson })[] = []
  for (const creator of creators) {
    owners.push({ ...creator, person: await makeDemoPerson(services, creator) })
  }
  const inTurn = [0, 1, 2, 3].flatMap((turn) =>
    owners.flatMap(({ person, courses: own }) =>
      own[turn] ? [{ person, course: own[turn] }] : [],
    ),
  )
  const made: DemoMade[] = []
  for (const [index, { person, course }] of inTurn.entries()) {
    const publishedAt = now - (inTurn.length - index) * 8 * day
    const { id, instructorId } = await makeCourse(services, person, {
      ...course,
      description: demoText(course.description),
      publishedAt: new Date(publishedAt),
      chapters: course.chapters.map((chapter) => ({
        title: chapter.title,
        lessons: chapter.lessons.map(({ title, text, links }) => ({
          title,
          content: demoText(text),
          links,
        })),
      })),
    })
    const lessons = course.chapters.reduce((sum, chapter) => sum + chapter.lessons.length, 0)
    made.push({ id, instructorId, publishedAt, lessons, reviews: 0 })
  }
  return { made, people: owners.map(({ person }) => person) }
}
