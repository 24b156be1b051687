import { useState } from 'react'
import { Field, Input } from '../../../ui/field.tsx'
import { useNow } from '../../notifications/ui/use-now.ts'
import { communityLimits } from '../rules.ts'
import { toLocalInput } from './extras.ts'

type TimeFieldProps = {
  label: string
  /** As the input has it: by this browser's clock. */
  value: string
  onChange: (value: string) => void
  optional?: boolean
  /** What it began with was right when it was chosen, and may be past by now. */
  keepsFirst?: boolean
  hint?: string
}

const day = 24 * 60 * 60 * 1000

/** A date and a time to come, by the clock of this browser, whose time zone it names. Never on the server. */
export function TimeField(props: TimeFieldProps) {
  const { label, value, onChange, optional, keepsFirst = false, hint } = props
  const [openedAt] = useState(() => new Date().toISOString())
  const [first] = useState(value)
  const now = useNow(openedAt)
  const isKept = keepsFirst && value === first
  const isPast = value !== '' && !isKept && new Date(value) <= now
  return (
    <Field
      label={label}
      optional={optional}
      hint={`${hint ? `${hint} ` : ''}Your time zone: ${zoneName(value)}.`}
      error={isPast && 'Please choose a time in the future'}
      className="max-w-xs"
    >
      <Input
        type="datetime-local"
        value={value}
        onChange={(event) => onChange(event.target.value)}
        min={toLocalInput(now)}
        max={toLocalInput(new Date(now.getTime() + communityLimits.scheduleDays * day))}
      />
    </Field>
  )
}

/** 'Europe/Berlin, GMT+1', as it is at this time: half of the year it may be another one than now. */
function zoneName(value: string): string {
  const typed = new Date(value)
  const at = Number.isNaN(typed.getTime()) ? new Date() : typed
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  const short = new Intl.DateTimeFormat('en-US', { timeZoneName: 'short' })
    .formatToParts(at)
    .find(({ type }) => type === 'timeZoneName')?.value
  const name = timeZone.replaceAll('_', ' ')
  return short && short !== name ? `${name}, ${short}` : name
}
