import type { CaseAction, ReportReason } from '../rules.ts'

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
