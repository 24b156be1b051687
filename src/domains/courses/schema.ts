// What crosses the wire about courses. Forms and handlers share it.
import * as z from 'zod'
import {
  clearableLine,
  clearableText,
  inMinorUnits,
  line,
  minorUnits,
  optionalLine,
  slug,
  timestamp,
  uuid,
} from '../../fields.ts'
import { isBlank } from '../../is-blank.ts'
import { ownSuspension } from '../administration/schema.ts'
import { emptyQuestion, questionLimits } from '../applications/rules.ts'
import { ownApplication, questionList } from '../applications/schema.ts'
import { shownBranding } from '../branding/schema.ts'
import { plainText } from '../lessons/rich-text.ts'
import { richText } from '../lessons/rich-text-schema.ts'
import { storedRichText } from '../lessons/schema.ts'
import { videoLink } from '../media/video-link.ts'
import { coursePurchase } from '../purchases/schema.ts'
import { textObstacles } from './author-check.ts'
import { priceLimits } from './pricing.ts'
import { categories, levels, limits } from './rules.ts'

const courseId = uuid('The course')
export const byCourseId = z.object({ courseId })
export const bySlug = z.object({ slug })

const category = z.enum(categories, 'Please choose a category')
const pricingType = z.enum(['free', 'one_time', 'monthly'], 'Please choose a pricing')
const leastPrice = `Price must be at least $${priceLimits.least / 100}`
const mostPrice = `Price can be at most $${(priceLimits.most / 100).toLocaleString('en-US')}`
/** 0 is the price of what is free, and of nothing else. */
const priceAmount = inMinorUnits(
  z
    .number('Price must be a number')
    .int('Price can have at most two decimals')
    .refine((amount) => amount === 0 || amount >= priceLimits.least, leastPrice)
    .refine((amount) => amount <= priceLimits.most, mostPrice),
)

/** A price that is set must be one. */
const isPriced = (given: { pricingType?: string; priceAmount?: number }) =>
  given.priceAmount !== 0 || (given.pricingType ?? 'free') === 'free'
const unpriced = { message: leastPrice, path: ['priceAmount'] }

const applicationRequired = z.boolean('Require application must be on or off')
const applicationInstructions = clearableText(
  'Application instructions',
  questionLimits.instructions,
)
const applicationQuestions = questionList(emptyQuestion.inCourseForm)

const watermark = z.boolean('The watermark must be on or off')
const level = z.enum(levels, 'Please choose a level')
const thumbnailId = uuid('The thumbnail').nullable()
/** Required (spec 1, section 5), also when it holds formats but no words. */
const description = richText('Description').refine(
  (text) => !isBlank(plainText(text)),
  'Description is required',
)

/** 'Course Information', step 1 of 2. What a price is without its type, and the other way round: `pricingOf`. */
export const courseForm = z.object({
  title: line('Course title', limits.title),
  shortDescription: optionalLine('Short description', limits.shortDescription),
  description,
  category,
  level: level.default('Beginner'),
  thumbnailId: thumbnailId.default(null),
  pricingType: pricingType.optional(),
  priceAmount: priceAmount.optional(),
  applicationRequired: applicationRequired.optional(),
  /** Empty instructions change nothing, here and in an update (spec 1, section 5). */
  applicationInstructions: applicationInstructions.optional(),
  /** Without them, a course that requires applications asks the default ones. */
  applicationQuestions: applicationQuestions.optional(),
  /** Each viewer's email address lies faintly over the videos. */
  watermark: watermark.optional(),
})
export type CourseForm = z.output<typeof courseForm>

export const newCourse = courseForm.refine(isPriced, unpriced)

/**
 * Only what is set changes. Not `courseForm.partial()`: a default inside an optional field fills it, and
 * an update of the title alone would then empty the rest.
 */
export const courseUpdate = z
  .object({
    courseId,
    title: courseForm.shape.title.optional(),
    shortDescription: clearableLine('Short description', limits.shortDescription).optional(),
    description: courseForm.shape.description.optional(),
    /** The description that was there when it was opened: where there is another one by now, nothing is changed. */
    descriptionBefore: richText('Description').optional().catch(undefined),
    category: category.optional(),
    level: level.optional(),
    thumbnailId: thumbnailId.optional(),
    pricingType: pricingType.optional(),
    priceAmount: priceAmount.optional(),
    applicationRequired: applicationRequired.optional(),
    applicationInstructions: applicationInstructions.optional(),
    applicationQuestions: applicationQuestions.optional(),
    watermark: watermark.optional(),
  })
  .refine(isPriced, unpriced)
  .refine((update) => Object.keys(update).length > 1, 'There is nothing to change.')
export type CourseUpdate = z.output<typeof courseUpdate>

/** What is typed is compared with the title that the course has. */
export const courseDeletion = z.object({ courseId, title: courseForm.shape.title })

/** An image in its three widths; `{width}` is 320, 640 or 1280. */
export const thumbnail = z
  .object({ small: z.string(), medium: z.string(), large: z.string() })
  .nullable()

export const courseCard = z.object({
  id: z.uuid(),
  slug: z.string(),
  title: z.string(),
  summary: z.string(),
  thumbnail,
  category: z.string(),
  level: z.string(),
  pricingType,
  priceAmount: minorUnits,
  instructorName: z.string(),
  /** Null as long as the creator has no profile. */
  instructorUsername: z.string().nullable(),
  studentsCount: z.number().int(),
  lessonsCount: z.number().int(),
  rating: z.number(),
  reviewsCount: z.number().int(),
  applicationRequired: z.boolean(),
  verified: z.boolean(),
})
export type CourseCard = z.output<typeof courseCard>

export const pageSize = 12
/** Past it nobody scrolls, they search. */
export const maxShown = 1200

/** How many cards at most; grows by 12 with 'Load More Courses'. */
export const shownCards = z.coerce
  .number()
  .int()
  .min(pageSize)
  .max(maxShown)
  .catch(pageSize)
  .default(pageSize)

const outlineLesson = z.object({
  id: z.uuid(),
  title: z.string(),
  slug: z.string(),
  hasVideo: z.boolean(),
  /** Everybody may see it. */
  isPreview: z.boolean(),
  /** How long it takes: as long as its video, else what its creator says. */
  minutes: z.number().int().nullable(),
})
const outlineChapter = z.object({
  id: z.uuid(),
  title: z.string(),
  lessons: z.array(outlineLesson),
})

/** What the viewer may do here; the server's answer, never the page's guess. */
const standing = z.enum(['visitor', 'signedIn', 'member', 'instructor'])

/** The public course page. */
export const coursePage = courseCard.extend({
  shortDescription: z.string(),
  description: storedRichText,
  descriptionText: z.string(),
  chaptersCount: z.number().int(),
  /** Of the lessons whose length is known; null when none is. */
  totalMinutes: z.number().int().nullable(),
  /** The course takes no longer than that. */
  allLengthsKnown: z.boolean(),
  /** Up to four titles for 'Lessons Inside:'. */
  firstLessons: z.array(z.string()),
  /** How long these take; null where nobody knows. */
  firstLessonsMinutes: z.array(z.number().int().nullable()),
  /** The addresses of those that are free previews, else null. */
  firstLessonsPreviews: z.array(z.string().nullable()),
  /** The first ten lessons of the course that everybody may see. */
  previewLessons: z.array(z.object({ title: z.string(), slug: z.string() })),
  instructor: z.object({
    name: z.string(),
    username: z.string().nullable(),
    avatarUrl: z.string().nullable(),
    verified: z.boolean(),
  }),
  status: z.enum(['draft', 'published']),
  publishedAt: timestamp.nullable(),
  updatedAt: timestamp,
  branding: shownBranding,
  standing,
  /** The signed-in visitor's latest application; null without one, and for everybody else. */
  application: ownApplication.nullable(),
  /** What the viewer bought of it and has now: who left may come back without paying. */
  purchase: coursePurchase.nullable(),
})
export type CoursePage = z.output<typeof coursePage>

const nextLesson = z.object({
  slug: z.string(),
  title: z.string(),
  /** Seconds into its video where this person left it; 0 where it was not begun. */
  position: z.number(),
})

/** The member page: outline with the viewer's own ticks. */
export const courseDashboard = coursePage
  .omit({
    firstLessons: true,
    firstLessonsMinutes: true,
    firstLessonsPreviews: true,
    previewLessons: true,
  })
  .extend({
    chapters: z.array(
      outlineChapter.extend({ lessons: z.array(outlineLesson.extend({ completed: z.boolean() })) }),
    ),
    completedCount: z.number().int(),
    progressPercent: z.number().int(),
    /** The lesson played last of those not completed, else the first of these, else the first lesson. */
    continueWith: nextLesson.nullable(),
    /** For the instructor of a course that requires applications, or has some that wait: how many wait for a decision; else null. */
    pendingApplications: z.number().int().nullable(),
    /** For the instructor: why it cannot be deleted now. */
    deletionObstacle: z.string().nullable(),
    /** For the instructor: whether somebody who paid for it has it still, also when it is free by now. */
    hasBuyers: z.boolean(),
    /** For the instructor: the posts of the discussion, which would go with the course; else null. */
    postsCount: z.number().int().nullable(),
    /** For the instructor: why administrators have suspended it. */
    suspension: ownSuspension.nullable(),
  })
export type CourseDashboard = z.output<typeof courseDashboard>

export const courseFormValues = z.object({
  id: z.uuid(),
  slug: z.string(),
  status: z.enum(['draft', 'published']),
  title: z.string(),
  shortDescription: z.string(),
  description: storedRichText,
  category: z.string(),
  level: z.string(),
  thumbnailId: z.uuid().nullable(),
  thumbnail,
  pricingType,
  priceAmount: minorUnits,
  /** How many people go on paying for it each month, whatever it costs others by now. */
  monthlyPayers: z.number().int(),
  applicationRequired: z.boolean(),
  applicationInstructions: z.string(),
  watermark: z.boolean(),
})

/** What a creator should know before publishing; `missing` and `emptyLessons` do not stand in the way. */
export const publishChecklist = z.object({
  status: z.enum(['draft', 'published']),
  pricingType: z.enum(['free', 'one_time', 'monthly']),
  priceAmount: minorUnits,
  lessonsCount: z.number().int(),
  missing: z.array(z.enum(['picture', 'shortDescription', 'description'])),
  /** Some of the lessons with neither text, video nor link, and how many there are. */
  emptyLessons: z.array(z.object({ id: z.uuid(), title: z.string() })),
  emptyLessonsCount: z.number().int(),
  /** What keeps some people from reading or watching it, kind by kind; no stop either. */
  obstacles: z.array(
    z.object({
      kind: z.enum([...textObstacles, 'noCaptions']),
      inDescription: z.boolean(),
      /** Some of the lessons, and how many there are. */
      lessons: z.array(z.object({ id: z.uuid(), title: z.string() })),
      lessonsCount: z.number().int(),
    }),
  ),
})
export type PublishChecklist = z.output<typeof publishChecklist>

// The content editor -------------------------------------------------------------------------

/** Absent for what is new: the server gives the id, and it never changes after. */
const keptId = (name: string) => uuid(name).optional()
const maybeBlank = (name: string, max: number) => optionalLine(name, max)

const lessonLink = z.object({
  id: keptId('A link'),
  title: maybeBlank('Link title', limits.title),
  url: maybeBlank('Link address', limits.linkAddress),
  description: maybeBlank('Link description', limits.shortDescription),
})

const durationProblem = `Duration must be whole minutes, 1 to ${limits.lessonMinutes}`

/** A video elsewhere, as its creator wrote the address; `videoLink` says what becomes of it. */
const videoUrl = clearableLine('Video address', 2000)
  .refine(
    (address) => address === '' || videoLink(address) !== null,
    'Video address must be a web address, such as https://example.com/film.mp4',
  )
  .transform((address) => address || null)

const lessonContent = z.object({
  id: keptId('A lesson'),
  title: maybeBlank('Lesson title', limits.title),
  content: richText('Lesson text'),
  videoId: uuid('The video').nullable().default(null),
  /** Instead of an uploaded video, never beside one. */
  videoUrl: videoUrl.nullish(),
  /** Open to everybody, as a taste of the course. */
  isPreview: z.boolean('Free preview must be on or off').optional(),
  /** What the creator says; a video's own length goes before it. */
  durationMinutes: z
    .int(durationProblem)
    .min(1, durationProblem)
    .max(limits.lessonMinutes, durationProblem)
    .nullish(),
  links: z
    .array(lessonLink)
    .max(limits.linksPerLesson, `A lesson can have at most ${limits.linksPerLesson} links`)
    .default([]),
})

const chapterContent = z.object({
  id: keptId('A chapter'),
  title: maybeBlank('Chapter title', limits.title),
  lessons: z.array(lessonContent),
})

/** Blank titles are dropped on the way in (spec 2, section 5), so that saving never fails over them. */
export const courseContentSave = z.object({
  courseId,
  /** The version that the editor loaded; another one in the database means a conflict. */
  contentVersion: z.number().int(),
  chapters: z
    .array(chapterContent)
    .max(limits.chapters, `A course can have at most ${limits.chapters} chapters`)
    .refine(
      (chapters) =>
        chapters.reduce((sum, chapter) => sum + chapter.lessons.length, 0) <= limits.lessons,
      `A course can have at most ${limits.lessons.toLocaleString('en-US')} lessons`,
    ),
})
export type CourseContentSave = z.output<typeof courseContentSave>

export const lessonVideo = z.object({
  id: z.uuid(),
  filename: z.string(),
  sizeBytes: z.number(),
  status: z.enum(['uploading', 'ready', 'failed']),
  problem: z.string().nullable(),
  /** Where its owner plays it, bound to them and to time; null until it is ready. */
  url: z.string().nullable(),
  /** What is made of it once it is ready; null where nothing is (no ffmpeg). The original plays meanwhile. */
  processing: z
    .object({
      status: z.enum(['queued', 'running', 'done', 'failed']),
      percent: z.number().int(),
      problem: z.string().nullable(),
    })
    .nullable(),
})

export const courseContent = z.object({
  id: z.uuid(),
  slug: z.string(),
  title: z.string(),
  status: z.enum(['draft', 'published']),
  contentVersion: z.number().int(),
  videoMaxMb: z.number().int(),
  /** This Thunder makes versions of each video that play everywhere. */
  processesVideos: z.boolean(),
  /** What the videos of this course take on the server's disk. */
  storage: z.object({ bytes: z.number(), files: z.number().int() }),
  chapters: z.array(
    z.object({
      id: z.uuid(),
      title: z.string(),
      lessons: z.array(
        z.object({
          id: z.uuid(),
          title: z.string(),
          content: storedRichText,
          video: lessonVideo.nullable(),
          videoUrl: z.string().nullable(),
          isPreview: z.boolean(),
          durationMinutes: z.number().int().nullable(),
          /** The length of its video; null without one, and where the file does not say. */
          videoMinutes: z.number().int().nullable(),
          links: z.array(
            z.object({ id: z.uuid(), title: z.string(), url: z.string(), description: z.string() }),
          ),
        }),
      ),
    }),
  ),
})
export type CourseContent = z.output<typeof courseContent>

// The signed-in dashboard ----------------------------------------------------------------------

export const myDashboard = z.object({
  enrolled: z.array(
    courseCard.extend({
      /** How somebody learns: null for a token that may not read that. */
      progressPercent: z.number().int().nullable(),
      completedCount: z.number().int().nullable(),
      /** The lesson played last of those not completed, else the first of these; null when there is none. */
      continueWith: nextLesson.nullable(),
    }),
  ),
  created: z.array(courseCard.extend({ status: z.enum(['draft', 'published']) })),
})
export type MyDashboard = z.output<typeof myDashboard>
