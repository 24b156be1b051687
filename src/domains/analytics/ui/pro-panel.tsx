import { ChartColumn, Check } from 'lucide-react'
import { Card } from '../../../ui/card.tsx'
import { UpgradeButton } from '../../billing/ui/upgrade-link.tsx'

const additions = [
  'Revenue, enrollments, active learners, completions and community activity over time',
  'Where people stop: how many completed each lesson of a course',
  'Revenue course by course',
  'Your figures and your students as CSV files',
]

/** In place of the advanced part, for who is not on Pro: what it is, and no made-up figures. */
export function ProPanel() {
  return (
    <Card as="section" aria-labelledby="pro-analytics" className="grid gap-5 sm:p-8">
      <div className="flex items-start gap-4">
        <span className="grid size-12 shrink-0 place-items-center rounded-2xl bg-primary-soft text-primary">
          <ChartColumn size={24} strokeWidth={1.75} aria-hidden />
        </span>
        <div className="grid gap-1">
          <h2 id="pro-analytics" className="text-xl">
            See how it goes over time, with Pro
          </h2>
          <p className="text-pretty text-muted">
            Advanced analytics are a Pro benefit. From the first day they show everything that has
            happened in your courses so far.
          </p>
        </div>
      </div>
      <ul className="grid gap-2">
        {additions.map((addition) => (
          <li key={addition} className="flex gap-2.5">
            <Check size={18} aria-hidden className="mt-0.5 shrink-0 text-success" />
            {addition}
          </li>
        ))}
      </ul>
      <div>
        <UpgradeButton />
      </div>
    </Card>
  )
}
