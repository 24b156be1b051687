import { withoutLightning } from '../../courses/rules.ts'
import type { Delivery, Endpoint } from '../schema.ts'

type Tone = 'success' | 'warning' | 'danger' | 'neutral' | 'primary'

export function endpointBadge({ status, failingSince }: Endpoint): { label: string; tone: Tone } {
  if (status === 'paused') return { label: 'Paused', tone: 'neutral' }
  if (status === 'disabled') return { label: 'Turned off', tone: 'danger' }
  return failingSince ? { label: 'Failing', tone: 'warning' } : { label: 'Active', tone: 'success' }
}

export const deliveryBadges: Record<Delivery['status'], { label: string; tone: Tone }> = {
  pending: { label: 'Pending', tone: 'primary' },
  delivered: { label: 'Delivered', tone: 'success' },
  failed: { label: 'Failed', tone: 'danger' },
}

export const aboutWhich = ({ course }: Endpoint) =>
  course ? withoutLightning(course.title) : 'All your courses'

export const eventCount = ({ events }: Endpoint) =>
  events.length === 1 ? '1 event' : `${events.length} events`
