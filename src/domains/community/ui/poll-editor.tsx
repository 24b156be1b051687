import { Plus, X } from 'lucide-react'
import { useRef } from 'react'
import { flushSync } from 'react-dom'
import { Button } from '../../../ui/button.tsx'
import { Field, Input } from '../../../ui/field.tsx'
import { communityLimits as limits } from '../rules.ts'
import type { Extras } from './extras.ts'
import { TimeField } from './time-field.tsx'

type Draft = NonNullable<Extras['poll']>
type PollEditorProps = { value: Draft; onChange: (value: Draft) => void }

const least = 2

/** The answers of a new poll, and when it closes. */
export function PollEditor({ value, onChange }: PollEditorProps) {
  const { options } = value
  const list = useRef<HTMLOListElement>(null)
  const isFull = options.length >= limits.pollOptions

  function setOptions(changed: string[], focus?: number) {
    flushSync(() => onChange({ ...value, options: changed }))
    if (focus !== undefined) list.current?.querySelectorAll('input')[focus]?.focus()
  }

  return (
    <div className="grid gap-3 pl-8">
      <ol ref={list} className="grid gap-2">
        {options.map((option, index) => (
          // Answers have no identity of their own: their place is it.
          <li key={index} className="flex items-end gap-2">
            <Field label={`Answer ${index + 1}`} hideLabel className="min-w-0 flex-1">
              <Input
                value={option}
                maxLength={limits.pollOption}
                placeholder={`Answer ${index + 1}`}
                autoComplete="off"
                onChange={(event) => setOptions(options.with(index, event.target.value))}
                onKeyDown={(event) => {
                  // Enter would send the post that is not finished.
                  if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return
                  event.preventDefault()
                  if (index + 1 < options.length) setOptions(options, index + 1)
                  else if (!isFull) setOptions([...options, ''], index + 1)
                }}
              />
            </Field>
            <Button
              variant="ghost"
              size="icon"
              aria-label={`Remove answer ${index + 1}`}
              disabled={options.length <= least}
              className="text-muted hover:bg-danger-soft hover:text-danger"
              onClick={() =>
                setOptions(options.toSpliced(index, 1), Math.min(index, options.length - 2))
              }
            >
              <X size={18} aria-hidden />
            </Button>
          </li>
        ))}
      </ol>
      <Button
        variant="secondary"
        size="sm"
        className="justify-self-start"
        disabled={isFull}
        onClick={() => setOptions([...options, ''], options.length)}
      >
        {!isFull && <Plus size={18} aria-hidden />}
        {isFull ? `A poll can have at most ${limits.pollOptions} answers` : 'Add Answer'}
      </Button>
      <TimeField
        label="Closes at"
        optional
        hint="Without an end it stays open."
        value={value.closesAt}
        onChange={(closesAt) => onChange({ ...value, closesAt })}
      />
    </div>
  )
}
