import type { ReactNode } from 'react'
import { buttonClass } from '../../../ui/button.tsx'
import { cn } from '../../../ui/cn.ts'

type ChooseFilesProps = {
  id: string
  /** As in the `accept` attribute of an input. */
  accept: string
  multiple?: boolean
  describedBy?: string
  look: Parameters<typeof buttonClass>[0]
  onFiles: (files: File[]) => void
  children: ReactNode
}

/** A button that opens the picker. */
export function ChooseFiles(props: ChooseFilesProps) {
  const { id, accept, multiple, describedBy, look, onFiles } = props
  return (
    <div>
      <input
        id={id}
        type="file"
        accept={accept}
        multiple={multiple}
        aria-describedby={describedBy}
        onChange={(event) => {
          const files = [...(event.target.files ?? [])]
          // The same file chosen again is a change, too.
          event.target.value = ''
          if (files.length > 0) onFiles(files)
        }}
        className="peer sr-only"
      />
      <label
        htmlFor={id}
        className={cn(
          buttonClass(look),
          'peer-focus-visible:outline-2 peer-focus-visible:outline-offset-2 peer-focus-visible:outline-primary',
          'peer-disabled:pointer-events-none peer-disabled:opacity-50',
        )}
      >
        {props.children}
      </label>
    </div>
  )
}
