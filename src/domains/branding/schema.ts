import * as z from 'zod'
import { clearableLine, clearableText, uuid } from '../../fields.ts'
import { brandingLimits } from './rules.ts'

/** What visitors and members see of it: colours as CSS properties, and pictures. Null where there is nothing. */
export const shownBranding = z
  .object({
    accent: z.record(z.string(), z.string()).nullable(),
    logoUrl: z.string().nullable(),
    cover: z.object({ small: z.string(), medium: z.string(), large: z.string() }).nullable(),
  })
  .nullable()
export type ShownBranding = z.output<typeof shownBranding>

const wrongColour = 'A color is a # and six of 0 to 9 and a to f, such as #1a7f5a'

export const byCourse = z.object({ courseId: uuid('The course') })

export const brandingForm = z.object({
  colour: z
    .string(wrongColour)
    .transform((value) => value.trim().toLowerCase())
    .pipe(z.string().regex(/^#[0-9a-f]{6}$/, wrongColour))
    .nullable(),
  logoId: uuid('The logo').nullable(),
  coverId: uuid('The cover').nullable(),
  certificateHeading: clearableLine('The heading', brandingLimits.heading),
  certificateWords: clearableText('The words', brandingLimits.words),
  certificateSignatory: clearableLine('The name of who signs', brandingLimits.signatory),
})

export const brandingSave = byCourse.extend(brandingForm.shape)

export const courseBranding = z.object({
  /** Only with Pro can something new be chosen. */
  isPro: z.boolean(),
  branding: z.object({
    colour: z.string().nullable(),
    logoId: z.uuid().nullable(),
    coverId: z.uuid().nullable(),
    certificateHeading: z.string(),
    certificateWords: z.string(),
    certificateSignatory: z.string(),
  }),
})
