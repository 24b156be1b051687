import type * as z from 'zod'
import { questionLimits } from '../applications/rules.ts'
import { planContent } from '../courses/plan-content.ts'
import { limits } from '../courses/rules.ts'
import {
  courseContentSave,
  type CourseContentSave,
  type CourseForm,
  newCourse,
} from '../courses/schema.ts'
import { brand } from '../site/brand.ts'
import {
  type ArchivedCaptions,
  captionsIn,
  courseEntry,
  type CourseFile,
  courseFile,
  courseFileHead,
  firstCourseFile,
  formatVersion,
  mediaOf,
} from './course-file.ts'
import { jsonExtent } from './json-extent.ts'
import type { ArchivedFile } from './unpack-media.ts'
import { UnusableCourseFile } from './unusable-course-file.ts'

/** A course in the shapes of the course form and of the editor's save: what makes courses takes these. */
export interface CourseParts {
  form: CourseForm
  chapters: CourseContentSave['chapters']
}

/** A course that keeps all the rules; its media have got the ids that they shall have here. */
export interface CheckedCourse {
  parts: CourseParts
  media: ArchivedFile[]
  captions: ArchivedCaptions[]
}

/** `chapters.0.lessons.2.title` as 'Chapter 1, lesson 3: '. */
function placeOf(path: readonly PropertyKey[]): string {
  const [first, chapter, , lesson] = path
  if (first !== 'chapters' || typeof chapter !== 'number') return ''
  const within = typeof lesson === 'number' ? `, lesson ${lesson + 1}` : ''
  return `Chapter ${chapter + 1}${within}: `
}

const unfit = (problem: string) => new UnusableCourseFile(`${courseEntry} does not fit. ${problem}`)

/** The first thing that is wrong, and where. */
function refusal(error: z.ZodError): UnusableCourseFile {
  const { path, message } = error.issues[0]!
  return unfit(`${placeOf(path)}${message}`)
}

/** Of a course that keeps all the rules: texts are nested 24 deep, each time as a list of objects. */
const mostDepth = 100
/** The largest course that can be saved, 16 MB of the shortest marks of a text, has about a third of it. */
const mostParts = 6_000_000

export const tooManyParts = `The text of this course is too long: ${courseEntry} has too many parts.`

/** @throws {UnusableCourseFile} */
export function parseCourse(bytes: Uint8Array): unknown {
  const { depth, parts } = jsonExtent(bytes, { depth: mostDepth, parts: mostParts })
  if (depth > mostDepth) throw unreadable()
  if (parts > mostParts) throw new UnusableCourseFile(tooManyParts)
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (error) {
    throw unreadable(error)
  }
}

const unreadable = (cause?: unknown) =>
  new UnusableCourseFile(`${courseEntry} in this file is not readable.`, { cause })

const listIn = (value: unknown, name: string): unknown[] => {
  const list = (value as Record<string, unknown> | null | undefined)?.[name]
  return Array.isArray(list) ? list : []
}

/**
 * Counted before anything else is looked at: a schema looks at each of a million lessons before it says that there are
 * too many.
 * @throws {UnusableCourseFile} with the sentences of the schemas.
 */
function refuseCrowds(json: unknown): void {
  const chapters = listIn(json, 'chapters')
  if (chapters.length > limits.chapters) {
    throw unfit(`A course can have at most ${limits.chapters} chapters`)
  }
  const lessons = chapters.flatMap((chapter) => listIn(chapter, 'lessons'))
  if (lessons.length > limits.lessons) {
    throw unfit(`A course can have at most ${limits.lessons.toLocaleString('en-US')} lessons`)
  }
  if (lessons.some((lesson) => listIn(lesson, 'links').length > limits.linksPerLesson)) {
    throw unfit(`A lesson can have at most ${limits.linksPerLesson} links`)
  }
  const questions = listIn((json as { application?: unknown } | null)?.application, 'questions')
  if (questions.length > questionLimits.questions) {
    throw unfit(`There can be at most ${questionLimits.questions} application questions`)
  }
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
  refuseCrowds(json)
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
    const plan = planContent(chapters, known, () => crypto.randomUUID())
    if ('problem' in plan) throw unfit(plan.problem)
  }
  return { form: form.data, chapters }
}

/**
 * All that can be told of a course from the bytes of course.json.
 * @throws {UnusableCourseFile}
 */
export function checkCourseText(bytes: Uint8Array): CheckedCourse {
  const course = understandCourse(parseCourse(bytes))
  const media = mediaOf(course).map((file) => ({ ...file, id: crypto.randomUUID() as string }))
  const idOf = new Map(media.map(({ entry, id }) => [entry, id]))
  const parts = checkCourse(course, (entry) => idOf.get(entry) ?? null)
  return { parts, media, captions: captionsIn(course) }
}
