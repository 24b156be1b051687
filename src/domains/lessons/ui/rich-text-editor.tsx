import { type ReactNode, type Ref, useId } from 'react'
import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import { cn } from '../../../ui/cn.ts'
import { FieldError } from '../../../ui/field.tsx'
import { Loading, Skeleton } from '../../../ui/skeleton.tsx'
import { useHydrated } from '../../../ui/use-hydrated.ts'
import type { RichText } from '../rich-text.ts'
import './rich-text-editor.css'
import type { SurfaceProps } from './rich-text-editor-surface.tsx'
import { loadSurface } from './load-rich-text-editor.ts'
import { useLater } from '../../../ui/use-later.ts'

type RichTextEditorProps = {
  ref?: Ref<{ focus: () => void }>
  label: string
  hint?: ReactNode
  error?: ReactNode
  required?: boolean
  disabled?: boolean
  /** Read once; give the editor another `key` to start over. */
  initialValue: RichText
  /** Called with every change, with a document that `richText()` accepts unless the editor says why not. */
  onChange: (value: RichText) => void
  onBlur?: () => void
  className?: string
}

/** Writes rich text in the formats of spec 2, section 5. Loaded when shown; a skeleton holds its place. */
export function RichTextEditor({ hint, error, label, className, ...rest }: RichTextEditorProps) {
  const hydrated = useHydrated()
  const id = useId()

  return (
    <div className={cn('grid content-start gap-1.5', className)}>
      <span
        id={`${id}-label`}
        className="w-fit text-sm font-semibold"
        onPointerUp={() => document.getElementById(id)?.focus()}
      >
        {label}
      </span>
      <div
        className={cn(
          'rounded-control border border-edge bg-surface shadow-card transition-colors',
          'hover:border-ink has-[.ProseMirror-focused]:border-primary',
          'has-[.ProseMirror-focused]:outline-2 has-[.ProseMirror-focused]:outline-primary',
          error && 'border-danger',
          rest.disabled && 'border-line bg-wash text-muted shadow-none hover:border-line',
        )}
      >
        {hydrated ? (
          <LaterSurface
            {...rest}
            id={id}
            label={label}
            labelledBy={`${id}-label`}
            describedBy={[hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ')}
            invalid={Boolean(error)}
            required={rest.required ?? false}
            disabled={rest.disabled ?? false}
          />
        ) : (
          <EditorSkeleton />
        )}
      </div>
      {hint && (
        <p id={`${id}-hint`} className="text-sm text-muted">
          {hint}
        </p>
      )}
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
    </div>
  )
}

function LaterSurface(props: SurfaceProps) {
  const { value: surface, failed, retry } = useLater(loadSurface)
  if (surface) return <surface.default {...props} />
  if (!failed) return <EditorSkeleton />
  return (
    <Banner
      tone="danger"
      className="border-0"
      action={
        <Button variant="secondary" size="sm" onClick={retry}>
          Try again
        </Button>
      }
    >
      The editor could not be loaded. Your text is not lost.
    </Banner>
  )
}

/** The sizes of the groups of the toolbar, so that it wraps where the toolbar will wrap. */
const groups = [3, 4, 2, 2, 2]

function EditorSkeleton() {
  return (
    <Loading label="Loading the editor…">
      <div className="flex flex-wrap gap-y-0.5 border-b p-1">
        {groups.map((count, group) => (
          <div key={group} className="flex gap-px px-1 not-last:border-r first:pl-0 last:pr-0">
            {Array.from({ length: count }, (_, tool) => (
              <div key={tool} className="grid size-9 place-items-center">
                <Skeleton className="size-[1.125rem]" />
              </div>
            ))}
          </div>
        ))}
      </div>
      <div className="grid min-h-[150px] content-start gap-3 p-4">
        <Skeleton className="w-4/5 max-w-lg" />
        <Skeleton className="w-3/5 max-w-md" />
      </div>
    </Loading>
  )
}
