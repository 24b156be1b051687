import * as z from 'zod'
import { clearableLine, text, timestamp } from '../../fields.ts'
import { featureNames } from './features.ts'
import { limits } from './rules.ts'

const name = z.enum(featureNames, 'There is no such feature')

const feature = z.object({
  name,
  label: z.string(),
  stops: z.string(),
  goesOn: z.string(),
  isOff: z.boolean(),
  /** Closed here whatever the switch says. */
  isClosedByConfiguration: z.boolean(),
  /** Of what is off; all null otherwise. */
  since: timestamp.nullable(),
  /** Null, too, when no administrator switched it off but a restore, or a statement in the database. */
  reason: z.string().nullable(),
  /** Null for an account that was deleted, too. */
  by: z.object({ id: z.uuid(), name: z.string() }).nullable(),
  /** What people read after the sentence that it is off; may be empty. */
  notice: z.string(),
})
export type Feature = z.output<typeof feature>
export const featureList = z.object({ features: z.array(feature) })

export const featureSwitch = z.object({
  name,
  off: z.boolean('Off must be on or off'),
  reason: text('The reason', limits.reason, 'Please write a reason: it stays in the audit log'),
  /** Of no effect where something is switched on. */
  notice: clearableLine('The sentence for people', limits.notice).default(''),
})
