import { Badge } from '../../../ui/badge.tsx'
import type { Application, Decision } from '../schema.ts'

const looks = {
  pending: { tone: 'warning', label: 'Pending' },
  approved: { tone: 'success', label: 'Approved' },
  rejected: { tone: 'danger', label: 'Rejected' },
  withdrawn: { tone: 'neutral', label: 'Withdrawn' },
  revoked: { tone: 'neutral', label: 'Removed' },
} as const

/** What a decision is called while it is on its way. */
const underWay: Record<Decision, string> = { approved: 'Approving…', rejected: 'Rejecting…' }

type ApplicationStatusProps = {
  application: Pick<Application, 'status' | 'dueDecision'>
  /** Not where it was listed any more; what became of it is not known here. */
  isGone: boolean
}

/** Amber, green or red, and in words. */
export function ApplicationStatus({ application, isGone }: ApplicationStatusProps) {
  if (isGone) return <Badge>No longer pending</Badge>
  if (application.dueDecision) {
    return <Badge tone="primary">{underWay[application.dueDecision.decision]}</Badge>
  }
  const { tone, label } = looks[application.status]
  return <Badge tone={tone}>{label}</Badge>
}
