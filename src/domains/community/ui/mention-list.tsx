import { useEffect, useRef } from 'react'
import { Avatar } from '../../../ui/avatar.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { cn } from '../../../ui/cn.ts'
import type { Mentionable } from '../schema.ts'

type MentionListProps = {
  id: string
  people: Mentionable[]
  active: number
  onPick: (person: Mentionable) => void
}

export const optionId = (listId: string, person: Mentionable) => `${listId}-${person.id}`

/** The people under a field in which a name is begun; the focus stays in the field. */
export function MentionList({ id, people, active, onPick }: MentionListProps) {
  const list = useRef<HTMLDivElement>(null)

  useEffect(() => {
    // Above a dialog, too.
    list.current?.showPopover()
  }, [])

  useEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: 'nearest' })
  }, [active])

  return (
    <div
      ref={list}
      id={id}
      popover="manual"
      // The browser's own list cannot stand under a field that keeps the focus.
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
      role="listbox"
      aria-label="People to mention"
      className={cn(
        'menu-panel menu-start max-h-[min(18rem,35dvh)] w-72 max-w-[calc(100vw-1.5rem)]',
        'overflow-y-auto overscroll-contain rounded-card border bg-raised p-1.5 text-ink shadow-raised',
      )}
    >
      {people.map((person, index) => (
        // Keys are the field's business: it has the focus all the time.
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
        <div
          key={person.id}
          id={optionId(id, person)}
          // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
          role="option"
          tabIndex={-1}
          aria-selected={index === active}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onPick(person)}
          className="flex min-h-11 cursor-pointer items-center gap-3 rounded-lg px-2.5 py-1.5 text-sm hover:bg-wash aria-selected:bg-primary-soft"
        >
          <Avatar name={person.name} src={person.avatarUrl} size="sm" />
          <span className="grid min-w-0 flex-1">
            <bdi className="truncate font-semibold">{person.name}</bdi>
            <span className="truncate text-muted">@{person.username}</span>
          </span>
          {person.isInstructor && <Badge tone="primary">Instructor</Badge>}
        </div>
      ))}
    </div>
  )
}
