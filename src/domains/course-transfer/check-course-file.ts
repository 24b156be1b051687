import { randomUUID } from 'node:crypto'
import type * as z from 'zod'
import { planContent } from '../courses/plan-content.ts'
import {
  courseContentSave,
  type CourseContentSave,
  type CourseForm,
  newCourse,
} from '../courses/schema.ts'
import { brand } from '../site/brand.ts'
import {
  courseEntry,
  type CourseFile,
  courseFile,
  courseFileHead,
  firstCourseFile,
  formatVersion,
} from './course-file.ts'
import { UnusableCourseFile } from './unusable-course-file.ts'

/** A course in the shapes of the course form and of the editor's save: what makes courses takes these. */
export interface CourseParts {
  form: CourseForm
  chapters: CourseContentSave['chapters']
}

/** `chapters.0.lessons.2.title` as 'Chapter 1, lesson 3: '. */
function placeOf(path: readonly PropertyKey[]): string {
  const [first, chapter, , lesson] = path
  if (first !== 'chapters' || typeof chapter !== 'number') return ''
  const within = typeof lesson === 'number' ? `, lesson ${lesson + 1}` : ''
  return `Chapter ${chapter + 1}${within}: `
}

/** The first thing that is wrong, and where. */
function refusal(error: z.ZodError): UnusableCourseFile {
  const { path, message } = error.issues[0]!
  return new UnusableCourseFile(`${courseEntry} does not fit. ${placeOf(path)}${message}`)
}

/**
 * What course.json says, when this version of the format understands it. What is written in its fields is
 * not looked at yet.
 * @throws {UnusableCourseFile}
 */
export function understandCourse(json: unknown): CourseFile {
  const head = courseFileHead.safeParse(json)
  if (!head.success) {
    throw new UnusableCourseFile(`This ZIP holds no course of a ${brand.name}.`)
  }
  if (head.data.version > formatVersion) {
    throw new UnusableCourseFile(
      `This file was made by a newer version of ${brand.name}. It can be imported once this one is updated.`,
    )
  }
  const parsed = (head.data.version === 1 ? firstCourseFile : courseFile).safeParse(json)
  if (!parsed.success) throw refusal(parsed.error)
  return { ...parsed.data, version: formatVersion }
}

/** A course file as the form and the editor would send it; `idOf` names the stored media. */
export function partsOf(course: CourseFile, idOf: (entry: string) => string | null) {
  const { questions } = course.application
  return {
    form: {
      title: course.title,
      shortDescription: course.shortDescription,
      description: course.description,
      category: course.category,
      level: course.level,
      thumbnailId: course.thumbnail && idOf(course.thumbnail),
      pricingType: course.pricing.type,
      priceAmount: course.pricing.amount,
      applicationRequired: course.application.required,
      applicationInstructions: course.application.instructions,
      applicationQuestions: questions.length > 0 ? questions : undefined,
    },
    chapters: course.chapters.map((chapter) => ({
      title: chapter.title,
      lessons: chapter.lessons.map(({ video, ...lesson }) => ({
        ...lesson,
        videoId: video && idOf(video.file),
      })),
    })),
  }
}

/**
 * The same rules as for a course that is made here by hand.
 * @throws {UnusableCourseFile} with the sentence that the form or the editor would say.
 */
export function checkCourse(
  course: CourseFile,
  idOf: (entry: string) => string | null,
): CourseParts {
  const parts = partsOf(course, idOf)
  const form = newCourse.safeParse(parts.form)
  if (!form.success) throw refusal(form.error)
  const content = courseContentSave.pick({ chapters: true }).safeParse(parts)
  if (!content.success) throw refusal(content.error)
  const { chapters } = content.data
  if (chapters.length > 0) {
    const videoIds = chapters.flatMap(({ lessons }) =>
      lessons.flatMap(({ videoId }) => videoId ?? []),
    )
    const nothing = {
      chapterIds: new Set<string>(),
      lessons: new Map(),
      linkIds: new Set<string>(),
    }
    const known = { ...nothing, readyVideoIds: new Set(videoIds), isPublished: false }
    const plan = planContent(chapters, known, randomUUID)
    if ('problem' in plan)
      throw new UnusableCourseFile(`${courseEntry} does not fit. ${plan.problem}`)
  }
  return { form: form.data, chapters }
}
