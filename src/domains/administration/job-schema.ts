// What crosses the wire about background jobs. Never what a job carries: that can be mails, addresses and codes.
import * as z from 'zod'
import { text, timestamp } from '../../fields.ts'
import type { JobName } from '../../jobs.ts'
import { jobKinds } from './job-kinds.ts'
import { limits } from './rules.ts'

/** A positive bigint, as far as queues get. */
const id = (message: string) => z.string(message).regex(/^[1-9]\d{0,17}$/, message)

export type JobState = 'waiting' | 'later' | 'underWay' | 'failing' | 'givenUp'

const kindInQueue = z.object({
  name: z.string(),
  waiting: z.number().int(),
  later: z.number().int(),
  underWay: z.number().int(),
  /** Since when the first of those under way is. */
  underWaySince: timestamp.nullable(),
  failing: z.number().int(),
  givenUp: z.number().int(),
})
export type KindInQueue = z.output<typeof kindInQueue>

export const jobQueue = z.object({
  /** Since when the job that waits longest has been due; null when nothing is. */
  waitingSince: timestamp.nullable(),
  /** Those with trouble first. */
  kinds: z.array(kindInQueue),
})

export const failingJobsQuery = z.object({
  cursor: id('This is not a place in the list').optional(),
})

const failingJob = z.object({
  id: z.string(),
  name: z.string(),
  /** Under way: it failed before and is being tried again now. */
  state: z.enum(['failing', 'givenUp', 'underWay']),
  attempts: z.number().int(),
  maxAttempts: z.number().int(),
  nextTryAt: timestamp,
  createdAt: timestamp,
  /** Without what may be about somebody; empty when there is none. */
  error: z.string(),
})
export type FailingJob = z.output<typeof failingJob>

/** Newest first. */
export const failingJobs = z.object({
  jobs: z.array(failingJob),
  nextCursor: z.string().nullable(),
})
export type FailingJobs = z.output<typeof failingJobs>

export const byJob = z.object({ jobId: id('This is not the number of a job') })
export const givingUp = byJob.extend({
  reason: text('The reason', limits.reason, 'Please write a reason: it stays in the audit log'),
})

const jobNames = Object.keys(jobKinds) as [JobName, ...JobName[]]
export const byJobKind = z.object({ name: z.enum(jobNames, 'There is no such kind of job') })
export const triedAgain = z.object({ tried: z.number().int() })
