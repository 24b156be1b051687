import { Check } from 'lucide-react'
import { cn } from '../../../ui/cn.ts'
import { brand } from '../../site/brand.ts'
import type { Post } from '../schema.ts'

type ComparisonTableProps = { rows: Post['rows']; competitor: string }

/** Each feature heads a group of its own, so that the same table fits a phone and a wide window. */
export function ComparisonTable({ rows, competitor }: ComparisonTableProps) {
  const names = { product: brand.name, competitor, tie: 'Tie' }
  const won = (winner: keyof typeof names) => rows.filter((row) => row.winner === winner).length
  const ties = won('tie')
  return (
    <section aria-labelledby="comparison" className="mt-10">
      <h2 id="comparison" className="text-3xl">
        Feature by feature
      </h2>
      <p className="mt-2 text-muted">
        {brand.name} wins {won('product')} rows, {competitor} wins {won('competitor')}
        {ties > 0 && `, and ${ties} ${ties === 1 ? 'is a tie' : 'are ties'}`}.
      </p>
      <div className="mt-5 overflow-hidden rounded-card border border-line bg-surface">
        <table
          aria-labelledby="comparison"
          className="w-full table-fixed text-left align-top text-sm wrap-break-word hyphens-auto sm:text-base"
        >
          <thead>
            <tr className="align-bottom">
              <th scope="col" className="px-2.5 py-4 font-semibold sm:px-5">
                {brand.name}
              </th>
              <th scope="col" className="border-l border-line px-2.5 py-4 font-semibold sm:px-5">
                {competitor}
              </th>
              <th
                scope="col"
                className="w-24 border-l border-line px-2.5 py-4 font-semibold sm:w-[22%] sm:px-5"
              >
                Winner
              </th>
            </tr>
          </thead>
          {rows.map(({ feature, ours, theirs, winner }) => (
            <tbody key={feature} className="align-top">
              <tr className="border-y border-line bg-wash">
                <th
                  scope="rowgroup"
                  colSpan={3}
                  className="px-2.5 py-2.5 font-display text-base font-bold sm:px-5"
                >
                  {feature}
                </th>
              </tr>
              <tr>
                <td className={cn('px-2.5 py-3.5 sm:px-5', winner !== 'product' && 'text-muted')}>
                  {ours}
                </td>
                <td
                  className={cn(
                    'border-l border-line px-2.5 py-3.5 sm:px-5',
                    winner !== 'competitor' && 'text-muted',
                  )}
                >
                  {theirs}
                </td>
                <td className="border-l border-line px-2.5 py-3.5 font-semibold sm:px-5">
                  {winner !== 'tie' && (
                    <Check
                      aria-hidden
                      size={18}
                      strokeWidth={2.5}
                      className={cn(
                        'mr-1.5 hidden align-[-0.2em] sm:inline',
                        winner === 'product' ? 'text-success' : 'text-muted',
                      )}
                    />
                  )}
                  {names[winner]}
                </td>
              </tr>
            </tbody>
          ))}
        </table>
      </div>
    </section>
  )
}
