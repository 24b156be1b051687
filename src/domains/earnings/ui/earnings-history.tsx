import { Download, ReceiptText, SearchX } from 'lucide-react'
import { useState } from 'react'
import { Banner } from '../../../ui/banner.tsx'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { Card, CardHeader } from '../../../ui/card.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { client } from '../../../web/api-client.ts'
import { safe } from '../../../web/call-outcome.ts'
import type { Sale, SalePage } from '../schema.ts'
import { SaleItem } from './sale-item.tsx'
import { SalesFilter, type SalesFilterProps } from './sales-filter.tsx'

type EarningsHistoryProps = SalesFilterProps & { page: SalePage }

const newestFirst = (one: Sale, other: Sale) =>
  other.paidAt.localeCompare(one.paidAt) || other.id.localeCompare(one.id)

/** Each sale, what was taken from it, and when it can be had. */
export function EarningsHistory({ page, courses, filter }: EarningsHistoryProps) {
  const isFiltered = filter.courseId !== undefined || filter.state !== undefined
  const isEmpty = page.sales.length === 0
  const about = `${filter.courseId} ${filter.state}`
  return (
    <Card id="history" className="scroll-mt-24">
      <CardHeader
        title="Earnings History"
        actions={(!isEmpty || isFiltered) && <ExportSales courseId={filter.courseId} />}
      />
      {isEmpty && !isFiltered ? (
        <EmptyState
          level={3}
          icon={ReceiptText}
          title="No earnings yet"
          description="When somebody buys a course of yours, the sale appears here, with its fees and when you can be paid."
          className="border-0 py-6 sm:py-6"
        />
      ) : (
        <div className="grid grid-cols-1 gap-5">
          <SalesFilter key={about} courses={courses} filter={filter} />
          {isEmpty ? (
            <EmptyState
              level={3}
              icon={SearchX}
              title="No such sales"
              description="Choose another course or state."
              className="border-0 py-6 sm:py-6"
            />
          ) : (
            <Sales key={about} page={page} filter={filter} />
          )}
        </div>
      )}
    </Card>
  )
}

function ExportSales({ courseId }: { courseId: string | undefined }) {
  const query = courseId === undefined ? '' : `?courseId=${courseId}`
  return (
    <a
      href={`/rest/v1/sales/export${query}`}
      download
      className={buttonClass({ variant: 'secondary', size: 'sm' })}
    >
      <span className="inline-flex items-center gap-2">
        <Download size={16} aria-hidden />
        Export CSV
      </span>
    </a>
  )
}

function Sales({ page, filter }: Pick<EarningsHistoryProps, 'page' | 'filter'>) {
  const [kept, setKept] = useState<Sale[]>([])
  const [further, setFurther] = useState<{ nextCursor: string | null } | null>(null)
  const [more, setMore] = useState<'idle' | 'loading' | 'failed'>('idle')
  const { nextCursor } = further ?? page
  // The later word about a sale is the one that counts.
  const known = new Map([...kept, ...page.sales].map((sale) => [sale.id, sale]))
  const sales = [...known.values()].toSorted(newestFirst)

  async function loadMore() {
    if (nextCursor === null || more === 'loading') return
    setMore('loading')
    const [error, next] = await safe(client.earnings.getSales({ ...filter, cursor: nextCursor }))
    setMore(error ? 'failed' : 'idle')
    if (error) return
    setKept([...sales, ...next.sales])
    setFurther(next)
  }

  return (
    <>
      <ul aria-label="Sales" className="grid grid-cols-1 gap-3">
        {sales.map((sale) => (
          <SaleItem key={sale.id} sale={sale} />
        ))}
      </ul>
      {more === 'failed' && (
        <Banner tone="danger">More sales could not be loaded. Please try again.</Banner>
      )}
      {nextCursor !== null && (
        <Button
          variant="secondary"
          className="justify-self-center"
          busy={more === 'loading'}
          onClick={() => void loadMore()}
        >
          Load More
          <span className="sr-only"> sales</span>
        </Button>
      )}
    </>
  )
}
