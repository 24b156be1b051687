import { Keyboard } from 'lucide-react'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { Button } from '../../../ui/button.tsx'
import { cn } from '../../../ui/cn.ts'
import { toast } from '../../../ui/toast.ts'
import { useHydrated } from '../../../ui/use-hydrated.ts'
import type { LessonPage } from '../schema.ts'
import { useAutoAdvance } from './auto-advance.ts'
import { useLessonKeys } from './lesson-shortcuts-use.ts'
import { tellsItsTime } from './video-identity.ts'

type Shortcuts = typeof import('./lesson-shortcuts.tsx')

/** Under the player: what makes the way through a course easier. All of it needs a script. */
export function LessonTools({ lesson }: { lesson: LessonPage }) {
  const isHydrated = useHydrated()
  const navigate = useNavigate()
  const [shortcuts, setShortcuts] = useState<Shortcuts | null>(null)
  const { previous, next, course } = lesson
  const hasPlayer = tellsItsTime(lesson.video)

  async function explain() {
    try {
      setShortcuts(await import('./lesson-shortcuts.tsx'))
    } catch {
      void toast.error('The list could not be loaded. Please check your connection and try again.')
    }
  }
  const leadTo = (neighbour: LessonPage['next']) =>
    neighbour ? () => void navigate(`/course/${course.slug}/lesson/${neighbour.slug}`) : undefined
  useLessonKeys({
    onNext: leadTo(next),
    onPrevious: leadTo(previous),
    onHelp: () => void explain(),
  })

  return (
    <div
      className={cn(
        'flex min-h-11 flex-wrap items-center justify-between gap-x-6 gap-y-1 noscript:hidden',
        !isHydrated && 'invisible',
      )}
    >
      {hasPlayer && <AutoAdvanceSwitch />}
      <Button
        variant="ghost"
        size="sm"
        aria-haspopup="dialog"
        onClick={() => void explain()}
        className="-ml-3.5 text-muted pointer-coarse:hidden sm:-mr-3.5 sm:ml-auto"
      >
        <Keyboard size={17} aria-hidden />
        Keyboard shortcuts
      </Button>
      {shortcuts && (
        <shortcuts.LessonShortcuts hasPlayer={hasPlayer} onClose={() => setShortcuts(null)} />
      )}
    </div>
  )
}

function AutoAdvanceSwitch() {
  const [isOn, choose] = useAutoAdvance()
  return (
    <label className="flex min-h-11 items-center gap-3 text-sm">
      <span className="relative inline-grid">
        <input
          type="checkbox"
          role="switch"
          aria-checked={isOn}
          checked={isOn}
          onChange={(event) => choose(event.target.checked)}
          className="peer h-6 w-11 appearance-none rounded-full border border-edge bg-surface transition-colors checked:border-primary checked:bg-primary"
        />
        <span
          aria-hidden
          className="pointer-events-none absolute top-1 left-1 size-4 rounded-full bg-edge transition-[translate,background-color] peer-checked:translate-x-5 peer-checked:bg-on-primary forced-colors:bg-[CanvasText] forced-colors:peer-checked:bg-[Highlight]"
        />
      </span>
      Play the next lesson automatically
    </label>
  )
}
