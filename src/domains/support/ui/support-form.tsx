import { useState } from 'react'
import { Form, useNavigation } from 'react-router'
import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import { CharacterCount } from '../../../ui/character-count.tsx'
import { Field, Input, Select, Textarea } from '../../../ui/field.tsx'
import { useHydrated } from '../../../ui/use-hydrated.ts'
import { useUnsaved } from '../../../web/unsaved.ts'
import { supportLimits as limits, supportPath, type Topic, topics, topicWords } from '../rules.ts'
import type { FormAnswer } from './form-answer.ts'

type SupportFormProps = {
  me: { name: string } | null
  /** Chosen by the link that led here. */
  topic: Topic | null
  answer: FormAnswer | undefined
}

export function SupportForm({ me, topic, answer }: SupportFormProps) {
  const busy = useNavigation().formMethod === 'POST'
  const typed = answer?.typed ?? {}
  const fields = answer?.fields ?? {}
  // Without scripts nothing counts.
  const isHydrated = useHydrated()
  const [message, setMessage] = useState(typed.message ?? '')
  useUnsaved(message.trim() !== '')
  return (
    <Form method="post" action={supportPath} replace className="grid gap-5" noValidate>
      {answer && <Banner tone="danger">{answer.problem}</Banner>}
      {!me && (
        <div className="grid gap-5 sm:grid-cols-2">
          <Field label="Your name" required error={fields.name}>
            <Input
              name="name"
              autoComplete="name"
              maxLength={limits.name}
              defaultValue={typed.name}
            />
          </Field>
          <Field label="Email" required error={fields.email} hint="The answer goes there.">
            <Input
              type="email"
              name="email"
              autoComplete="email"
              maxLength={limits.email}
              defaultValue={typed.email}
            />
          </Field>
        </div>
      )}
      <Field label="What is it about?" required error={fields.topic}>
        <Select name="topic" defaultValue={typed.topic ?? topic ?? ''}>
          <option value="" disabled>
            Please choose
          </option>
          {topics.map((one) => (
            <option key={one} value={one}>
              {topicWords[one]}
            </option>
          ))}
        </Select>
      </Field>
      <Field label="Subject" required error={fields.subject}>
        <Input
          name="subject"
          autoComplete="off"
          maxLength={limits.subject}
          defaultValue={typed.subject}
        />
      </Field>
      <Field
        label="Message"
        required
        error={fields.message}
        hint="What did you do, what happened, and what did you expect? Never send us a password."
        aside={isHydrated && <CharacterCount value={message} max={limits.message} />}
      >
        <Textarea
          name="message"
          rows={8}
          maxLength={limits.message}
          defaultValue={typed.message}
          onChange={(event) => setMessage(event.currentTarget.value)}
        />
      </Field>
      <Trap typed={answer?.code === 'FILLED_TRAP' ? (typed.website ?? '') : null} />
      <Button
        type="submit"
        size="lg"
        className="justify-self-start"
        busy={busy}
        busyText="Sending..."
      >
        Send
      </Button>
    </Form>
  )
}

/** Programs fill it in. Where a browser has filled it in for a person, it shows, so that it can be emptied. */
function Trap({ typed }: { typed: string | null }) {
  if (typed !== null) {
    return (
      <Field label="Website" error="Please leave this field empty">
        <Input name="website" autoComplete="off" defaultValue={typed} />
      </Field>
    )
  }
  return (
    <div hidden>
      <label>
        Website
        <input name="website" tabIndex={-1} autoComplete="off" />
      </label>
    </div>
  )
}
