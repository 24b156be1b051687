// The charts of the page, in a module of their own: the library is fetched by who has something to see in it.
import { useId } from 'react'
import { Bar, BarChart, CartesianGrid, ReferenceLine, Tooltip, XAxis, YAxis } from 'recharts'
import type { AdvancedAnalytics } from '../schema.ts'
import { longDay, type Measure, shortDay } from './chart-words.ts'
import type { Series } from './time-table.tsx'

type TimeChartProps = {
  title: string
  advanced: Pick<AdvancedAnalytics, 'interval' | 'points'>
  /** On top of each other: the first plain, the second hatched. */
  series: Series[]
  measure: Measure
  /** At the side of the chart, where there is little room. */
  measureShortly: Measure
}

const small = { fill: 'var(--color-muted)', fontSize: 12 }

/** Bars over time. Nothing in it moves, and the arrow keys lead from bar to bar. */
export function TimeChart({ title, advanced, series, measure, measureShortly }: TimeChartProps) {
  const hatch = useId()
  const { interval, points } = advanced
  return (
    <BarChart
      responsive
      data={points}
      stackOffset="sign"
      aria-label={`${title}: chart. The arrow keys lead from bar to bar.`}
      margin={{ top: 8, right: 4, bottom: 0, left: 0 }}
      barCategoryGap="18%"
      maxBarSize={40}
      className="h-56 w-full [&_svg]:rounded-control"
    >
      <defs>
        <pattern
          id={hatch}
          width={6}
          height={6}
          patternUnits="userSpaceOnUse"
          patternTransform="rotate(45)"
        >
          <rect width={6} height={6} fill="var(--color-primary-soft)" />
          <rect width={2.5} height={6} fill="var(--color-success)" />
        </pattern>
      </defs>
      <CartesianGrid vertical={false} stroke="var(--color-line)" />
      <XAxis
        dataKey="from"
        tickFormatter={(from: string) => shortDay(from, interval)}
        tick={small}
        tickLine={false}
        axisLine={{ stroke: 'var(--color-line)' }}
        interval="equidistantPreserveStart"
        minTickGap={20}
      />
      <YAxis
        width="auto"
        tickFormatter={measureShortly}
        allowDecimals={false}
        tick={small}
        tickLine={false}
        axisLine={false}
      />
      <ReferenceLine y={0} stroke="var(--color-edge)" />
      <Tooltip
        separator=": "
        isAnimationActive={false}
        cursor={{ fill: 'var(--color-wash)' }}
        labelFormatter={(from) => longDay(String(from), interval)}
        formatter={(value) => measure(Number(value))}
        contentStyle={{
          background: 'var(--color-raised)',
          border: '1px solid var(--color-line)',
          borderRadius: 'var(--radius-control)',
          boxShadow: 'var(--shadow-raised)',
          fontSize: 14,
        }}
        labelStyle={{ fontWeight: 600 }}
        itemStyle={{ color: 'var(--color-ink)', padding: 0 }}
      />
      {series.map(({ key, name }, at) => (
        <Bar
          key={key}
          dataKey={key}
          name={name}
          stackId="all"
          fill={at === 0 ? 'var(--color-primary)' : `url(#${hatch})`}
          stroke={at === 0 ? undefined : 'var(--color-success)'}
          isAnimationActive={false}
        />
      ))}
    </BarChart>
  )
}
