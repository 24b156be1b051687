import { Banner } from '../../../ui/banner.tsx'
import type { FormAnswer } from '../../support/ui/form-answer.ts'
import { kindWords } from '../rules.ts'
import type { AdminChallenge } from '../schema.ts'
import { forInput } from './challenge-fields.tsx'
import { UtcTime } from './utc-time.tsx'

type DraftChangedProps = { challenge: AdminChallenge; typed: FormAnswer['typed'] }

/** What a draft says by now, where the fields say something else: nothing of it is replaced unread. */
export function DraftChanged({ challenge, typed }: DraftChangedProps) {
  const { kind, title, prize, rules, opensAt, closesAt } = challenge
  const facts = [
    { label: 'Kind', differs: typed.kind !== kind, now: kindWords[kind] },
    { label: 'Title', differs: textIn(typed.title) !== title, now: title },
    { label: 'Prize', differs: textIn(typed.prize) !== prize, now: prize },
    { label: 'Rules', differs: textIn(typed.rules) !== rules, now: rules },
    { label: 'Opens', differs: typed.opensAt !== forInput(opensAt), now: <UtcTime at={opensAt} /> },
    {
      label: 'Closes',
      differs: typed.closesAt !== forInput(closesAt),
      now: <UtcTime at={closesAt} />,
    },
  ].filter(({ differs }) => differs)
  return (
    <Banner tone="warning" title="The draft says now">
      <dl className="my-2 grid gap-2">
        {facts.map(({ label, now }) => (
          <div key={label}>
            <dt className="text-sm font-semibold">{label}</dt>
            <dd className="wrap-anywhere whitespace-pre-wrap">{now}</dd>
          </div>
        ))}
      </dl>
      <p>Saving or publishing puts what stands in the fields in its place.</p>
    </Banner>
  )
}

/** As the server keeps it. */
const textIn = (typed = '') => typed.replaceAll('\r\n', '\n').trim()
