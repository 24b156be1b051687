import { eq, sql } from 'drizzle-orm'
import { type Consequence, type PersonalData, personalTable } from '../../server/personal-data.ts'
import { flagshipCourseId } from '../site/flagship.ts'
import { holdCourses, leaveCourses } from './leave-courses.ts'
import { ownCourses } from './own-courses.ts'
import { quotedTitle } from './rules.ts'
import { chapters, counterChecks, courses, courseSlugs } from './tables.ts'

const soldObstacle = (title: string, buyers: number) =>
  `${buyers === 1 ? '1 person has' : `${buyers} people have`} paid for ${quotedTitle(title)}, so it cannot be deleted with your account. Please choose to keep your courses for their members.`

const ownIds = (userId: string) =>
  sql`(select c.id from courses c where c.instructor_id = ${userId})`

export const coursesData: PersonalData = {
  tables: {
    courses: personalTable(courses, {
      about: 'The courses that you made; description is the rich text as the editor keeps it.',
      rowsOf: ({ id }) => eq(courses.instructorId, id),
      columns: {
        id: 'exported',
        slug: 'exported',
        title: 'exported',
        shortDescription: 'exported',
        description: 'exported',
        descriptionText: 'exported',
        instructorId: { withheld: 'always you' },
        thumbnailId: 'exported',
        pricingType: 'exported',
        priceAmount: 'exported',
        currency: 'exported',
        category: 'exported',
        level: 'exported',
        rating: 'exported',
        reviewsCount: 'exported',
        studentsCount: 'exported',
        lessonsCount: 'exported',
        verified: 'exported',
        applicationRequired: 'exported',
        applicationInstructions: 'exported',
        watermark: 'exported',
        status: 'exported',
        publishedAt: 'exported',
        suspendedAt: 'exported',
        contentVersion: { withheld: 'a counter that keeps two editors apart' },
        version: { withheld: 'a counter that keeps pages fresh' },
        createdAt: 'exported',
        updatedAt: 'exported',
      },
      also: {
        answersToReviews: sql`(
          select coalesce(jsonb_agg(jsonb_build_object('answer', r.answer, 'answeredAt', r.answered_at)
                                    order by r.answered_at), '[]')
            from course_reviews r where r.course_id = courses.id and r.answer is not null)`,
      },
      onDeletion: 'anonymised',
    }),
    courseAddresses: personalTable(courseSlugs, {
      about: 'Every address that a course of yours has or had.',
      rowsOf: ({ id }) => sql`course_slugs.course_id in ${ownIds(id)}`,
      columns: { slug: 'exported', courseId: 'exported' },
      onDeletion: 'anonymised',
    }),
    chapters: personalTable(chapters, {
      about: 'The chapters of your courses.',
      rowsOf: ({ id }) => sql`chapters.course_id in ${ownIds(id)}`,
      columns: {
        id: 'exported',
        courseId: 'exported',
        title: 'exported',
        description: 'exported',
        orderIndex: 'exported',
      },
      onDeletion: 'anonymised',
    }),
  },
  aboutNobody: [{ table: counterChecks, because: 'only numbers of courses' }],

  async consequences(executor, { id }) {
    const own = await ownCourses(executor, id)
    const alone = own.filter(
      ({ membersCount, buyersCount }) => membersCount === 0 && buyersCount === 0,
    ).length
    const sold: Consequence[] = own.every(({ buyersCount }) => buyersCount === 0)
      ? []
      : [
          {
            text: 'Courses that somebody paid for stay for those who paid. Who pays monthly pays no further month, and keeps access until the paid one ends.',
            stays: true,
          },
        ]
    if (alone === 0) return sold
    const what =
      alone === 1
        ? 'Your course that nobody else is a member of is deleted'
        : `Your ${alone} courses that nobody else is a member of are deleted`
    return [{ text: `${what}, with lessons, pictures and videos.`, stays: false }, ...sold]
  },

  hold: holdCourses,

  async obstacle(executor, { person, membersCourses }) {
    const flagshipId = await flagshipCourseId(executor)
    const own = await ownCourses(executor, person.id)
    if (own.some((course) => course.id === flagshipId)) {
      return 'Everybody who signs up joins a course of yours, the starter course. It needs another owner before your account can go.'
    }
    if (membersCourses === null && own.some((course) => course.membersCount > 0)) {
      return 'Others are members of a course of yours. Please say what shall become of it.'
    }
    if (membersCourses === 'delete') {
      const sold = own.find((course) => course.buyersCount > 0)
      if (sold) return soldObstacle(sold.title, sold.buyersCount)
    }
    return null
  },

  leave: leaveCourses,
}
