// What the fields of the course form hold, before it is checked.
import type * as z from 'zod'
import { defaultInstructions, defaultQuestions } from '../../applications/rules.ts'
import type { applicationQuestions } from '../../applications/schema.ts'
import { emptyRichText, type RichText } from '../../lessons/rich-text.ts'
import { amountIn, defaultPrice, textOfAmount } from '../pricing.ts'
import { categories, type Category, levels, type PricingType, withoutLightning } from '../rules.ts'
import type { courseForm, courseFormValues } from '../schema.ts'

export type StoredCourse = z.output<typeof courseFormValues>
export type StoredQuestions = z.output<typeof applicationQuestions>['questions']

export interface CourseFields {
  title: string
  shortDescription: string
  description: RichText
  category: Category | ''
  level: (typeof levels)[number]
  thumbnailId: string | null
  pricingType: PricingType
  /** In dollars, as somebody writes it. */
  price: string
  applicationRequired: boolean
  applicationInstructions: string
  applicationQuestions: { id?: string; question: string; required: boolean }[]
  watermark: boolean
}

/** The questions to begin with: the default ones as long as there are none, or none could be loaded. */
export const startingQuestions = (stored: StoredQuestions | null) =>
  stored && stored.length > 0 ? stored : defaultQuestions

const newCourse: CourseFields = {
  title: '',
  shortDescription: '',
  description: emptyRichText,
  category: '',
  level: 'Beginner',
  thumbnailId: null,
  pricingType: 'one_time',
  price: textOfAmount(defaultPrice),
  applicationRequired: false,
  applicationInstructions: defaultInstructions,
  applicationQuestions: defaultQuestions,
  watermark: false,
}

export function startingFields(
  course: StoredCourse | null,
  questions: StoredQuestions | null,
): CourseFields {
  if (!course) return newCourse
  const { title, shortDescription, description, thumbnailId, pricingType, priceAmount } = course
  const { applicationRequired, applicationInstructions, watermark } = course
  return {
    title: withoutLightning(title),
    shortDescription,
    description,
    category: categories.find((category) => category === course.category) ?? '',
    level: levels.find((level) => level === course.level) ?? 'Beginner',
    thumbnailId,
    pricingType,
    price: textOfAmount(priceAmount),
    applicationRequired,
    applicationInstructions,
    applicationQuestions: startingQuestions(questions),
    watermark,
  }
}

/** The course that the fields describe; what is switched off is left out. */
export function courseIn(fields: CourseFields): z.input<typeof courseForm> {
  const { price, category, applicationQuestions: questions, ...course } = fields
  return {
    ...course,
    // The empty choice is none, and is refused as such.
    category: category as Category,
    priceAmount: fields.pricingType === 'free' ? 0 : amountIn(price),
    applicationQuestions: fields.applicationRequired ? questions : undefined,
    applicationInstructions: fields.applicationRequired
      ? fields.applicationInstructions
      : undefined,
  }
}
