import { type ComponentType, useState } from 'react'
import { Banner } from '../../../ui/banner.tsx'
import { DialogButton } from '../../../ui/dialog-button.tsx'
import { useUnsaved } from '../../../web/unsaved.ts'
import { type Answers, applyPage } from './apply-answers.ts'
import type ApplyDialogModule from './apply-dialog.tsx'
import { questionsFailed } from './apply-words.ts'

type Dialog = ComponentType<Parameters<typeof ApplyDialogModule>[0]>

type ApplyToJoinProps = {
  course: { id: string; slug: string; title: string }
  /** The code of the invitation by which the person comes. */
  invitation: string | null
  label: string
}

/** Opens the questions in a dialog; without JavaScript they are a page. */
export function ApplyToJoin({ course, invitation, label }: ApplyToJoinProps) {
  const [state, setState] = useState<'closed' | 'opening' | 'open' | 'failed'>('closed')
  const [loaded, setLoaded] = useState<{ Dialog: Dialog } | null>(null)
  // Kept while the page is open, for who closes the dialog by mistake.
  const [answers, setAnswers] = useState<Answers>({})
  useUnsaved(Object.values(answers).some((answer) => answer?.trim()))

  function open() {
    if (state === 'opening') return
    setState('opening')
    import('./apply-dialog.tsx').then(
      ({ default: Dialog }) => {
        setLoaded({ Dialog })
        setState('open')
      },
      () => setState('failed'),
    )
  }

  return (
    <>
      {state === 'failed' && <Banner tone="danger">{questionsFailed}</Banner>}
      <DialogButton
        page={applyPage(course.slug, invitation)}
        onOpen={open}
        size="lg"
        className="grid"
        busy={state === 'opening'}
      >
        {label}
      </DialogButton>
      {state === 'open' && loaded && (
        <loaded.Dialog
          course={course}
          invitation={invitation}
          answers={answers}
          onAnswer={(questionId, answer) =>
            setAnswers((before) => ({ ...before, [questionId]: answer }))
          }
          onClose={() => setState('closed')}
        />
      )}
    </>
  )
}
