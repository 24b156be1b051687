import { Inbox, ListChecks } from 'lucide-react'
import { useState } from 'react'
import { useRevalidator } from 'react-router'
import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { countLabel } from '../../courses/ui/count-label.ts'
import { useNow } from '../../notifications/ui/use-now.ts'
import type { CasePage } from '../schema.ts'
import { CaseItem } from './case-item.tsx'
import { CaseView } from './case-view.tsx'
import type { ShownCases } from './shown-cases.ts'
import { useCaseList } from './use-case-list.ts'

type CaseListProps = {
  shown: ShownCases
  namesCourse?: boolean
  /** The page after this place. */
  ask: (cursor: string) => Promise<CasePage>
}

/** Newest first; one of them can be open. */
export function CaseList({ shown, namesCourse = false, ask }: CaseListProps) {
  const { page, linked, status } = shown
  const now = useNow(shown.now)
  const { revalidate } = useRevalidator()
  const [openId, setOpenId] = useState(linked?.id ?? null)
  const { list, more, loadMore, replace, showNew } = useCaseList({ page, linked, openId, ask })

  return (
    <div className="grid grid-cols-1 gap-4">
      {list.cases.length > 0 && (
        <noscript>
          <Banner>Opening a case and deciding about it need JavaScript.</Banner>
        </noscript>
      )}
      <output className="empty:hidden">
        {list.waiting.length > 0 && (
          <Button variant="secondary" size="sm" onClick={showNew}>
            Show {countLabel(list.waiting.length, 'new case')}
          </Button>
        )}
      </output>
      {list.cases.length === 0 ? (
        <NoCases status={status} />
      ) : (
        <ul
          // Safari forgets that a list without bullets is one, unless told.
          // oxlint-disable-next-line jsx-a11y/no-redundant-roles
          role="list"
          aria-label="Cases"
          className="grid grid-cols-1 gap-3"
        >
          {list.cases.map((one) => (
            <CaseItem
              key={one.id}
              about={one}
              namesCourse={namesCourse}
              isOpen={one.id === openId}
              now={now}
              onToggle={() => setOpenId(one.id === openId ? null : one.id)}
            >
              <CaseView
                caseId={one.id}
                courseId={one.course.id}
                now={now}
                onDecided={(details) => {
                  replace(details)
                  void revalidate()
                }}
              />
            </CaseItem>
          ))}
        </ul>
      )}
      {more === 'failed' && (
        <Banner tone="danger">More cases could not be loaded. Please try again.</Banner>
      )}
      {list.nextCursor !== null && (
        <Button
          variant="secondary"
          className="justify-self-center noscript:hidden"
          busy={more === 'loading'}
          onClick={() => void loadMore()}
        >
          Load More
        </Button>
      )}
    </div>
  )
}

function NoCases({ status }: { status: ShownCases['status'] }) {
  return status === 'open' ? (
    <EmptyState
      icon={ListChecks}
      title="Nothing to look at"
      description="When somebody reports a post or a comment, it appears here at once."
    />
  ) : (
    <EmptyState
      icon={Inbox}
      title="No closed cases"
      description="What you decide about is kept here, with its history."
    />
  )
}
