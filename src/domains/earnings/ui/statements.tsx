import { FileText } from 'lucide-react'
import { buttonClass } from '../../../ui/button.tsx'
import { Card, CardHeader } from '../../../ui/card.tsx'
import type { Earnings } from '../schema.ts'

const nameOf = (month: string) =>
  new Date(`${month}-01T00:00:00Z`).toLocaleDateString('en-US', {
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  })

/** One PDF for each month that is over. */
export function Statements({ statements }: Pick<Earnings, 'statements'>) {
  return (
    <Card id="statements" className="scroll-mt-24">
      <CardHeader title="Statements" description="All entries of a month (UTC), with their sum." />
      {statements.length === 0 ? (
        <p className="text-muted">The first one comes after the month of your first sale.</p>
      ) : (
        <ul aria-label="Statements" className="grid divide-y">
          {statements.map(({ month, isOver }) => (
            <li
              key={month}
              className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 py-3 first:pt-0 last:pb-0"
            >
              <span className="font-semibold">{nameOf(month)}</span>
              {isOver ? (
                <a
                  href={`/rest/v1/statements/${month}`}
                  download
                  className={buttonClass({ variant: 'secondary', size: 'sm' })}
                >
                  <span className="inline-flex items-center gap-2">
                    <FileText size={16} aria-hidden />
                    PDF<span className="sr-only"> statement of {nameOf(month)}</span>
                  </span>
                </a>
              ) : (
                <span className="text-sm text-muted">Ready when the month is over</span>
              )}
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
