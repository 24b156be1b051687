import { Form } from 'react-router'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { jobKindLabel } from '../job-kinds.ts'
import type { KindInQueue } from '../job-schema.ts'
import { spanWords } from './span-words.ts'
import { useBusy } from './suspend-form.tsx'

/** Milliseconds after which a job has been under way for long. */
const long = 10 * 60_000

/** How many jobs of each kind there are, and how they are. */
export function JobKindList({ kinds, now }: { kinds: KindInQueue[]; now: Date }) {
  return (
    <ul
      // Safari forgets that a list without bullets is one, unless told.
      // oxlint-disable-next-line jsx-a11y/no-redundant-roles
      role="list"
      aria-label="Kinds of jobs"
      className="divide-y rounded-card border bg-surface"
    >
      {kinds.map((kind) => (
        <KindItem key={kind.name} kind={kind} now={now} />
      ))}
    </ul>
  )
}

function KindItem({ kind, now }: { kind: KindInQueue; now: Date }) {
  const { name, waiting, later, underWay, underWaySince, failing, givenUp } = kind
  const label = jobKindLabel(name)
  const span = underWaySince === null ? 0 : now.getTime() - Date.parse(underWaySince)
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 px-4 py-3">
      <div className="grid min-w-0 flex-1 basis-72 gap-2">
        <h3 className="font-text text-base tracking-normal wrap-anywhere">{label}</h3>
        <div className="flex flex-wrap gap-2">
          {failing > 0 && <Badge tone="danger">{figure(failing)} failing</Badge>}
          {givenUp > 0 && <Badge tone="danger">{figure(givenUp)} given up</Badge>}
          {underWay > 0 && (
            <Badge tone={span > long ? 'warning' : 'primary'}>
              {figure(underWay)} under way, {underWay > 1 && 'the first '}for {spanWords(span)}
              {span > long && ' already'}
            </Badge>
          )}
          {waiting > 0 && <Badge>{figure(waiting)} waiting</Badge>}
          {later > 0 && <Badge>{figure(later)} for later</Badge>}
        </div>
      </div>
      {failing > 0 && <RetryKindForm name={name} label={label} />}
    </li>
  )
}

const figure = (count: number) => count.toLocaleString('en-US')

function RetryKindForm({ name, label }: { name: string; label: string }) {
  const intent = `retry-kind ${name}`
  const busy = useBusy(intent)
  return (
    <Form method="post" replace preventScrollReset>
      <input type="hidden" name="intent" value={intent} />
      <input type="hidden" name="act" value="retry-kind" />
      <input type="hidden" name="name" value={name} />
      <Button
        type="submit"
        variant="secondary"
        size="sm"
        busy={busy}
        aria-label={`Try all failing now: ${label}`}
      >
        Try all failing now
      </Button>
    </Form>
  )
}
