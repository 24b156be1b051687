import { useState } from 'react'
import { Form, useNavigation } from 'react-router'
import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import { CharacterCount } from '../../../ui/character-count.tsx'
import { Field, Textarea } from '../../../ui/field.tsx'
import { useHydrated } from '../../../ui/use-hydrated.ts'
import { useUnsaved } from '../../../web/unsaved.ts'
import { supportLimits as limits } from '../rules.ts'
import { closingProblemOf, type FormAnswer } from './form-answer.ts'

/** Its id, for the button that closes the request. */
export const messageForm = 'message-form'

type MessageFormProps = {
  label: string
  hint?: string
  /** On the button that sends. */
  send: string
  /** Sent, or closed, only as long as there are no more. */
  messagesRead?: number
  answer: FormAnswer | undefined
}

export function MessageForm({ label, hint, send, messagesRead, answer }: MessageFormProps) {
  const { formMethod, formData } = useNavigation()
  const busy = formMethod === 'POST' && formData?.get('intent') === 'write'
  // Without scripts nothing counts.
  const isHydrated = useHydrated()
  const [message, setMessage] = useState(answer?.typed.message ?? '')
  useUnsaved(message.trim() !== '')
  return (
    <Form
      id={messageForm}
      method="post"
      replace
      preventScrollReset
      className="grid gap-4"
      noValidate
    >
      {answer && !closingProblemOf(answer) && <Banner tone="danger">{answer.problem}</Banner>}
      {messagesRead !== undefined && (
        <input type="hidden" name="messagesRead" value={messagesRead} />
      )}
      <Field
        label={label}
        hint={hint}
        required
        error={answer?.fields.message}
        aside={isHydrated && <CharacterCount value={message} max={limits.message} />}
      >
        <Textarea
          name="message"
          rows={5}
          maxLength={limits.message}
          defaultValue={answer?.typed.message}
          onChange={(event) => setMessage(event.currentTarget.value)}
        />
      </Field>
      <Button
        type="submit"
        name="intent"
        value="write"
        className="justify-self-start"
        busy={busy}
        busyText="Sending..."
      >
        {send}
      </Button>
    </Form>
  )
}
