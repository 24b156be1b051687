import { Field, Input, Select, Textarea } from '../../../ui/field.tsx'
import type { FormAnswer } from '../../support/ui/form-answer.ts'
import { challengeKinds, challengeLimits as limits, kindWords } from '../rules.ts'
import type { AdminChallenge } from '../schema.ts'

/** As the input has it: '2026-12-01T10:00', in UTC here. */
export const forInput = (at: string | undefined) => at?.slice(0, 16)

/** What a form says, as the call wants it; what is no time is refused by the call, in words. */
export function challengeIn(form: FormData) {
  const text = (name: string) => String(form.get(name) ?? '')
  const time = (name: string) => {
    const typed = text(name)
    return typed.length === 16 ? `${typed}:00Z` : `${typed}Z`
  }
  return {
    kind: text('kind') as AdminChallenge['kind'],
    title: text('title'),
    prize: text('prize'),
    rules: text('rules'),
    opensAt: time('opensAt'),
    closesAt: time('closesAt'),
  }
}

type ChallengeFieldsProps = { challenge: AdminChallenge | null; answer: FormAnswer | undefined }

export function ChallengeFields({ challenge, answer }: ChallengeFieldsProps) {
  const typed = answer?.typed ?? {}
  const fields = answer?.fields ?? {}
  return (
    <>
      <Field label="Kind" required error={fields.kind}>
        <Select name="kind" defaultValue={typed.kind ?? challenge?.kind ?? 'challenge'}>
          {challengeKinds.map((kind) => (
            <option key={kind} value={kind}>
              {kindWords[kind]}
            </option>
          ))}
        </Select>
      </Field>
      <Field label="Title" required error={fields.title}>
        <Input
          name="title"
          maxLength={limits.title}
          autoComplete="off"
          defaultValue={typed.title ?? challenge?.title}
        />
      </Field>
      <Field label="Prize" required error={fields.prize}>
        <Input
          name="prize"
          maxLength={limits.prize}
          autoComplete="off"
          defaultValue={typed.prize ?? challenge?.prize}
        />
      </Field>
      <Field
        label="Rules"
        required
        error={fields.rules}
        hint="What to enter, who may win, and how the prize is handed over. What always holds stands below them."
      >
        <Textarea
          name="rules"
          rows={6}
          maxLength={limits.rules}
          defaultValue={typed.rules ?? challenge?.rules}
        />
      </Field>
      <div className="grid gap-5 sm:grid-cols-2">
        <Field label="Opens (UTC)" required error={fields.opensAt}>
          <Input
            type="datetime-local"
            name="opensAt"
            defaultValue={typed.opensAt ?? forInput(challenge?.opensAt)}
          />
        </Field>
        <Field label="Closes (UTC)" required error={fields.closesAt}>
          <Input
            type="datetime-local"
            name="closesAt"
            defaultValue={typed.closesAt ?? forInput(challenge?.closesAt)}
          />
        </Field>
      </div>
    </>
  )
}
