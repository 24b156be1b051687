import { Card, CardHeader } from '../../../ui/card.tsx'
import { money } from '../../billing/ui/plan-words.ts'
import { countLabel } from '../../courses/ui/count-label.ts'
import { withoutLightning } from '../../courses/rules.ts'
import type { CreatorAnalytics } from '../schema.ts'
import { BarCell } from './bar-cell.tsx'

/** A table that is a chart: the number of each course, and a bar beside it. */
export function RevenueByCourse({ analytics }: { analytics: CreatorAnalytics }) {
  const { courses, currency, moreCourses, otherRevenue } = analytics
  const rows = [
    ...courses
      .filter(({ revenue }) => revenue !== 0)
      .map(({ id, title, revenue }) => ({ id, title: withoutLightning(title), revenue })),
    ...(otherRevenue === 0
      ? []
      : [{ id: 'deleted', title: 'Courses that you deleted', revenue: otherRevenue }]),
  ]
  const most = Math.max(0, ...rows.map(({ revenue }) => revenue))
  return (
    <Card as="section" aria-label="Revenue by course" className="min-w-0">
      <CardHeader
        level={3}
        title="Revenue by course"
        description="Paid by students, less refunds and disputes, before fees"
      />
      {rows.length === 0 ? (
        <p>Nothing in this period.</p>
      ) : (
        <table className="w-full text-sm tabular-nums group-data-busy/figures:animate-skeleton">
          <caption className="sr-only">Revenue by course</caption>
          <thead className="text-muted">
            <tr>
              <th scope="col" className="pb-2 text-left font-normal">
                Course
              </th>
              <th scope="col" className="pb-2 pl-4 text-right font-normal">
                Revenue
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ id, title, revenue }) => (
              <tr key={id}>
                <th scope="row" className="w-full py-2 text-left font-normal wrap-anywhere">
                  {title}
                  <BarCell part={revenue} whole={most} />
                </th>
                <td className="py-2 pl-4 text-right align-top font-semibold whitespace-nowrap">
                  {money(revenue, currency)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {moreCourses > 0 && (
        <p className="mt-4 text-sm text-muted">
          And {countLabel(moreCourses, 'more course', 'more courses')}.
        </p>
      )}
    </Card>
  )
}
