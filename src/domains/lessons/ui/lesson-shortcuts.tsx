import { useState } from 'react'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { cn } from '../../../ui/cn.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { playerKeys } from './player-keys.ts'
import { keepPreferences, readPreferences } from './player-preferences.ts'

const pageKeys = [
  { keys: ['N'], does: 'Next lesson' },
  { keys: ['P'], does: 'Previous lesson' },
  { keys: ['?'], does: 'This list' },
]

type LessonShortcutsProps = { hasPlayer: boolean; onClose: () => void }

/** Which key does what on a lesson's page. */
export function LessonShortcuts({ hasPlayer, onClose }: LessonShortcutsProps) {
  const [isOn, setOn] = useState(() => readPreferences().pageKeys)
  return (
    <Dialog
      open
      size={hasPlayer ? 'lg' : 'sm'}
      onOpenChange={onClose}
      title="Keyboard shortcuts"
      description="They rest while you write."
    >
      <div className="grid gap-6">
        <Checkbox
          label="Keys work on the whole page"
          hint="Otherwise only while the video has the focus."
          checked={isOn}
          onChange={(event) => {
            setOn(event.target.checked)
            keepPreferences({ pageKeys: event.target.checked })
          }}
        />
        <div className={cn('grid items-start gap-x-10 gap-y-6', hasPlayer && 'sm:grid-cols-2')}>
          {hasPlayer && <Keys title="Video" rows={playerKeys} />}
          <Keys title="Lesson" rows={pageKeys} />
        </div>
      </div>
    </Dialog>
  )
}

type KeysProps = { title: string; rows: readonly { keys: string[]; does: string }[] }

function Keys({ title, rows }: KeysProps) {
  return (
    <section aria-label={title} className="grid gap-2">
      <h3 className="text-base">{title}</h3>
      <dl className="divide-y">
        {rows.map(({ keys, does }) => (
          <div key={does} className="flex items-center justify-between gap-4 py-2 text-sm">
            <dt>{does}</dt>
            <dd className="flex shrink-0 gap-1.5">
              {keys.map((key) => (
                <kbd
                  key={key}
                  className="min-w-7 rounded-md border border-edge/60 bg-surface px-1.5 py-0.5 text-center font-mono text-xs"
                >
                  {key}
                </kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
