import { type ComponentType, lazy, useState } from 'react'
import { FailedBanner } from '../../../ui/failed-banner.tsx'
import { Loading, Skeleton } from '../../../ui/skeleton.tsx'
import { useHydrated } from '../../../ui/use-hydrated.ts'
import { useLater } from '../../../ui/use-later.ts'

type LoadTab = () => Promise<ComponentType<{ isShown: boolean }>>
type LaterTabProps = { id: string; isShown: boolean }

const parts = 'grid grid-cols-1 gap-6'

/** A tab whose code comes when it is shown first. The server writes every tab, for who has no JavaScript. */
export function tabLater(load: LoadTab): ComponentType<LaterTabProps> {
  // Without a Suspense around it, the server sends it in the first piece of the page.
  const AtOnce = lazy(async () => ({ default: await load() }))

  return function LaterTab({ id, isShown }) {
    const hydrated = useHydrated()
    // One that the address names is hydrated with the page, so that what was typed into it already is kept.
    const [isAtOnce] = useState(
      () => !hydrated && (typeof location === 'undefined' || location.hash === `#${id}`),
    )
    if (!isAtOnce) return <TabOnceShown load={load} isShown={isShown} hydrated={hydrated} />
    return (
      <div className={parts}>
        <AtOnce isShown={isShown} />
      </div>
    )
  }
}

type TabOnceShownProps = { load: LoadTab; isShown: boolean; hydrated: boolean }

function TabOnceShown({ load, isShown, hydrated }: TabOnceShownProps) {
  const [wasShown, setWasShown] = useState(isShown)
  if (isShown && !wasShown) setWasShown(true)
  const { value: Tab, failed, retry } = useLater(load, wasShown)

  if (Tab) {
    return (
      <div key="tab" className={parts}>
        <Tab isShown={isShown} />
      </div>
    )
  }
  if (!hydrated) {
    // What the server wrote: nothing in it works, and nobody sees it.
    return (
      <div suppressHydrationWarning dangerouslySetInnerHTML={{ __html: '' }} className={parts} />
    )
  }
  if (!wasShown) return null
  if (!failed) {
    return (
      <Loading label="Loading these settings…" className={parts}>
        <Skeleton className="h-56 rounded-card" />
        <Skeleton className="h-40 rounded-card" />
      </Loading>
    )
  }
  return (
    <FailedBanner onRetry={retry}>
      These settings could not be loaded. Please check your connection.
    </FailedBanner>
  )
}
