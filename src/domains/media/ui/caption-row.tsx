import { Plus, Trash2 } from 'lucide-react'
import { Button } from '../../../ui/button.tsx'
import { Field, FieldError, Input, Textarea } from '../../../ui/field.tsx'
import { captionLimits } from '../caption-format.ts'
import type { CueDraft } from './caption-draft.ts'

type CaptionRowProps = {
  cue: CueDraft
  /** 1-based. */
  number: number
  problem: string | undefined
  onChange: (change: Partial<Omit<CueDraft, 'key'>>) => void
  onLeave: () => void
  /** Left out when there are as many as there may be. */
  onAdd: (() => void) | undefined
  onRemove: () => void
}

export function CaptionRow(props: CaptionRowProps) {
  const { cue, number, problem, onChange, onLeave, onAdd, onRemove } = props
  return (
    <li>
      <fieldset
        aria-label={`Caption ${number}`}
        className="grid min-w-0 gap-2 rounded-control border bg-paper p-3"
      >
        <div className="grid grid-cols-2 gap-x-3 gap-y-2 sm:grid-cols-[9rem_9rem_1fr_auto]">
          <Field label="Start">
            <Input
              data-cue="start"
              value={cue.start}
              aria-invalid={problem ? true : undefined}
              inputMode="decimal"
              autoComplete="off"
              className="tabular-nums"
              onBlur={onLeave}
              onChange={(event) => onChange({ start: event.target.value })}
            />
          </Field>
          <Field label="End">
            <Input
              value={cue.end}
              aria-invalid={problem ? true : undefined}
              inputMode="decimal"
              autoComplete="off"
              className="tabular-nums"
              onBlur={onLeave}
              onChange={(event) => onChange({ end: event.target.value })}
            />
          </Field>
          <Field label="Text" className="col-span-2 sm:col-span-1">
            <Textarea
              data-cue="text"
              dir="auto"
              value={cue.text}
              rows={1}
              maxLength={captionLimits.textLength}
              className="min-h-11"
              onBlur={onLeave}
              onChange={(event) => onChange({ text: event.target.value })}
            />
          </Field>
          <div className="col-span-2 flex items-end justify-end gap-1 sm:col-span-1">
            {onAdd && (
              <Button
                variant="ghost"
                size="icon"
                aria-label={`Add a caption after caption ${number}`}
                className="text-muted hover:text-ink"
                onClick={onAdd}
              >
                <Plus size={18} aria-hidden />
              </Button>
            )}
            <Button
              variant="ghost"
              size="icon"
              aria-label={`Remove caption ${number}`}
              className="text-muted hover:bg-danger-soft hover:text-danger"
              onClick={onRemove}
            >
              <Trash2 size={18} aria-hidden />
            </Button>
          </div>
        </div>
        {problem && <FieldError>{problem}</FieldError>}
      </fieldset>
    </li>
  )
}
