import { Download } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { Form } from 'react-router'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { Field, Select } from '../../../ui/field.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { useLater } from '../../../ui/use-later.ts'
import { useNear } from '../../../ui/use-near.ts'
import { shortMoney } from '../../billing/ui/plan-words.ts'
import { withoutLightning } from '../../courses/rules.ts'
import type { AdvancedAnalytics as Advanced, CreatorAnalytics } from '../schema.ts'
import { ChartFrame } from './chart-frame.tsx'
import { aboutLearners, inMoney, inNumber, type Measure, summaryOf } from './chart-words.ts'
import { LessonFunnel } from './lesson-funnel.tsx'
import { RevenueByCourse } from './revenue-by-course.tsx'
import { exportAddresses, type TimeRange } from './time-range.ts'
import { type Series, TimeTable } from './time-table.tsx'

/** Fetched when somebody comes near the charts: the library is as large as the rest of the page. */
const loadChart = () => import('./time-chart.tsx')

type AdvancedAnalyticsProps = {
  analytics: CreatorAnalytics
  days: TimeRange | undefined
  courseId: string | null
  /** Of whom the figures are here; else why they are not. */
  children: ReactNode
}

/** For Pro: which course, the files, and what is shown of it. */
export function AdvancedAnalytics({ analytics, days, courseId, children }: AdvancedAnalyticsProps) {
  const files = exportAddresses({ days, courseId })
  return (
    <section aria-labelledby="advanced" className="grid grid-cols-1 gap-5">
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-4">
        <div className="grid gap-1">
          <h2 id="advanced" className="text-2xl">
            Over time
          </h2>
          <p className="text-sm text-muted">
            By day, week or month, whichever fits the time. Weeks begin on Monday.
          </p>
        </div>
        <div className="flex flex-wrap gap-3">
          <FileLink to={files.analytics}>Export CSV</FileLink>
          <FileLink to={files.students}>Export students</FileLink>
        </div>
      </div>
      <Form
        action="/analytics"
        preventScrollReset
        className="grid max-w-xl grid-cols-[minmax(0,1fr)_auto] items-end gap-3"
      >
        {days !== undefined && <input type="hidden" name="days" value={days} />}
        <Field label="Course">
          {/* Anew for another address, as by Back. */}
          <Select key={courseId} name="course" defaultValue={courseId ?? ''}>
            <option value="">All courses</option>
            {analytics.courses.map(({ id, title }) => (
              <option key={id} value={id}>
                {withoutLightning(title)}
              </option>
            ))}
          </Select>
        </Field>
        <Button type="submit" variant="secondary">
          Show
        </Button>
      </Form>
      {children}
    </section>
  )
}

/** Made by the server while it is sent, so a link of the browser's own. */
function FileLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <a href={to} className={buttonClass({ variant: 'secondary', size: 'sm' })}>
      <span className="inline-flex items-center gap-2">
        <Download size={16} aria-hidden />
        {children}
      </span>
    </a>
  )
}

type ChartsProps = { advanced: Advanced; analytics: CreatorAnalytics; courseId: string | null }

export function Charts({ advanced, analytics, courseId }: ChartsProps) {
  const charts = useRef<HTMLDivElement>(null)
  const { value: library, failed, retry } = useLater(loadChart, useNear(charts))
  const { currency, funnel, interval } = advanced
  const chart = (title: string, about: string, series: Series[], measures = counts) => (
    <ChartFrame
      title={title}
      about={about}
      summary={summaryOf(advanced, (point) => sumOf(series, point), measures.measure)}
      legend={series.length > 1 && <Legend series={series} />}
      chart={
        library ? (
          <library.TimeChart title={title} advanced={advanced} series={series} {...measures} />
        ) : (
          <NoChartYet failed={failed === true} onRetry={retry} />
        )
      }
      table={
        <TimeTable title={title} advanced={advanced} series={series} measure={measures.measure} />
      }
    />
  )
  const revenue = {
    measure: inMoney(currency),
    measureShortly: (amount: number) => shortMoney(amount, currency),
  }
  return (
    <div ref={charts} className="grid grid-cols-1 gap-5">
      <div className="grid grid-cols-1 gap-5 lg:grid-cols-2">
        {chart(
          'Revenue over time',
          'Paid by students, less refunds and disputes, before fees',
          [{ key: 'revenue', name: 'Revenue' }],
          revenue,
        )}
        {chart('Enrollments', 'Who joined and is still there', [
          { key: 'students', name: 'Students' },
        ])}
        {chart('Active learners', aboutLearners(interval, courseId === null), [
          { key: 'active', name: 'Learners' },
        ])}
        {chart('Lesson completions', 'Lessons that students completed', [
          { key: 'completions', name: 'Completions' },
        ])}
      </div>
      {/* Each as high as it is: beside many lessons, a chart would have nothing to fill its card with. */}
      <div className="grid grid-cols-1 items-start gap-5 lg:grid-cols-2">
        {chart('Community activity', 'What was written in the discussion', [
          { key: 'posts', name: 'Posts' },
          { key: 'comments', name: 'Comments' },
        ])}
        <div className="grid grid-cols-1 gap-5">
          {courseId === null && <RevenueByCourse analytics={analytics} />}
          <LessonFunnel funnel={funnel} />
        </div>
      </div>
    </div>
  )
}

const counts: { measure: Measure; measureShortly: Measure } = {
  measure: inNumber,
  measureShortly: inNumber,
}

const sumOf = (series: Series[], point: Advanced['points'][number]) =>
  series.reduce((sum, { key }) => sum + point[key], 0)

/** Of two series: the first is plain, the second hatched. */
function Legend({ series }: { series: Series[] }) {
  return (
    <ul aria-label="In the chart" className="flex flex-wrap gap-x-5 gap-y-1 text-sm">
      {series.map(({ key, name }, at) => (
        <li key={key} className="flex items-center gap-2">
          <span
            aria-hidden
            className={
              at === 0
                ? 'size-3.5 rounded-sm bg-primary'
                : 'size-3.5 rounded-sm border border-success bg-[repeating-linear-gradient(45deg,var(--color-success)_0_2.5px,var(--color-primary-soft)_2.5px_6px)]'
            }
          />
          {name}
        </li>
      ))}
    </ul>
  )
}

/** As high as the chart. The table below has the figures in any case. */
function NoChartYet({ failed, onRetry }: { failed: boolean; onRetry: () => void }) {
  if (!failed) return <Skeleton className="h-56" />
  return (
    <div className="grid h-56 place-items-center content-center gap-3 rounded-control border text-center">
      <p>The chart could not be loaded. The table has its figures.</p>
      <Button variant="secondary" size="sm" onClick={onRetry}>
        Try again
      </Button>
    </div>
  )
}
