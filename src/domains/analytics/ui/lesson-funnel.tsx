import { Card, CardHeader } from '../../../ui/card.tsx'
import { countLabel } from '../../courses/ui/count-label.ts'
import type { AdvancedAnalytics } from '../schema.ts'
import { BarCell } from './bar-cell.tsx'
import { whereMostStop } from './chart-words.ts'

/** How far people come in a course. A table that is a chart: each lesson's numbers, and a bar beside. */
export function LessonFunnel({ funnel }: { funnel: AdvancedAnalytics['funnel'] }) {
  return (
    <Card as="section" aria-label="Where people stop" className="min-w-0">
      <CardHeader
        level={3}
        title="Where people stop"
        description="How many completed each lesson, of all time"
      />
      {funnel === null ? (
        <p>Choose a course above to see at which lesson people stop.</p>
      ) : (
        <div className="grid grid-cols-1 gap-4 group-data-busy/figures:animate-skeleton">
          <p className="text-pretty wrap-anywhere">{whereMostStop(funnel)}</p>
          {funnel.lessons.length > 0 && <Steps {...funnel} />}
        </div>
      )}
    </Card>
  )
}

function Steps({ students, lessons }: NonNullable<AdvancedAnalytics['funnel']>) {
  // Who left has completed lessons, too.
  const whole = Math.max(students, ...lessons.map(({ completed }) => completed))
  const hasVideos = lessons.some(({ started }) => started !== null)
  return (
    // Focusable, so that it can be scrolled by keyboard.
    <section
      aria-label="Lessons and how many completed them"
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      className="relative max-h-[30rem] overflow-y-auto rounded-control"
    >
      <table className="w-full text-sm tabular-nums">
        <caption className="pb-3 text-left text-muted">
          {countLabel(students, 'student')} in the course
        </caption>
        <thead className="text-muted">
          <tr>
            <th scope="col" className="pb-2 text-left font-normal">
              Lesson
            </th>
            {hasVideos && (
              <th scope="col" className="pb-2 pl-4 text-right font-normal">
                Began video
              </th>
            )}
            <th scope="col" className="pb-2 pl-4 text-right font-normal">
              Completed
            </th>
          </tr>
        </thead>
        <tbody>
          {lessons.map(({ id, title, chapterTitle, started, completed }) => (
            <tr key={id}>
              <th scope="row" className="w-full py-2 text-left font-normal wrap-anywhere">
                <bdi>{title}</bdi>{' '}
                <span className="text-muted">
                  · <bdi>{chapterTitle}</bdi>
                </span>
                <BarCell part={completed} whole={whole} />
              </th>
              {hasVideos && (
                <td className="py-2 pl-4 text-right align-top">
                  {started === null ? (
                    <>
                      <span aria-hidden>–</span>
                      <span className="sr-only">No video</span>
                    </>
                  ) : (
                    started.toLocaleString('en-US')
                  )}
                </td>
              )}
              <td className="py-2 pl-4 text-right align-top font-semibold whitespace-nowrap">
                {completed.toLocaleString('en-US')}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
