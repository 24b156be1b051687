import { Zap } from 'lucide-react'
import { Badge } from '../../../ui/badge.tsx'
import { type RequestStatus, statusWords } from '../rules.ts'

const tones = { waiting: 'warning', answered: 'success', closed: 'neutral' } as const

export function RequestBadges({ status, priority }: { status: RequestStatus; priority: boolean }) {
  return (
    <>
      <Badge tone={tones[status]}>{statusWords[status]}</Badge>
      {priority && (
        <Badge tone="spark">
          <Zap aria-hidden /> Priority
        </Badge>
      )}
    </>
  )
}
