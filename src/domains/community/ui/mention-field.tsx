import {
  type KeyboardEvent,
  type Ref,
  type SyntheticEvent,
  useId,
  useImperativeHandle,
  useRef,
  useState,
} from 'react'
import { cn } from '../../../ui/cn.ts'
import { Textarea } from '../../../ui/field.tsx'
import type { Mentionable } from '../schema.ts'
import { insertAtCaret } from './insert-at-caret.ts'
import { type BegunMention, mentionAt } from './mention-at.ts'
import { MentionList, optionId } from './mention-list.tsx'
import { useMentionable } from './use-mentionable.ts'

type MentionFieldProps = {
  /** Of the course whose people can be named. */
  slug: string
  value: string
  onChange: (value: string) => void
  /** For those who do not see what the field is for. */
  label: string
  placeholder?: string
  maxLength?: number
  /** The smallest height. */
  rows?: number
  name?: string
  disabled?: boolean
  /** While it is sent: the focus stays, nothing is written. */
  readOnly?: boolean
  invalid?: boolean
  describedBy?: string
  ref?: Ref<HTMLTextAreaElement>
  className?: string
}

/** A text that grows, in which '@' and the beginning of a name offer people to mention. */
export function MentionField({
  slug,
  value,
  onChange,
  label,
  rows = 3,
  readOnly = false,
  invalid,
  describedBy,
  ref,
  className,
  ...rest
}: MentionFieldProps) {
  const area = useRef<HTMLTextAreaElement>(null)
  const hasTyped = useRef(false)
  useImperativeHandle(ref, () => area.current!, [])
  const listId = useId()
  const picker = useMentionPicker(slug, area, onChange)
  const { people, active } = picker
  const chosen = readOnly ? undefined : people[active]

  return (
    <div className={cn('menu-scope grid', className)}>
      <Textarea
        {...rest}
        ref={area}
        rows={rows}
        readOnly={readOnly}
        value={value}
        dir="auto"
        // A text of several lines may not be a combobox; the rest of that pattern is what follows.
        aria-label={label}
        aria-autocomplete="list"
        aria-controls={chosen ? listId : undefined}
        aria-activedescendant={chosen ? optionId(listId, chosen) : undefined}
        aria-invalid={invalid || undefined}
        aria-describedby={describedBy}
        onChange={(event) => {
          hasTyped.current = true
          onChange(event.target.value)
          picker.look(event)
        }}
        // A name that was there before is not being looked for.
        onSelect={(event) => hasTyped.current && picker.look(event)}
        onBlur={picker.close}
        onKeyDown={readOnly ? undefined : picker.onKeyDown}
        className={cn(
          'menu-trigger max-h-[min(32rem,50dvh)]',
          rows === 1 ? 'min-h-11' : 'min-h-24',
        )}
      />
      {chosen && <MentionList id={listId} people={people} active={active} onPick={picker.pick} />}
      <p aria-live="polite" className="sr-only">
        {chosen && `${peopleLabel(people.length)} to mention. Arrow keys to choose, Enter to take.`}
      </p>
    </div>
  )
}

const peopleLabel = (count: number) => (count === 1 ? '1 person' : `${count} people`)

/** The begun name at the caret, who may be meant, and the keys that choose among them. */
function useMentionPicker(
  slug: string,
  area: { current: HTMLTextAreaElement | null },
  onChange: (value: string) => void,
) {
  const [begun, setBegun] = useState<BegunMention | null>(null)
  /** Where the list was closed by Escape, or a name was taken: it stays closed there. */
  const [closedAt, setClosedAt] = useState<number | null>(null)
  const [active, setActive] = useState(0)
  const isOpen = begun !== null && begun.from !== closedAt
  const people = useMentionable(slug, isOpen ? begun.search : null)
  const place = Math.min(active, people.length - 1)

  function look({
    currentTarget: { value, selectionStart, selectionEnd },
  }: SyntheticEvent<HTMLTextAreaElement>) {
    const next = selectionStart === selectionEnd ? mentionAt(value, selectionStart) : null
    if (next?.from === begun?.from && next?.search === begun?.search) return
    setBegun(next)
    setActive(0)
    if (next?.from !== closedAt) setClosedAt(null)
  }

  function close() {
    setBegun(null)
    setClosedAt(null)
  }

  function pick({ username }: Mentionable) {
    const field = area.current
    if (!field || !begun) return
    const end = begun.from + 1 + begun.search.length
    field.setSelectionRange(begun.from, end)
    const gap = /^\s/.test(field.value.slice(end)) ? '' : ' '
    insertAtCaret(field, `@${username}${gap}`, onChange)
    close()
  }

  function onKeyDown(event: KeyboardEvent) {
    const chosen = people[place]
    const hasModifier = event.ctrlKey || event.metaKey || event.altKey || event.shiftKey
    if (!chosen || hasModifier || event.nativeEvent.isComposing) return
    const keys: Record<string, () => void> = {
      ArrowDown: () => setActive((place + 1) % people.length),
      ArrowUp: () => setActive((place + people.length - 1) % people.length),
      Enter: () => pick(chosen),
      Tab: () => pick(chosen),
      Escape: () => setClosedAt(begun?.from ?? null),
    }
    const act = keys[event.key]
    if (!act) return
    // Not for the form or the dialog around it.
    event.preventDefault()
    event.stopPropagation()
    act()
  }

  return { people, active: place, look, close, pick, onKeyDown }
}
