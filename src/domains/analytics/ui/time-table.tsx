import type { AdvancedAnalytics } from '../schema.ts'
import { intervalNames, longDay, type Measure } from './chart-words.ts'

/** A number of every point, with the name of its column. */
export type Series = {
  key: Exclude<keyof AdvancedAnalytics['points'][number], 'from'>
  name: string
}

type TimeTableProps = {
  title: string
  advanced: Pick<AdvancedAnalytics, 'interval' | 'points'>
  series: Series[]
  measure: Measure
}

/** The figures of a chart. */
export function TimeTable({ title, advanced, series, measure }: TimeTableProps) {
  const { interval, points } = advanced
  return (
    // Focusable, so that it can be scrolled by keyboard.
    <section
      aria-label={`${title}, as a table`}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      className="mt-2 max-h-80 overflow-auto rounded-control border"
    >
      <table className="w-full text-sm tabular-nums">
        <caption className="sr-only">{title} (UTC)</caption>
        <thead className="sticky top-0 bg-surface shadow-[inset_0_-1px_0_var(--color-line)]">
          <tr>
            <th scope="col" className="px-3 py-2 text-left font-semibold">
              {intervalNames[interval]}
            </th>
            {series.map(({ key, name }) => (
              <th key={key} scope="col" className="px-3 py-2 text-right font-semibold">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y">
          {points.map((point) => (
            <tr key={point.from}>
              <th scope="row" className="px-3 py-1.5 text-left font-normal whitespace-nowrap">
                {longDay(point.from, interval)}
              </th>
              {series.map(({ key }) => (
                <td key={key} className="px-3 py-1.5 text-right">
                  {measure(point[key])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
