import { Upload } from 'lucide-react'
import { useId, useState, type DragEvent, type ReactNode } from 'react'
import { buttonClass } from '../../../ui/button.tsx'
import { cn } from '../../../ui/cn.ts'

type FileZoneProps = {
  /** On the button that opens the picker. */
  chooseLabel: string
  /** What may be chosen, always visible. */
  hint: ReactNode
  /** As in the `accept` attribute of an input. */
  accept: string
  onFile: (file: File) => void
  className?: string
}

/** A place to drop a file on, with a button that opens the picker. */
export function FileZone({ chooseLabel, hint, accept, onFile, className }: FileZoneProps) {
  const id = useId()
  const [isOver, setIsOver] = useState(false)

  function choose(files: FileList | null) {
    const file = files?.[0]
    if (file) onFile(file)
  }

  function drop(event: DragEvent) {
    event.preventDefault()
    setIsOver(false)
    choose(event.dataTransfer.files)
  }

  function over(event: DragEvent) {
    // Without this a browser opens the dropped file in place of the page.
    event.preventDefault()
    setIsOver(true)
  }

  return (
    <div
      onDragOver={over}
      onDragEnter={over}
      onDragLeave={() => setIsOver(false)}
      onDrop={drop}
      className={cn(
        'grid w-full content-center justify-items-center gap-3 rounded-card border-2 border-dashed px-5 py-8',
        'text-center transition-colors',
        isOver ? 'border-primary bg-primary-soft' : 'border-edge/50 bg-surface',
        className,
      )}
    >
      <Upload size={24} aria-hidden className="text-primary" />
      <div>
        <input
          id={id}
          type="file"
          accept={accept}
          aria-describedby={`${id}-hint`}
          onChange={(event) => {
            choose(event.target.files)
            // The same file chosen again is a change, too.
            event.target.value = ''
          }}
          className="peer sr-only"
        />
        <label
          htmlFor={id}
          className={cn(
            buttonClass({ variant: 'secondary' }),
            'peer-focus-visible:outline-2 peer-focus-visible:outline-offset-2 peer-focus-visible:outline-primary',
          )}
        >
          {chooseLabel}
        </label>
      </div>
      <div id={`${id}-hint`} className="grid gap-0.5 text-sm text-muted">
        <p className="hidden sm:block">or drop it here</p>
        <p>{hint}</p>
      </div>
    </div>
  )
}
