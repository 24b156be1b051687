import { type RefObject, useEffect, useRef, useState } from 'react'
import { useFetcher } from 'react-router'
import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card, CardHeader } from '../../../ui/card.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { Field, Select } from '../../../ui/field.tsx'
import { useActionCode } from '../../../web/use-action-code.ts'
import type { Switch } from '../kinds.ts'
import { paces, paceWords, type Preference, type Preferences, switchWords } from '../rules.ts'
import type { action, PreferencesAnswer } from './preferences-page.tsx'

const place = '/settings/notifications'

export const inAppField = (name: Switch) => `${name}.in-app`
export const emailField = (name: Switch) => `${name}.email`
/** What was so in this field when the form was shown. */
export const startOf = (field: string) => `${field}.start`
export const inAppValue = (inApp: boolean) => (inApp ? 'on' : 'off')

const shownSwitches = Object.keys(switchWords) as Switch[]

type PreferencesFormProps = {
  preferences: Preferences
  /** The answer that the page was sent with, where no script runs. */
  first?: PreferencesAnswer
}

/** The four switches, each for the bell and for email. */
export function PreferencesForm({ preferences, first }: PreferencesFormProps) {
  const fetcher = useFetcher<typeof action>()
  useActionCode(place)
  const busy = fetcher.state !== 'idle'
  const [answer, setAnswer] = useState(first)
  /** Something was chosen after the press that this answers. */
  const [changedSince, setChangedSince] = useState(false)
  const arrived = fetcher.data
  const [latest, setLatest] = useState(arrived)
  if (arrived !== latest) {
    setLatest(arrived)
    setAnswer(arrived)
  }
  const typed = (first && 'typed' in first && first.typed) || preferences

  return (
    <Card>
      <CardHeader
        title="Notifications"
        description="What you are told under the bell, and by email."
      />
      <fetcher.Form
        method="post"
        action={place}
        onInput={() => {
          setAnswer(undefined)
          setChangedSince(true)
        }}
        onSubmit={(event) => {
          if (busy) event.preventDefault()
          else setChangedSince(false)
        }}
        className="grid grid-cols-1 gap-6"
      >
        <div className="grid grid-cols-1 divide-y border-y">
          {shownSwitches.map((name) => (
            <SwitchFields key={name} name={name} saved={preferences[name]} typed={typed[name]} />
          ))}
        </div>
        <p className="text-sm text-pretty text-muted">
          Some things always reach you, whatever you choose: what concerns the safety of your
          account or a payment, decisions about your applications, and the end of your access to a
          course.
        </p>
        {answer && 'saved' in answer && !changedSince && (
          <Banner tone="success">Your preferences are saved.</Banner>
        )}
        {answer && 'problem' in answer && (
          <Banner tone="danger" title="Not saved">
            {answer.problem}
          </Banner>
        )}
        <Button
          type="submit"
          busy={busy}
          busyText="Saving..."
          className="w-full sm:w-auto sm:justify-self-end"
        >
          Save Preferences
        </Button>
      </fetcher.Form>
    </Card>
  )
}

type SwitchFieldsProps = { name: Switch; saved: Preference; typed: Preference }

function SwitchFields({ name, saved, typed }: SwitchFieldsProps) {
  const { label, description } = switchWords[name]
  const [start] = useState(typed)
  const fields = useRef<HTMLFieldSetElement>(null)
  useWhatIsSaved(fields, saved)
  return (
    <fieldset
      ref={fields}
      aria-describedby={`${name}-description`}
      className="grid min-w-0 grid-cols-1 gap-x-8 gap-y-4 py-5 sm:grid-cols-[minmax(0,1fr)_auto_10rem]"
    >
      <legend className="sr-only">{label}</legend>
      <input type="hidden" name={startOf(inAppField(name))} value={inAppValue(saved.inApp)} />
      <input type="hidden" name={startOf(emailField(name))} value={saved.email} />
      <div className="grid content-start gap-0.5">
        <span aria-hidden className="font-semibold">
          {label}
        </span>
        <p id={`${name}-description`} className="text-sm text-pretty text-muted">
          {description}
        </p>
      </div>
      <Checkbox
        name={inAppField(name)}
        defaultChecked={start.inApp}
        label="In-app"
        className="sm:pt-8"
      />
      <Field label="Email">
        <Select name={emailField(name)} defaultValue={start.email}>
          {paces.map((pace) => (
            <option key={pace} value={pace}>
              {paceWords[pace]}
            </option>
          ))}
        </Select>
      </Field>
    </fieldset>
  )
}

/** What was changed elsewhere shows when the page is read again, in each field where nothing else was chosen here. */
function useWhatIsSaved(
  fields: RefObject<HTMLFieldSetElement | null>,
  { inApp, email }: Preference,
): void {
  const before = useRef({ inApp, email })
  useEffect(() => {
    const [inAppNow, emailNow] = [
      fields.current?.querySelector<HTMLInputElement>('input[type=checkbox]'),
      fields.current?.querySelector('select'),
    ]
    const was = before.current
    before.current = { inApp, email }
    if (inAppNow?.checked === was.inApp) inAppNow.checked = inApp
    if (emailNow?.value === was.email) emailNow.value = email
  }, [fields, inApp, email])
}
