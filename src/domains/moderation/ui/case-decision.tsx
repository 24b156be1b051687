import { useState } from 'react'
import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import { CharacterCount } from '../../../ui/character-count.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { Field, Textarea } from '../../../ui/field.tsx'
import { client } from '../../../web/api-client.ts'
import { isServerError, safe } from '../../../web/call-outcome.ts'
import { useUnsaved } from '../../../web/unsaved.ts'
import { callProblem } from '../../courses/ui/call-problem.ts'
import { type CaseAction, moderationLimits, needsNote } from '../rules.ts'
import type { CaseDetails } from '../schema.ts'
import { choicesOf, type ChoiceWords, wordsOf } from './case-choices.ts'

const failed = 'That did not work. Please try again.'

type CaseDecisionProps = {
  details: CaseDetails
  /** The server has done it; with what to say about it. */
  onDecided: (details: CaseDetails, done: string) => void
  /** Somebody else was first, or it has changed meanwhile. */
  onConflict: () => void
}

/** What can be done about a case; each of it asks first. */
export function CaseDecision({ details, onDecided, onConflict }: CaseDecisionProps) {
  const [asked, setAsked] = useState<CaseAction | null>(null)
  /** Outlives the question: who closes it by mistake finds every word again. */
  const [note, setNote] = useState('')
  const [busy, setBusy] = useState(false)
  const [isMissing, setMissing] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const [conflict, setConflict] = useState<string | null>(null)
  useUnsaved(note.trim() !== '')

  function ask(action: CaseAction | null) {
    setProblem(null)
    setMissing(false)
    setConflict(null)
    setAsked(action)
  }

  async function decide(action: CaseAction) {
    if (needsNote(action) && note.trim() === '') return setMissing(true)
    setBusy(true)
    setProblem(null)
    const [error, decided] = await safe(
      client.moderation.decideCase({ caseId: details.id, action, note }),
    )
    setBusy(false)
    // The case, or what it is about, is another one than is shown.
    if (isServerError(error) && error.status === 409) onConflict()
    if (isServerError(error) && error.code === 'ALREADY_DECIDED') {
      ask(null)
      return setConflict(error.message)
    }
    if (error) return setProblem(callProblem(error, failed))
    ask(null)
    setNote('')
    onDecided(decided, wordsOf(action, details).done)
  }

  return (
    <section className="grid gap-3 border-t pt-5">
      <h3 className="sr-only">What to do</h3>
      {conflict && <Banner tone="danger">{conflict}</Banner>}
      {details.postIsHidden && details.ownStatus === 'hidden' && (
        <p className="text-muted">
          The post above it is hidden, too. It can be restored after the post.
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        {choicesOf(details).map((action) => (
          <Button
            key={action}
            size="sm"
            variant={action === 'note' ? 'ghost' : 'secondary'}
            aria-haspopup="dialog"
            onClick={() => ask(action)}
          >
            {wordsOf(action, details).label}
          </Button>
        ))}
      </div>
      {asked && (
        <Question
          words={wordsOf(asked, details)}
          isRequired={needsNote(asked)}
          note={note}
          noteProblem={isMissing && note.trim() === '' ? 'Please write a note' : undefined}
          busy={busy}
          problem={problem}
          onNote={setNote}
          onClose={() => ask(null)}
          onConfirm={() => void decide(asked)}
        />
      )}
    </section>
  )
}

type QuestionProps = {
  words: ChoiceWords
  isRequired: boolean
  note: string
  noteProblem: string | undefined
  busy: boolean
  problem: string | null
  onNote: (note: string) => void
  onClose: () => void
  onConfirm: () => void
}

function Question({ words, isRequired, note, noteProblem, busy, problem, ...on }: QuestionProps) {
  return (
    <ConfirmDialog
      open
      onOpenChange={on.onClose}
      title={<span className="wrap-anywhere">{words.title}</span>}
      description={words.meaning}
      confirmLabel={words.confirm}
      busyLabel={words.busy}
      tone={words.tone}
      busy={busy}
      error={problem}
      onConfirm={on.onConfirm}
    >
      <Field
        label={words.noteFor === 'author' ? 'Note to the author' : 'Note'}
        optional={!isRequired}
        required={isRequired}
        error={noteProblem}
        hint={
          words.noteFor === 'author'
            ? 'Its author reads this, word for word.'
            : 'Only moderators read this.'
        }
        aside={<CharacterCount value={note} max={moderationLimits.note} />}
      >
        <Textarea
          rows={3}
          value={note}
          readOnly={busy}
          onChange={(event) => on.onNote(event.target.value)}
        />
      </Field>
    </ConfirmDialog>
  )
}
