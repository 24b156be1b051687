import { SkipForward } from 'lucide-react'
import { useEffect, useEffectEvent, useState } from 'react'
import { useNavigation } from 'react-router'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { cn } from '../../../ui/cn.ts'
import { withoutLightning } from '../../courses/rules.ts'
import { useFullScreen } from './player-full-screen.ts'
import { isWrittenIn } from './player-keys.ts'

/** Seconds in which one can still stay. */
const grace = 5

type NextUpProps = {
  title: string
  to: string
  /** Goes there by itself after a moment. */
  isAuto: boolean
  /** To the next lesson, which then plays. */
  onGo: () => void
}

/** Over the end of a video: what comes next. */
export function NextUp({ title, to, isAuto, onGo }: NextUpProps) {
  const fillsScreen = useFullScreen()
  const [isStaying, setStaying] = useState(false)
  const name = withoutLightning(title)
  return (
    <div
      className={cn(
        'pointer-events-none inset-x-0 top-0 flex justify-end p-2 sm:p-4',
        fillsScreen ? 'fixed z-50' : 'absolute z-10',
      )}
    >
      <div className="pointer-events-auto grid w-full grid-cols-1 max-w-sm animate-appear gap-3 rounded-card border bg-raised p-3.5 text-ink shadow-raised sm:p-4">
        {isAuto && !isStaying ? (
          <CountDown name={name} onGo={onGo} onStay={() => setStaying(true)} />
        ) : (
          <div className="flex items-center gap-3">
            <p className="min-w-0 flex-1 truncate text-sm">
              <bdi>{name}</bdi>
            </p>
            <ButtonLink
              to={to}
              size="sm"
              onClick={(event) => {
                // A new tab is a new tab.
                if (event.metaKey || event.ctrlKey || event.shiftKey) return
                event.preventDefault()
                onGo()
              }}
            >
              <SkipForward size={16} aria-hidden />
              Next lesson
            </ButtonLink>
          </div>
        )}
      </div>
    </div>
  )
}

/** Under somebody who writes, or has a dialog open, the page must not change. */
const isOccupied = () =>
  isWrittenIn(document.activeElement) || document.querySelector('dialog[open]') !== null

type CountDownProps = { name: string; onGo: () => void; onStay: () => void }

function CountDown({ name, onGo, onStay }: CountDownProps) {
  const [left, setLeft] = useState(grace)
  /** Whoever comes near with the pointer or the focus is deciding. */
  const [isHeld, setHeld] = useState(false)
  const isLeaving = useNavigation().state !== 'idle'
  const go = useEffectEvent(onGo)
  const tick = useEffectEvent(() => {
    if (isLeaving || isOccupied()) onStay()
    else setLeft(left - 1)
  })

  useEffect(() => {
    if (isHeld) return
    if (left === 0) return go()
    const timer = setTimeout(() => tick(), 1000)
    return () => clearTimeout(timer)
  }, [left, isHeld])

  return (
    <div
      className="grid grid-cols-1 gap-3"
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <p className="flex gap-1.5 text-sm">
        {/* Said once, not every second. */}
        <output className="sr-only">
          Next: {name} in {grace} seconds
        </output>
        <span aria-hidden className="min-w-0 flex-1 truncate">
          Next: <span className="font-semibold">{name}</span>
        </span>
        <span aria-hidden className="shrink-0 tabular-nums">
          in {left} s
        </span>
      </p>
      <div className="flex gap-2">
        <Button variant="secondary" size="sm" className="flex-1" onClick={onStay}>
          Cancel
        </Button>
        <Button size="sm" className="flex-1" onClick={onGo}>
          Play now
        </Button>
      </div>
    </div>
  )
}
