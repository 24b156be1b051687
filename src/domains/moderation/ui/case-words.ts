import type * as z from 'zod'
import type { CaseAction, ReportReason } from '../rules.ts'
import type { reported } from '../schema.ts'

/** What a reason is called, to who reports and to who decides. */
export const reasonWords: Record<ReportReason, string> = {
  spam: 'Spam or advertising',
  harassment: 'Harassment or bullying',
  hate: 'Hate or discrimination',
  sexual: 'Sexual content',
  dangerous: 'Violence or danger',
  copyright: 'Copied without permission',
  other: 'Something else',
}

/** What was done, in the history and as the outcome of a case. */
export const actionWords: Record<CaseAction, string> = {
  dismiss: 'Dismissed',
  hide: 'Hidden',
  delete: 'Deleted',
  warn: 'Author warned',
  remove_member: 'Member removed',
  restore: 'Restored',
  note: 'Note',
}

type Receipt = Pick<z.output<typeof reported>, 'again' | 'lookedAtBy'>

const lookers = { instructor: 'The instructor', administrators: 'An administrator' } as const

/** Reported again, it may be decided already, and nobody looks once more at what says the same. */
export const thanksFor = ({ again, lookedAtBy }: Receipt) =>
  again
    ? `You have reported this already, thank you. ${lookers[lookedAtBy]} will look at it, or has done so.`
    : `Thank you. ${lookers[lookedAtBy]} will look at it.`
