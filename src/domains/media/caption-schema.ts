import * as z from 'zod'
import { timestamp, uuid } from '../../fields.ts'
import { captionLimits, captionProblems } from './caption-format.ts'
import { isCaptionLanguage } from './caption-languages.ts'

export const byVideo = z.object({ mediaId: uuid('The video') })
export const byCaptions = byVideo.extend({
  language: z
    .string('Please choose a language')
    .refine(isCaptionLanguage, 'Captions cannot be in this language'),
})

const time = z
  .number('The times of captions must be seconds')
  .min(0, 'The times of captions must be seconds')
  .max(captionLimits.seconds, 'Captions can be at most 24 hours into a video')

const savedAt = z.iso
  .datetime('This is no time at which captions were saved')
  .transform((value) => new Date(value))

/** Of the captions that are to go: newer ones stay. Left out, any go. */
export const captionsRemoval = byCaptions.extend({ updatedAt: savedAt.optional() })

/** How captions are written is checked by `tidyCues` and `parseCaptions`, which name the place. */
export const captionsSave = byCaptions
  .extend({
    /** An .srt or .vtt file. */
    file: z.string('A captions file must be text').optional(),
    cues: z
      .array(z.object({ start: time, end: time, text: z.string('Captions must be text') }))
      .max(captionLimits.cues, captionProblems.tooMany)
      .optional(),
    /** Of the captions that were opened, null where there were none: newer ones stay. Left out, they are replaced. */
    updatedAt: savedAt.nullable().optional(),
  })
  .refine(
    ({ file, cues }) => (file === undefined) !== (cues === undefined),
    'Please send either a captions file or captions.',
  )

/** One language of a video's captions, without them. */
export const captionsInfo = z.object({
  language: z.string(),
  label: z.string(),
  cuesCount: z.number().int(),
  updatedAt: timestamp,
})

export const captionsList = z.object({
  captions: z.array(captionsInfo),
  /** Of the video; null where nobody knows. */
  durationSeconds: z.number().nullable(),
})

export const captionCues = z.object({
  language: z.string(),
  label: z.string(),
  /** Times in seconds, text without markup. */
  cues: z.array(z.object({ start: z.number(), end: z.number(), text: z.string() })),
  updatedAt: timestamp,
})

export const captionsSaved = captionsInfo.extend({
  /** What may be meant, and may not: captions that begin after the video's end. */
  warning: z.string().nullable(),
})
