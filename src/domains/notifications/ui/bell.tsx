import { Bell as BellIcon } from 'lucide-react'
import { type RefObject, useEffect, useId, useRef, useState, useSyncExternalStore } from 'react'
import { Link } from 'react-router'
import { buttonClass } from '../../../ui/button.tsx'
import { cn } from '../../../ui/cn.ts'
import { moveWithArrows, openWithArrow } from '../../../ui/menu.tsx'
import { useHydrated } from '../../../ui/use-hydrated.ts'
import { useLiveEvents } from '../../../web/use-live-events.ts'
import { BellSkeleton } from './bell-skeleton.tsx'
import { withRead } from './bell-list.ts'
import { type BellStore, bellStore } from './bell-store.ts'

/** Milliseconds for which the panel has to be open before what it shows counts as read (spec 1, section 9). */
const readAfter = 1000

const fetchList = async () => (await import('./bell-calls.ts')).readBell()

const amount = (unread: number) => (unread > 9 ? 'more than 9' : String(unread))

/** The header's bell: how much is unread, and a panel with the latest notices. */
export function Bell({ unread: unreadOfPage }: { unread: number }) {
  const id = useId()
  const panel = useRef<HTMLDialogElement>(null)
  const hydrated = useHydrated()
  const [store] = useState(() => bellStore(unreadOfPage, fetchList))
  const state = useSyncExternalStore(store.subscribe, store.get, store.get)
  const { unread } = state
  /** A new one for each opening and for each try after a failure; null while the panel is closed. */
  const [opening, setOpening] = useState<object | null>(null)
  const code = usePanelCode(opening)

  useFollowing(store, unreadOfPage)
  useReadAfterAWhile(store, panel, opening)
  useEffect(() => {
    // Opened while the page was not hydrated yet.
    if (panel.current?.matches(':popover-open')) setOpening({})
  }, [])

  function retry() {
    panel.current?.focus()
    store.forgetFailure()
    setOpening({})
  }
  const close = () => panel.current?.hidePopover()

  return (
    <div className="menu-scope inline-flex">
      <button
        type="button"
        popoverTarget={id}
        onKeyDown={openWithArrow}
        aria-haspopup="dialog"
        aria-label={unread === 0 ? 'Notifications' : `Notifications, ${amount(unread)} unread`}
        className={cn(buttonClass({ variant: 'ghost', size: 'icon' }), 'menu-trigger relative')}
      >
        <BellIcon size={20} aria-hidden />
        {unread > 0 && (
          <span
            aria-hidden
            className="absolute -top-0.5 left-6.5 grid h-5 min-w-5 place-items-center rounded-full bg-danger px-1 text-xs font-bold text-on-danger tabular-nums ring-2 ring-paper"
          >
            {unread > 9 ? '9+' : unread}
          </span>
        )}
      </button>
      <dialog
        ref={panel}
        id={id}
        popover="auto"
        aria-label="Notifications"
        tabIndex={-1}
        onKeyDown={moveWithArrows}
        onToggle={(event) => {
          const isOpen = event.newState === 'open'
          setOpening(isOpen ? {} : null)
          if (isOpen) event.currentTarget.focus()
        }}
        className={cn(
          'menu-panel menu-end max-h-[min(40rem,80dvh)] w-[26rem] max-w-[calc(100vw-1.5rem)]',
          'animate-fade overflow-y-auto overscroll-contain rounded-card border bg-raised text-ink',
          'shadow-raised outline-none max-sm:inset-x-0 max-sm:top-16 max-sm:bottom-auto',
          'max-sm:m-0 max-sm:w-full max-sm:max-w-none max-sm:rounded-t-none',
          'max-sm:border-x-0 max-sm:[position-area:none]',
        )}
      >
        {code ? (
          opening && <code.BellPanel store={store} state={state} onRetry={retry} onClose={close} />
        ) : hydrated && code !== null ? (
          <BellSkeleton />
        ) : (
          // Without scripts, or without the panel's.
          <p className="p-5">
            <Link
              to="/notifications"
              onClick={close}
              className="font-semibold text-primary underline"
            >
              See your notifications
            </Link>
          </p>
        )}
      </dialog>
      <Announcement unread={unread} />
    </div>
  )
}

/** Says a new count to those who do not see it. */
function Announcement({ unread }: { unread: number }) {
  const [before, setBefore] = useState(unread)
  const [words, setWords] = useState('')
  if (before !== unread) {
    setBefore(unread)
    const notifications = unread === 1 ? 'notification' : 'notifications'
    setWords(`${unread === 0 ? 'No' : amount(unread)} unread ${notifications}`)
  }
  return (
    <span aria-live="polite" className="sr-only">
      {words}
    </span>
  )
}

/** The panel's code, fetched when it is first needed; null when it could not be fetched. */
function usePanelCode(opening: object | null) {
  const [code, setCode] = useState<typeof import('./bell-panel.tsx') | null>()
  useEffect(() => {
    if (!opening || code) return
    import('./bell-panel.tsx').then(setCode, () => setCode(null))
  }, [opening, code])
  return code
}

/** Reads again when something happened, or may have. */
function useFollowing({ read, get }: BellStore, unreadOfPage: number) {
  useLiveEvents({
    onEvent({ type }) {
      if (type === 'notification') void read()
    },
    onGap: () => void read(),
  })
  // A page that comes later may know of something new, or be older than what the bell knows.
  useEffect(() => {
    if (unreadOfPage !== get().unread) void read()
  }, [unreadOfPage, get, read])
}

/** What the open panel has shown for a second is read. */
function useReadAfterAWhile(
  { read, settle }: BellStore,
  panel: RefObject<HTMLDialogElement | null>,
  opening: object | null,
) {
  useEffect(() => {
    if (!opening) return
    const closing = new AbortController()
    const pause = new Promise((resolve) => setTimeout(resolve, readAfter))
    void Promise.all([read(), pause]).then(async ([shown]) => {
      // It closes a moment before the event that says so.
      const isOpen = panel.current?.matches(':popover-open') && !closing.signal.aborted
      if (!isOpen || !shown || shown.unread === 0) return
      const ids = shown.notifications.map((notice) => notice.id)
      try {
        const { markRead } = await import('./bell-calls.ts')
        const { unread } = await markRead(ids)
        settle((list) => withRead(list, ids), unread)
      } catch {
        // They stay unread, and are marked when the panel is opened again.
      }
    })
    return () => closing.abort()
  }, [opening, panel, read, settle])
}
