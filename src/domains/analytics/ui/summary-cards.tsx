import { BookOpen, CircleDollarSign, type LucideIcon, Star, Users } from 'lucide-react'
import { money } from '../../billing/ui/plan-words.ts'
import { ratingLabel } from '../../reviews/rules.ts'
import type { CreatorAnalytics } from '../schema.ts'
import { Figure } from './figure.tsx'
import { inRange, type TimeRange } from './time-range.ts'

type SummaryCardsProps = { analytics: CreatorAnalytics; days: TimeRange | undefined }

/** The four figures, each with what it counts. */
export function SummaryCards({ analytics, days }: SummaryCardsProps) {
  const { students, revenue, currency, activeCourses, averageRating } = analytics
  const range = inRange(days)
  return (
    <dl className="grid grid-cols-1 gap-4 sm:grid-cols-2 lg:grid-cols-4">
      <SummaryCard
        icon={Users}
        name="Total Students"
        figure={students.toLocaleString('en-US')}
        about={range ? `Joined ${range} and still there` : 'In all of your courses'}
      />
      <SummaryCard
        icon={CircleDollarSign}
        name="Total Revenue"
        figure={money(revenue, currency)}
        about={
          range
            ? `Paid ${range}, less refunds and disputes of that time, before fees`
            : 'Paid by students, less refunds and disputes, before fees'
        }
      />
      <SummaryCard
        icon={BookOpen}
        name="Active Courses"
        figure={activeCourses.toLocaleString('en-US')}
        about="Published now"
      />
      <SummaryCard
        icon={Star}
        name="Average Rating"
        figure={averageRating === null ? 'None yet' : ratingLabel(averageRating)}
        about="Of your courses with reviews, all time"
      />
    </dl>
  )
}

type SummaryCardProps = { icon: LucideIcon; name: string; figure: string; about: string }

function SummaryCard({ icon: Icon, name, figure, about }: SummaryCardProps) {
  return (
    <div className="grid content-start gap-1 rounded-card border bg-surface p-5 shadow-card">
      <dt className="flex items-center justify-between gap-3 text-sm font-semibold text-muted">
        {name}
        <Icon size={18} aria-hidden className="text-primary" />
      </dt>
      <dd className="font-display text-2xl font-bold tabular-nums">
        <Figure>{figure}</Figure>
      </dd>
      <dd className="text-sm text-pretty text-muted">{about}</dd>
    </div>
  )
}
