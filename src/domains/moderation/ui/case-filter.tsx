import { Banner } from '../../../ui/banner.tsx'
import { LinkTabs, type TabLink } from '../../../ui/link-tabs.tsx'
import type { ShownCases } from './shown-cases.ts'

type CaseFilterProps = {
  /** The page without its parameters. */
  here: string
  shown: ShownCases
  /** Neither list is shown. */
  isElsewhere?: boolean
  /** What stands beside the lists. */
  further?: TabLink[]
}

/** Open and closed, and what else the page has. */
export function CaseFilter({ here, shown, isElsewhere = false, further = [] }: CaseFilterProps) {
  const isCurrent = (status: ShownCases['status']) => !isElsewhere && shown.status === status
  return (
    <>
      <LinkTabs
        label="Cases"
        tabs={[
          { to: here, label: 'Open', count: shown.page.openCount, current: isCurrent('open') },
          { to: `${here}?status=closed`, label: 'Closed', current: isCurrent('closed') },
          ...further,
        ]}
      />
      {shown.isLost && !isElsewhere && (
        <Banner tone="warning">This case was deleted, or you don’t have access to it.</Banner>
      )}
    </>
  )
}
