import { Download, ReceiptText, SearchX } from 'lucide-react'
import { useEffect, useEffectEvent, useState } from 'react'
import { Banner } from '../../../ui/banner.tsx'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { Card, CardHeader } from '../../../ui/card.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { client } from '../../../web/api-client.ts'
import { safe } from '../../../web/call-outcome.ts'
import type { Sale, SalePage } from '../schema.ts'
import { SaleItem } from './sale-item.tsx'
import { newestFirst, salesDownTo } from './sales-down-to.ts'
import { SalesFilter, type SalesFilterProps } from './sales-filter.tsx'

type EarningsHistoryProps = SalesFilterProps & { page: SalePage }

/** More than the first page, as it was when that was `first`. */
type LongList = SalePage & { first: SalePage }

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
  const [long, setLong] = useState<LongList | null>(null)
  const [more, setMore] = useState<'idle' | 'loading' | 'failed'>('idle')
  const { nextCursor } = long ?? page
  // The later word about a sale is the one that counts.
  const known = new Map([...(long?.sales ?? []), ...page.sales].map((sale) => [sale.id, sale]))
  const sales = [...known.values()].toSorted(newestFirst)

  async function loadMore() {
    if (nextCursor === null || more === 'loading') return
    setMore('loading')
    const [error, next] = await safe(client.earnings.getSales({ ...filter, cursor: nextCursor }))
    setMore(error ? 'failed' : 'idle')
    if (error) return
    setLong({ ...next, sales: [...sales, ...next.sales], first: long?.first ?? page })
  }

  const readDownTo = useEffectEvent((oldest: Sale, signal: AbortSignal) =>
    safe(
      salesDownTo(oldest, page, (cursor) =>
        client.earnings.getSales({ ...filter, cursor }, { signal }),
      ),
    ),
  )
  // The first page is read again when a sale has changed, which may be one further down.
  useEffect(() => {
    const oldest = long?.sales.at(-1)
    if (!oldest || long?.first === page) return
    const reading = new AbortController()
    const { signal } = reading
    void readDownTo(oldest, signal).then(([error, list]) => {
      if (signal.aborted) return
      // What may not be so any more is not shown on: it could be paid back twice.
      setLong(error ? null : { ...list, first: page })
      if (error) setMore('failed')
    })
    return () => reading.abort()
  }, [long, page])

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
