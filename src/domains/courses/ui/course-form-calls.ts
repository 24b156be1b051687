// What the course form checks, and what it says to the server. Loaded after the page.
import { zodResolver } from '@hookform/resolvers/zod'
import { safe } from '@orpc/client'
import type { FieldErrors, Resolver } from 'react-hook-form'
import { client } from '../../../web/api-client.ts'
import { mayBeDone } from '../../../web/call-outcome.ts'
import { doneOnce } from '../../../web/done-once.ts'
import type { RichText } from '../../lessons/rich-text.ts'
import { type CourseForm, newCourse } from '../schema.ts'
import { callProblem } from './call-problem.ts'
import {
  type CourseFields,
  courseIn,
  startingQuestions,
  type StoredCourse,
  type StoredQuestions,
} from './course-form-fields.ts'
import { savedOverOwn } from './unheard-descriptions.ts'

const checkForm = zodResolver(newCourse)

/** What is wrong with a price is said at the field where it is written. */
export const checkCourse: Resolver<CourseFields, unknown, CourseForm> = async (
  fields,
  context,
  options,
) => {
  const { values, errors } = await checkForm(courseIn(fields), context, options as never)
  const { priceAmount, ...others } = errors as FieldErrors<CourseForm>
  if (!priceAmount && Object.keys(others).length === 0) {
    return { values: values as CourseForm, errors: {} }
  }
  return {
    values: {},
    errors: { ...others, ...(priceAmount && { price: priceAmount }) } as FieldErrors<CourseFields>,
  }
}

/** The same text for the same value, in whatever order its parts were written. */
const canonical = (value: unknown) =>
  JSON.stringify(value, (_name, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  )

/** What differs from what the server has: another tab may have changed the rest meanwhile. */
function changesIn(form: CourseForm, course: StoredCourse, questions: StoredQuestions | null) {
  const before: Record<string, unknown> = {
    ...course,
    applicationQuestions: startingQuestions(questions),
  }
  const { pricingType, priceAmount, ...others } = form
  const changed: Partial<CourseForm> = Object.fromEntries(
    Object.entries(others).filter(
      ([name, value]) => value !== undefined && canonical(value) !== canonical(before[name]),
    ),
  )
  const samePrice = pricingType === course.pricingType && priceAmount === course.priceAmount
  return samePrice ? changed : { ...changed, pricingType, priceAmount }
}

type Saved = { id: string } | { problem: string }

async function answerOf(call: Promise<{ id: string }>): Promise<Saved> {
  const [error, saved] = await safe(call)
  return error
    ? { problem: callProblem(error, 'Failed to create course. Please try again.') }
    : { id: saved.id }
}

const once = doneOnce()

export const createCourse = (form: CourseForm) =>
  answerOf(
    once(form, (idempotencyKey) =>
      client.courses.createCourse(form, { context: { idempotencyKey } }),
    ),
  )

/** By course: fields that were sent, and no answer came. What the page was loaded with may not be there any more. */
const unheard = new Map<string, Set<string>>()

async function heard<Answer>(courseId: string, fields: string[], call: Promise<Answer>) {
  try {
    const answer = await call
    unheard.delete(courseId)
    return answer
  } catch (error) {
    const before = unheard.get(courseId) ?? []
    if (mayBeDone(error)) unheard.set(courseId, new Set([...before, ...fields]))
    throw error
  }
}

function withUnheard(form: CourseForm, courseId: string, changes: Partial<CourseForm>) {
  const fields = unheard.get(courseId)
  if (!fields) return changes
  const again = Object.entries(form).filter(
    ([name, value]) => fields.has(name) && value !== undefined,
  )
  return { ...changes, ...Object.fromEntries(again) }
}

/** Sends what was changed; nothing when nothing was. */
export async function updateCourse(
  form: CourseForm,
  course: StoredCourse,
  questions: StoredQuestions | null,
): Promise<Saved> {
  const changes = withUnheard(form, course.id, changesIn(form, course, questions))
  if (Object.keys(changes).length === 0) return { id: course.id }
  // What another tab wrote meanwhile is not written over without a word.
  const update = (descriptionBefore?: RichText) =>
    client.courses.updateCourse({ ...changes, descriptionBefore, courseId: course.id })
  const { description } = changes
  const call =
    description && course.description
      ? savedOverOwn(course.id, description, course.description, update)
      : update()
  return answerOf(heard(course.id, Object.keys(changes), call))
}
