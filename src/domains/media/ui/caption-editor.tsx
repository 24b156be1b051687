import { ChevronLeft, ChevronRight, Plus } from 'lucide-react'
import { useLayoutEffect, useReducer, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { captionLimits } from '../caption-format.ts'
import { languageLabel } from '../caption-languages.ts'
import { type SavedCaptions, saveCaptions } from './caption-calls.ts'
import { captionDraftOf, captionStep, type Cue, cuesOf, problemsOf } from './caption-draft.ts'
import { CaptionRow } from './caption-row.tsx'

/** As many as a page of them stays quick to type in. */
const perPage = 25

type CaptionEditorProps = {
  mediaId: string
  language: string
  cues: Cue[]
  /** Since when they are so; null where there were none. */
  updatedAt: string | null
  onSaved: (saved: SavedCaptions) => void
  onClose: () => void
  /** Whether something would be lost: only the page can ask whoever leaves it. */
  onUnsaved: (isUnsaved: boolean) => void
}

/** One language, cue by cue. Asks before it closes over unsaved work. */
export function CaptionEditor({
  mediaId,
  language,
  cues,
  updatedAt,
  onSaved,
  onClose,
  onUnsaved,
}: CaptionEditorProps) {
  const [draft, dispatch] = useReducer(captionStep, cues, captionDraftOf)
  const { isChanged } = draft
  const [page, setPage] = useState(0)
  const [left, setLeft] = useState<ReadonlySet<number>>(new Set())
  const [isSaving, setSaving] = useState(false)
  const [isAsking, setAsking] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const [isOutrun, setOutrun] = useState(false)
  const list = useRef<HTMLOListElement>(null)
  const addFirst = useRef<HTMLButtonElement>(null)
  const problems = problemsOf(draft)
  const pages = Math.max(1, Math.ceil(draft.cues.length / perPage))
  const shownPage = Math.min(page, pages - 1)
  const first = shownPage * perPage
  const shown = draft.cues.slice(first, first + perPage)
  const isFull = draft.cues.length >= captionLimits.cues

  // A layout effect: the page knows it before anybody can go back.
  useLayoutEffect(() => {
    if (!isChanged) return
    onUnsaved(true)
    return () => onUnsaved(false)
  }, [isChanged, onUnsaved])

  /** Shows the cue at this index, and puts the cursor into it. */
  function goTo(index: number, field: 'text' | 'start') {
    flushSync(() => setPage(Math.floor(index / perPage)))
    const item = list.current?.children[index % perPage]
    item?.querySelector<HTMLElement>(`[data-cue="${field}"]`)?.focus()
  }

  function add(after: number) {
    if (isFull) return
    flushSync(() => dispatch({ type: 'added', after }))
    goTo(after + 1, 'text')
  }

  function remove(key: number, index: number) {
    flushSync(() => dispatch({ type: 'removed', key }))
    if (draft.cues.length === 1) addFirst.current?.focus()
    else goTo(Math.min(index, draft.cues.length - 2), 'text')
  }

  /** Others that came meanwhile are replaced only by whoever was told of them. */
  async function save(before: string | null | undefined) {
    setProblem(null)
    setOutrun(false)
    const at = draft.cues.findIndex(({ key }) => problems.has(key))
    if (at >= 0) {
      setLeft(new Set([...left, ...problems.keys()]))
      const others = problems.size - 1
      const more = others > 0 ? ` ${others} more ${others === 1 ? 'is' : 'are'} not right.` : ''
      setProblem(`Caption ${at + 1}: ${problems.get(draft.cues[at]!.key)}${more}`)
      goTo(at, 'start')
      return
    }
    setSaving(true)
    const answer = await saveCaptions(mediaId, language, { cues: cuesOf(draft) }, before)
    setSaving(false)
    if (!('problem' in answer)) return onSaved(answer)
    setProblem(answer.problem)
    setOutrun(answer.code === 'CAPTIONS_CHANGED')
  }

  function close() {
    if (isChanged) setAsking(true)
    else onClose()
  }

  return (
    <>
      <Dialog
        open
        size="lg"
        locked={isSaving}
        onOpenChange={close}
        title={`Captions in ${languageLabel(language)}`}
        description="Times are hours, minutes, seconds and thousandths: 00:01:02.500."
        footer={
          <>
            <Button variant="secondary" disabled={isSaving} onClick={close}>
              Cancel
            </Button>
            <Button busy={isSaving} busyText="Saving..." onClick={() => save(updatedAt)}>
              Save captions
            </Button>
          </>
        }
      >
        {problem && (
          <Banner
            tone="danger"
            action={
              isOutrun && (
                <Button size="sm" variant="secondary" onClick={() => save(undefined)}>
                  Replace them with mine
                </Button>
              )
            }
          >
            {problem}
          </Banner>
        )}
        {/* What is typed while they are saved would be lost. */}
        <div inert={isSaving} className="grid gap-5">
          {draft.cues.length === 0 ? (
            <p className="text-muted">There are no captions yet.</p>
          ) : (
            <ol
              ref={list}
              aria-label="Captions"
              start={first + 1}
              className="grid grid-cols-1 gap-3"
            >
              {shown.map((cue, at) => (
                <CaptionRow
                  key={cue.key}
                  cue={cue}
                  number={first + at + 1}
                  problem={left.has(cue.key) ? problems.get(cue.key) : undefined}
                  onChange={(change) => dispatch({ type: 'changed', key: cue.key, change })}
                  onLeave={() => setLeft((before) => new Set([...before, cue.key]))}
                  onAdd={isFull ? undefined : () => add(first + at)}
                  onRemove={() => remove(cue.key, first + at)}
                />
              ))}
            </ol>
          )}
          <div className="flex flex-wrap items-center justify-between gap-3">
            <Button
              ref={addFirst}
              variant="secondary"
              size="sm"
              aria-disabled={isFull || undefined}
              className="aria-disabled:opacity-50"
              onClick={() => add(draft.cues.length - 1)}
            >
              <Plus size={16} aria-hidden />
              Add a caption at the end
            </Button>
            {pages > 1 && (
              <nav aria-label="Pages of captions" className="flex items-center gap-2">
                <Button
                  variant="ghost"
                  size="icon-sm"
                  aria-label="Earlier captions"
                  aria-disabled={shownPage === 0 || undefined}
                  className="aria-disabled:opacity-40"
                  onClick={() => shownPage > 0 && setPage(shownPage - 1)}
                >
                  <ChevronLeft size={18} aria-hidden />
                </Button>
                <output className="text-sm text-muted tabular-nums">
                  {first + 1}–{first + shown.length} of {draft.cues.length.toLocaleString('en-US')}
                </output>
                <Button
                  variant="ghost"
                  size="icon-sm"
                  aria-label="Later captions"
                  aria-disabled={shownPage === pages - 1 || undefined}
                  className="aria-disabled:opacity-40"
                  onClick={() => shownPage < pages - 1 && setPage(shownPage + 1)}
                >
                  <ChevronRight size={18} aria-hidden />
                </Button>
              </nav>
            )}
          </div>
        </div>
      </Dialog>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title="Close without saving?"
        description="What you changed in these captions is lost."
        confirmLabel="Close without saving"
        cancelLabel="Go on editing"
        onConfirm={onClose}
      />
    </>
  )
}
