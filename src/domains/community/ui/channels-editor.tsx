import { safe } from '@orpc/client'
import { Plus, Trash2 } from 'lucide-react'
import { type FormEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Field, Input } from '../../../ui/field.tsx'
import { client } from '../../../web/api-client.ts'
import { callProblem } from '../../courses/ui/call-problem.ts'
import { MoveButtons } from '../../courses/ui/editor-buttons.tsx'
import { communityLimits as limits, tooManyChannels } from '../rules.ts'
import type { Channel } from '../schema.ts'
import { channelProblems } from './channel-problems.ts'
import { ProHint } from './pro-hint.tsx'

type ChannelsEditorProps = {
  courseId: string
  channels: Channel[]
  /** Without it channels can only be ordered and removed. */
  hasAdvanced: boolean
  onClose: () => void
  /** They are saved. */
  onSaved: (channels: Channel[]) => void
}

interface Row {
  key: number
  id?: string
  name: string
  /** Here; a name that was not may change elsewhere. */
  isWritten: boolean
}

const wordsOf = ({ name }: Row, index: number) => name.trim() || `Channel ${index + 1}`

const quoted = (list: Channel[]) => list.map(({ name }) => `“${name}”`).join(', ')

/** Names, orders, adds and removes the channels of a community, all in one go. */
export function ChannelsEditor({
  courseId,
  channels,
  hasAdvanced,
  onClose,
  onSaved,
}: ChannelsEditorProps) {
  // What comes meanwhile is no part of what is edited here.
  const [known] = useState(channels)
  const nextKey = useRef(known.length)
  const [begun, setRows] = useState<Row[]>(() =>
    known.map((channel, index) => ({ ...channel, key: index, isWritten: false })),
  )
  const now = new Map(channels.map(({ id, name }) => [id, name]))
  const rows = begun.map((row) =>
    row.isWritten ? row : { ...row, name: now.get(row.id ?? '') ?? row.name },
  )
  /** For who does not see where a channel went. */
  const [moved, setMoved] = useState('')
  const [isChecked, setChecked] = useState(false)
  const [isSaving, setSaving] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const list = useRef<HTMLOListElement>(null)
  const problems = channelProblems(rows.map(({ name }) => name))
  const removed = known.filter(({ id }) => !rows.some((row) => row.id === id))
  const isAsked = (channel: Channel) =>
    rows.some(({ id, name }) => id === undefined && name.trim() === channel.name)
  const added = channels.filter(
    (channel) => !known.some(({ id }) => id === channel.id) && !isAsked(channel),
  )
  const gone = known.filter(({ id }) => !now.has(id) && rows.some((row) => row.id === id))
  const isFull = rows.length >= limits.channels

  function focusOn(index: number) {
    list.current?.querySelectorAll('input')[index]?.focus()
  }

  function add() {
    const key = nextKey.current++
    flushSync(() => setRows([...rows, { key, name: '', isWritten: true }]))
    focusOn(rows.length)
  }

  function remove(index: number) {
    flushSync(() => setRows(rows.toSpliced(index, 1)))
    if (rows.length > 1) focusOn(Math.min(index, rows.length - 2))
    else document.getElementById('add-channel')?.focus()
  }

  function move(index: number, by: -1 | 1) {
    const row = rows[index]!
    setRows(rows.toSpliced(index, 1).toSpliced(index + by, 0, row))
    setMoved(`${wordsOf(row, index)} is now ${index + 1 + by} of ${rows.length}.`)
  }

  async function save(event: FormEvent) {
    event.preventDefault()
    setChecked(true)
    if (isSaving) return
    const first = problems.findIndex((one) => one !== null)
    if (first >= 0) return focusOn(first)
    setSaving(true)
    setProblem(null)
    const [error, saved] = await safe(
      client.community.saveChannels({
        courseId,
        channels: rows.map(({ id, name }) => ({ id, name })),
        known: known.map(({ id }) => id),
      }),
    )
    setSaving(false)
    if (error) {
      return setProblem(callProblem(error, 'Failed to save the channels. Please try again.'))
    }
    onSaved(saved.channels)
  }

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Channels"
      description="Parts of the discussion, such as “Questions” or “Wins”. Everybody can write in all of them."
      locked={isSaving}
    >
      <form onSubmit={(event) => void save(event)} noValidate className="grid gap-4">
        {!hasAdvanced && (
          <ProHint>
            {channels.length > 0
              ? 'New channels are a Pro benefit. You can order and remove those that you have.'
              : 'Channels are a Pro benefit.'}
          </ProHint>
        )}
        <output className="sr-only">{moved}</output>
        <ol ref={list} aria-label="Channels" className="grid gap-3 empty:hidden">
          {rows.map((row, index) => {
            const { key, name } = row
            const words = wordsOf(row, index)
            return (
              <li key={key} className="flex items-start gap-1">
                <Field
                  label={`Name of channel ${index + 1}`}
                  hideLabel
                  error={isChecked && problems[index]}
                  className="min-w-0 flex-1"
                >
                  <Input
                    value={name}
                    maxLength={limits.channelName}
                    readOnly={!hasAdvanced}
                    autoComplete="off"
                    onChange={({ target }) =>
                      setRows(rows.with(index, { ...row, name: target.value, isWritten: true }))
                    }
                  />
                </Field>
                <div className="flex min-h-11 items-center">
                  <MoveButtons
                    name={words}
                    index={index}
                    count={rows.length}
                    onMove={(by) => move(index, by)}
                  />
                  <Button
                    variant="ghost"
                    size="icon-sm"
                    aria-label={`Remove “${words}”`}
                    className="text-muted hover:bg-danger-soft hover:text-danger"
                    onClick={() => remove(index)}
                  >
                    <Trash2 size={18} aria-hidden />
                  </Button>
                </div>
              </li>
            )
          })}
        </ol>
        <Button
          id="add-channel"
          variant="secondary"
          size="sm"
          className="justify-self-start"
          disabled={isFull || !hasAdvanced}
          onClick={add}
        >
          {!isFull && <Plus size={18} aria-hidden />}
          {isFull ? tooManyChannels : 'Add Channel'}
        </Button>
        {removed.length > 0 && (
          <Banner tone="warning">{`Posts in ${quoted(removed)} stay, without a channel.`}</Banner>
        )}
        {added.length > 0 && (
          <Banner>{`Added elsewhere since you opened this: ${quoted(added)}. They stay, at the end.`}</Banner>
        )}
        {gone.length > 0 && (
          <Banner tone="warning">{`Removed elsewhere since you opened this: ${quoted(gone)}. Saved here, they come back without their posts.`}</Banner>
        )}
        {problem && <Banner tone="danger">{problem}</Banner>}
        <div className="flex flex-col-reverse gap-3 sm:flex-row sm:justify-end">
          <Button variant="secondary" disabled={isSaving} onClick={onClose}>
            Cancel
          </Button>
          <Button
            type="submit"
            disabled={!hasAdvanced && channels.length === 0}
            busy={isSaving}
            busyText="Saving..."
          >
            Save Channels
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
