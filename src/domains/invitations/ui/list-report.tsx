import { Badge } from '../../../ui/badge.tsx'
import { Banner } from '../../../ui/banner.tsx'
import { countLabel } from '../../courses/ui/count-label.ts'
import { type Verdict, verdictLabel, verdicts } from '../rules.ts'
import type { ListReport as Report } from '../schema.ts'

const tones: Record<Verdict, 'success' | 'neutral' | 'warning' | 'danger'> = {
  invite: 'success',
  member: 'neutral',
  invited: 'neutral',
  repeated: 'warning',
  self: 'warning',
  invalid: 'danger',
}

/** What a list would do, line by line. */
export function ListReport({ report }: { report: Report }) {
  const { counts, entries, obstacle } = report
  return (
    <div className="grid grid-cols-1 gap-4">
      <ul aria-label="Summary" className="flex flex-wrap gap-2">
        {verdicts
          .filter((verdict) => counts[verdict] > 0 || verdict === 'invite')
          .map((verdict) => (
            <li key={verdict}>
              <Badge tone={tones[verdict]}>
                {counts[verdict].toLocaleString('en-US')} · {verdictLabel[verdict]}
              </Badge>
            </li>
          ))}
      </ul>
      {obstacle && <Banner tone="warning">{obstacle}</Banner>}
      <section
        aria-label={`The list, ${countLabel(entries.length, 'entry', 'entries')}`}
        // Scrolls: the keyboard has to get there.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        className="max-h-72 overflow-auto rounded-control border"
      >
        <table className="w-full text-left text-sm">
          <thead className="sticky top-0 bg-wash">
            <tr>
              <th className="px-3 py-2 font-semibold">Line</th>
              <th className="px-3 py-2 font-semibold">Address</th>
              <th className="px-3 py-2 font-semibold">What happens</th>
            </tr>
          </thead>
          <tbody>
            {entries.map(({ line, text, verdict }, index) => (
              // The same line may be there twice.
              <tr key={index} className="border-t align-top">
                <td className="px-3 py-2 text-muted tabular-nums">{line}</td>
                <td className="px-3 py-2 wrap-anywhere">{text}</td>
                <td className="px-3 py-2">{verdictLabel[verdict]}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </div>
  )
}
