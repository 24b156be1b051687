import * as z from 'zod'
import { clearableText, slug, text as requiredText, timestamp, uuid } from '../../fields.ts'
import { shownBranding } from '../branding/schema.ts'
import type { RichText } from './rich-text.ts'
import { longestAgo } from './longest-ago.ts'
import { noteLimits } from './note-limits.ts'

export const byLessonId = z.object({ lessonId: uuid('The lesson') })
export const byCourseSlug = z.object({ slug })
export const bySlugs = z.object({ slug, lessonSlug: slug })

const neighbour = z.object({ slug: z.string(), title: z.string() }).nullable()

/** A video to play. All addresses of a file are bound to this person and expire; they are paths of this server. */
const lessonVideo = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('file'),
    mediaId: z.uuid(),
    /** The file as it was uploaded. */
    url: z.string(),
    contentType: z.string(),
    /** Null where nobody knows. */
    durationSeconds: z.number().nullable(),
    width: z.number().int().nullable(),
    height: z.number().int().nullable(),
    /** These three once the video is processed. */
    hlsUrl: z.string().nullable(),
    posterUrl: z.string().nullable(),
    /** WebVTT of small pictures for the seek bar. */
    previewUrl: z.string().nullable(),
    captions: z.array(z.object({ language: z.string(), label: z.string(), url: z.string() })),
    /** It waits to be processed, or is: what a browser cannot play as it was uploaded plays after that. */
    isProcessing: z.boolean(),
  }),
  /** A video elsewhere; what may be done with the address is decided by `videoLink` (media/video-link.ts). */
  z.object({ kind: z.literal('link'), url: z.string() }),
])
export type LessonVideo = z.output<typeof lessonVideo>

/** Checked when it was saved. */
export const storedRichText = z.custom<RichText>()

export const lessonPage = z.object({
  id: z.uuid(),
  slug: z.string(),
  title: z.string(),
  /** 1-based, counted through the whole course. */
  number: z.number().int(),
  lessonsCount: z.number().int(),
  chapterTitle: z.string(),
  content: storedRichText,
  /** How long it takes; null where nobody knows. */
  minutes: z.number().int().nullable(),
  video: lessonVideo.nullable(),
  resources: z.array(
    z.object({ id: z.uuid(), title: z.string(), url: z.string(), description: z.string() }),
  ),
  completedAt: timestamp.nullable(),
  /** What lies faintly over the video: the viewer's email address, in courses that want it. */
  watermark: z.string().nullable(),
  /** The film of this lesson plays on so many devices of the viewer at once; null where nobody counts. */
  streamLimit: z.number().int().nullable(),
  /** False for an administrator who only looks: where they are and what they complete is not stored. */
  keepsProgress: z.boolean(),
  /** Seconds into the video where this person left it; 0 at first. */
  position: z.number(),
  previous: neighbour,
  next: neighbour,
  course: z.object({
    id: z.uuid(),
    slug: z.string(),
    title: z.string(),
    branding: shownBranding,
  }),
})
export type LessonPage = z.output<typeof lessonPage>

/** What everybody may see of a lesson that is a free preview. */
export const previewLesson = lessonPage
  .pick({ id: true, slug: true, title: true, content: true, minutes: true, video: true })
  .extend({
    resources: lessonPage.shape.resources,
    course: lessonPage.shape.course.extend({
      instructorName: z.string(),
      lessonsCount: z.number().int(),
    }),
    /** This person has the whole course. */
    canLearn: z.boolean(),
  })
export type PreviewLesson = z.output<typeof previewLesson>

export const completion = z.object({
  completedAt: timestamp.nullable(),
  completedCount: z.number().int(),
  lessonsCount: z.number().int(),
  progressPercent: z.number().int(),
  /** Of a learner who has completed the whole course. */
  certificateId: z.uuid().optional(),
})

/** Chapters and lessons beside a lesson, with the viewer's own ticks. */
export const lessonOutline = z.object({
  chapters: z.array(
    z.object({
      id: z.uuid(),
      title: z.string(),
      lessons: z.array(
        z.object({
          id: z.uuid(),
          slug: z.string(),
          title: z.string(),
          minutes: z.number().int().nullable(),
          hasVideo: z.boolean(),
          isPreview: z.boolean(),
          completed: z.boolean(),
        }),
      ),
    }),
  ),
  completedCount: z.number().int(),
  lessonsCount: z.number().int(),
  /** The viewer teaches this course. */
  canEdit: z.boolean(),
})
export type LessonOutline = z.output<typeof lessonOutline>

// Progress in a video -------------------------------------------------------------------------

/** A day is longer than any video here. */
const secondsOfVideo = (name: string) => {
  const problem = `${name} must be a number of seconds, 0 to 86,400`
  // PostgreSQL's `real` refuses what is smaller than it can hold: a thousandth is fine enough for a film.
  return z
    .number(problem)
    .min(0, problem)
    .max(86_400, problem)
    .overwrite((seconds) => Math.round(seconds * 1000) / 1000)
}

const agoProblem = `How long ago it was must be a number of seconds, 0 to ${longestAgo.toLocaleString('en')}`

/** What happened in the player since the last report. */
export const positionSave = byLessonId.extend({
  video: z
    .string('The video must be its id or its address')
    .max(2000, 'The video can be at most 2,000 characters')
    .meta({
      description:
        'Which video this is about: its mediaId, or its url where it is elsewhere. Without it, the one that the lesson has.',
    })
    .optional(),
  seconds: secondsOfVideo('The position').meta({
    description: 'Where the person is in the video, in seconds.',
  }),
  secondsAgo: z
    .number(agoProblem)
    .min(0, agoProblem)
    .max(longestAgo, agoProblem)
    .overwrite(Math.round)
    .meta({
      description:
        'How long ago they were there, when it is told late: another device may be somewhere else by now.',
    })
    .optional(),
  played: z
    .array(
      z
        .object({ from: secondsOfVideo('A stretch'), to: secondsOfVideo('A stretch') })
        .refine(({ from, to }) => from <= to, 'A stretch must end after it begins'),
      'What was played must be a list of stretches',
    )
    .max(20, 'A report can have at most 20 stretches')
    .meta({
      description: 'What was played since the last report, not what was skipped, in seconds.',
    })
    .default([]),
  duration: secondsOfVideo('The duration')
    .meta({
      description:
        'How long the player says that the video is, in seconds; counts where the server does not know.',
    })
    .optional(),
  ended: z
    .boolean('Ended must be true or false')
    .meta({ description: 'The player came to the end.' })
    .default(false),
})
export type PositionSave = z.output<typeof positionSave>

export const savedPosition = z.object({
  /** Where the person is, as far as all devices have told: another place than was reported, when that was told late. */
  seconds: z.number(),
  /** False when more was reported as played than can have been since the last report; nothing of it counts. */
  accepted: z.boolean(),
  /** The video was watched to its end, and that completed the lesson. */
  completed: z.boolean(),
  /** Set when `completed`. */
  completion: completion.optional(),
  /** The stream of this browser, where it began one: ended when another device plays in its place. */
  stream: z
    .object({
      id: z.uuid(),
      state: z.enum(['kept', 'lapsed', 'ended']),
      endedBy: z.uuid().nullable(),
    })
    .optional(),
})
export type SavedPosition = z.output<typeof savedPosition>

export const streamClaim = byLessonId.extend({
  /** The other stream to end, when there is no place otherwise. */
  insteadOf: uuid('The other device').optional(),
})

/** Null where nobody counts. */
export const claimedStream = z.object({ streamId: z.uuid().nullable() })

export const otherStreams = z.object({
  /** The oldest first. */
  streams: z.array(z.object({ id: z.uuid(), device: z.string(), since: timestamp })),
})
export type OtherStream = z.output<typeof otherStreams>['streams'][number]

// Private notes -------------------------------------------------------------------------------

const noteText = requiredText('A note', noteLimits.text, 'Please write something first')
const noteSeconds = secondsOfVideo('The time of a note').nullable()

export const newNote = byLessonId.extend({
  text: noteText,
  /** The moment of the video that it is about; null for the lesson as a whole. */
  seconds: noteSeconds.default(null),
})

const byNoteId = byLessonId.extend({ noteId: uuid('The note') })

/** Only what is set changes. */
export const noteUpdate = byNoteId
  .extend({
    text: noteText.optional(),
    seconds: noteSeconds.optional(),
    /** What the note said when it was opened: where it says something else by now, nothing is changed. */
    textBefore: clearableText('The earlier text', noteLimits.text).optional(),
  })
  .refine(
    ({ text, seconds }) => text !== undefined || seconds !== undefined,
    'There is nothing to change.',
  )

export const lessonNote = z.object({
  id: z.uuid(),
  text: z.string(),
  seconds: z.number().nullable(),
  createdAt: timestamp,
  updatedAt: timestamp,
})
export type LessonNote = z.output<typeof lessonNote>

/** Which note, and what it said when it was read: where it says something else by now, it stays. */
export const deletedNote = byNoteId.extend({
  textBefore: clearableText('The earlier text', noteLimits.text).optional(),
})

/** As it is by now. */
export const changedNote = z.object({ note: lessonNote })
