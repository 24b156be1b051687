// The pieces that the domains' schemas are made of.
import * as z from 'zod'
import { isBlank } from './is-blank.ts'

/** What PostgreSQL cannot store (NUL, lone surrogates) is dropped before anything looks at the text. */
const storable = (value: string) => value.replaceAll('\0', '').toWellFormed()

const length = (max: number) => max.toLocaleString('en-US')

/** Has something that people can see: no text is made of zero-width characters alone. */
const visible = (missing: string) =>
  z
    .string()
    .min(1, { error: missing, abort: true })
    .refine((value) => !isBlank(value), missing)

/** One line of text, trimmed; `name` starts the messages: "Course title is required". */
export const line = (name: string, max: number, missing = `${name} is required`) =>
  z
    .string(missing)
    .transform((value) => storable(value).replace(/\s+/gu, ' ').trim())
    .pipe(visible(missing).max(max, `${name} can have at most ${length(max)} characters`))

/** Like `line`, but may be empty. */
export const clearableLine = (name: string, max: number) =>
  z
    .string(`${name} must be text`)
    .transform((value) => storable(value).replace(/\s+/gu, ' ').trim())
    .pipe(z.string().max(max, `${name} can have at most ${length(max)} characters`))

/** Like `line`, but may be left out. */
export const optionalLine = (name: string, max: number) => clearableLine(name, max).default('')

/** Several lines of text, trimmed; may be empty. A form sends line ends of its own, which count as one. */
export const clearableText = (name: string, max: number) =>
  z
    .string(`${name} must be text`)
    .transform((value) => storable(value).replace(/\r\n?/g, '\n').trim())
    .pipe(z.string().max(max, `${name} can have at most ${length(max)} characters`))

/** Like `clearableText`, but not without anything to see. */
export const text = (name: string, max: number, missing: string) =>
  clearableText(name, max).pipe(visible(missing))

/** As the database writes it, however it was sent: ids are compared outside of it, too. */
export const uuid = (name: string) => z.uuid(`${name} is not a valid id`).toLowerCase()

const notAPlace = 'This is not a place in the list'

/**
 * `nextCursor` of the page before: microseconds since 1970, which JavaScript's dates would lose, and an id. Exactly
 * as it was given out: the database could not read what only looks like it.
 */
export const placeInList = z
  .string(notAPlace)
  .regex(/^\d{1,16}_[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/, notAPlace)

/** Says in the description of the API what the number is; last in its chain, for what follows would drop it. */
export const inMinorUnits = <Amount extends z.ZodType>(amount: Amount) =>
  amount.meta({ description: 'In minor units of the currency: 2900 is $29.00.' })

export const minorUnits = inMinorUnits(z.number().int())

/** Lower-case letters, digits and hyphens; anything else cannot be the address of something. */
export const slug = z.string().min(1).max(200).transform(storable)

/** Goes in as a Date, crosses the wire as ISO 8601 in UTC. */
export const timestamp = z
  .date()
  .transform((value) => value.toISOString())
  .pipe(z.iso.datetime())
