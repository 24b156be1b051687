import {
  type ReactNode,
  type Ref,
  useEffect,
  useId,
  useImperativeHandle,
  useRef,
  useState,
} from 'react'
import { cn } from '../../../ui/cn.ts'
import { FailedBanner } from '../../../ui/failed-banner.tsx'
import { FieldError } from '../../../ui/field.tsx'
import { Loading, Skeleton } from '../../../ui/skeleton.tsx'
import { useHydrated } from '../../../ui/use-hydrated.ts'
import type { RichText } from '../rich-text.ts'
import './rich-text-editor.css'
import { RichTextView } from './rich-text-view.tsx'
import type { SurfaceProps } from './rich-text-editor-surface.tsx'
import { loadSurface } from './load-rich-text-editor.ts'
import { toolGroups } from './rich-text-editor-tools.ts'
import { useLater } from '../../../ui/use-later.ts'

type RichTextEditorProps = {
  ref?: Ref<{ focus: () => void }>
  label: string
  hint?: ReactNode
  error?: ReactNode
  required?: boolean
  disabled?: boolean
  /** For a page that holds more than this: the editor is fetched once somebody does something there. */
  later?: boolean
  /** Read once; give the editor another `key` to start over. */
  initialValue: RichText
  /** Called with every change, with a document that `richText()` accepts unless the editor says why not. */
  onChange: (value: RichText) => void
  onBlur?: () => void
  className?: string
}

/** Writes rich text in the formats of spec 2, section 5. Loaded when shown, or `later`; something holds its place. */
export function RichTextEditor({
  hint,
  error,
  label,
  later = false,
  className,
  ...rest
}: RichTextEditorProps) {
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
        {hydrated || later ? (
          <LaterSurface
            {...rest}
            later={later}
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

/** What somebody does first on a page, by whatever means. */
const signs = ['pointermove', 'pointerdown', 'wheel', 'scroll', 'keydown', 'focusin'] as const

/** Whether somebody does something on this page. */
function useSomebody(): boolean {
  const [isHere, setHere] = useState(false)
  useEffect(() => {
    if (isHere) return
    const come = () => setHere(true)
    // Who was there before the page was hydrated.
    if (document.activeElement !== document.body) come()
    for (const sign of signs) addEventListener(sign, come, { passive: true })
    return () => signs.forEach((sign) => removeEventListener(sign, come))
  }, [isHere])
  return isHere
}

function LaterSurface({ later, ...props }: SurfaceProps & { later: boolean }) {
  const isWanted = useSomebody() || !later
  const { value: surface, failed, retry } = useLater(loadSurface, isWanted)
  const hasFocus = useRef(false)
  const { id } = props

  useEffect(() => {
    if (surface && hasFocus.current) document.getElementById(id)?.focus()
  }, [surface, id])

  if (surface) return <surface.default {...props} />
  if (!failed) {
    return later ? (
      <TextAtRest
        {...props}
        busy={isWanted}
        onFocusChange={(focused) => (hasFocus.current = focused)}
      />
    ) : (
      <EditorSkeleton />
    )
  }
  return (
    <FailedBanner className="border-0" onRetry={retry}>
      The editor could not be loaded. Your text is not lost.
    </FailedBanner>
  )
}

type TextAtRestProps = SurfaceProps & {
  /** The editor is on its way. */
  busy: boolean
  onFocusChange: (hasFocus: boolean) => void
}

/** The text in its place, before it can be changed. */
function TextAtRest({ initialValue, busy, onFocusChange, ...props }: TextAtRestProps) {
  const element = useRef<HTMLDivElement>(null)
  useImperativeHandle(props.ref, () => ({ focus: () => element.current?.focus() }), [])
  return (
    <>
      <ToolbarAtRest />
      <div
        ref={element}
        id={props.id}
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- rich text, as the editor that takes its place
        role="textbox"
        tabIndex={props.disabled ? -1 : 0}
        aria-multiline
        aria-labelledby={props.labelledBy}
        aria-describedby={props.describedBy || undefined}
        aria-required={props.required}
        aria-invalid={props.invalid}
        aria-disabled={props.disabled || busy}
        onFocus={() => onFocusChange(true)}
        onBlur={() => onFocusChange(false)}
        className="rich-text-area cursor-text"
      >
        <RichTextView content={initialValue} />
      </div>
    </>
  )
}

/** The toolbar as it will look; it does nothing yet. */
function ToolbarAtRest() {
  return (
    <div aria-hidden className="flex flex-wrap gap-y-0.5 border-b p-1 text-muted">
      {toolGroups.map((group) => (
        <div
          key={group[0]?.label}
          className="flex gap-px px-1 not-last:border-r first:pl-0 last:pr-0"
        >
          {group.map((tool) => (
            <div key={tool.label} className="grid size-9 place-items-center">
              <tool.icon size={18} />
            </div>
          ))}
        </div>
      ))}
    </div>
  )
}

function EditorSkeleton() {
  return (
    <Loading label="Loading the editor…">
      <ToolbarAtRest />
      <div className="grid min-h-[150px] content-start gap-3 p-4">
        <Skeleton className="w-4/5 max-w-lg" />
        <Skeleton className="w-3/5 max-w-md" />
      </div>
    </Loading>
  )
}
