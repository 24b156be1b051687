import type { ReactNode } from 'react'

type ChartFrameProps = {
  title: string
  /** What is counted. */
  about: string
  /** The chart in words; null when there is nothing to show. */
  summary: string | null
  /** What the colours mean, where there is more than one. */
  legend?: ReactNode
  chart: ReactNode
  table: ReactNode
}

/** A chart with its words, and the same figures as a table for everybody who wants them. */
export function ChartFrame({ title, about, summary, legend, chart, table }: ChartFrameProps) {
  return (
    <figure
      aria-label={title}
      className="grid min-w-0 grid-cols-1 content-start gap-4 rounded-card border bg-surface p-5 shadow-card sm:p-6"
    >
      <figcaption className="grid gap-1">
        <h3 className="text-xl">{title}</h3>
        <p className="text-sm text-pretty text-muted">{about}</p>
        <p className="group-data-busy/figures:animate-skeleton">
          {summary ?? 'Nothing in this period.'}
        </p>
      </figcaption>
      {summary !== null && (
        <div className="grid grid-cols-1 gap-3 group-data-busy/figures:animate-skeleton">
          {legend}
          {chart}
          <details>
            <summary className="-mx-2 w-fit rounded-control px-2 py-2 text-sm font-semibold text-primary">
              Show as table<span className="sr-only">: {title}</span>
            </summary>
            {table}
          </details>
        </div>
      )}
    </figure>
  )
}
