import { Upload } from 'lucide-react'
import { useId, type ReactNode, useRef } from 'react'
import { Banner } from '../../../ui/banner.tsx'
import { cn } from '../../../ui/cn.ts'
import { useSwitchedOff } from '../../../web/use-switched-off.ts'
import { ChooseFiles } from './choose-files.tsx'
import { useFileDrop } from './use-file-drop.ts'

type FileZoneProps = {
  /** On the button that opens the picker. */
  chooseLabel: string
  /** What may be chosen, always visible. */
  hint: ReactNode
  /** As in the `accept` attribute of an input. */
  accept: string
  onFile: (file: File) => void
  /** Several files dropped at once are for what is around. */
  leavesSeveral?: boolean
  /** For an upload that stopped: it may go on while new ones are switched off. */
  goesOn?: boolean
  className?: string
}

/** A place to drop a file on, with a button that opens the picker. */
export function FileZone(props: FileZoneProps) {
  const { uploads: off } = useSwitchedOff()
  if (off && !props.goesOn) return <Banner tone="warning">{off}</Banner>
  return <OpenFileZone {...props} />
}

function OpenFileZone(props: FileZoneProps) {
  const { chooseLabel, hint, accept, onFile, leavesSeveral, className } = props
  const id = useId()
  const zone = useRef<HTMLDivElement>(null)
  const isOver = useFileDrop(zone, ([file, ...others]) => {
    if (leavesSeveral && others.length > 0) return false
    if (file) onFile(file)
    return true
  })

  return (
    <div
      ref={zone}
      className={cn(
        'grid w-full content-center justify-items-center gap-3 rounded-card border-2 border-dashed px-5 py-8',
        'text-center transition-colors',
        isOver ? 'border-primary bg-primary-soft' : 'border-edge/50 bg-surface',
        className,
      )}
    >
      <Upload size={24} aria-hidden className="text-primary" />
      <ChooseFiles
        id={id}
        accept={accept}
        describedBy={`${id}-hint`}
        look={{ variant: 'secondary' }}
        onFiles={([file]) => file && onFile(file)}
      >
        {chooseLabel}
      </ChooseFiles>
      <div id={`${id}-hint`} className="grid gap-0.5 text-sm text-muted">
        <p className="hidden sm:block">or drop it here</p>
        <p>{hint}</p>
      </div>
    </div>
  )
}
