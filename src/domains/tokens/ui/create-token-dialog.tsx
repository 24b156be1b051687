import { useState, type FormEvent } from 'react'
import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Field, FieldError, Input, Select } from '../../../ui/field.tsx'
import { useProof } from '../../accounts/ui/security/proof.tsx'
import { type Lifetime, lifetimes, longestTokenName, scopeAreas, scopes } from '../rules.ts'

const cannotLoad = { problem: 'This could not be loaded. Please check your connection.' }

const lifetimeLabel = (days: Lifetime) => (days === null ? 'Never' : `In ${days} days`)

type CreateTokenDialogProps = { onCancel: () => void; onMade: (secret: string) => void }

/** Asks what a token is for, what it may do, and how long it lives. */
export function CreateTokenDialog({ onCancel, onMade }: CreateTokenDialogProps) {
  const prove = useProof()
  const [busy, setBusy] = useState(false)
  const [nameProblem, setNameProblem] = useState('')
  const [scopesProblem, setScopesProblem] = useState('')
  const [problem, setProblem] = useState('')

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (busy) return
    const form = new FormData(event.currentTarget)
    const name = String(form.get('name')).trim()
    const chosen = form.getAll('scopes')
    setNameProblem(name === '' ? 'A name is required' : '')
    setScopesProblem(chosen.length === 0 ? 'Choose at least one thing that the token may do' : '')
    setProblem('')
    if (name === '' || chosen.length === 0) return
    setBusy(true)
    const make = async () => {
      const calls = await import('./token-calls.ts').catch(() => null)
      if (!calls) return cannotLoad
      return calls.createToken({
        name,
        scopes: scopes.filter((scope) => chosen.includes(scope)),
        expiresInDays: lifetimes.find((days) => String(days) === form.get('lifetime')) ?? null,
      })
    }
    let made = await make()
    if (made === null && (await prove())) made = await make()
    setBusy(false)
    if (made && 'secret' in made) return onMade(made.secret)
    setProblem(made?.problem ?? '')
  }

  return (
    <Dialog
      open
      onOpenChange={onCancel}
      locked={busy}
      size="lg"
      title="Add an access token"
      description="Allow no more than the program needs: whoever has the token can do it."
    >
      <form onSubmit={(event) => void submit(event)} noValidate className="grid gap-5">
        <div className="grid gap-5 sm:grid-cols-2">
          <Field label="Name" required error={nameProblem} hint="What you use it for.">
            <Input
              name="name"
              autoComplete="off"
              maxLength={longestTokenName}
              onChange={() => setNameProblem('')}
            />
          </Field>
          <Field label="Expires">
            <Select name="lifetime" defaultValue="90">
              {lifetimes.map((days) => (
                <option key={days} value={String(days)}>
                  {lifetimeLabel(days)}
                </option>
              ))}
            </Select>
          </Field>
        </div>
        <div className="grid gap-5 sm:grid-cols-2" onChange={() => setScopesProblem('')}>
          {scopeAreas.map(({ area, label, read, write }) => (
            <fieldset key={area} className="grid content-start gap-2">
              <legend className="mb-1 font-semibold">{label}</legend>
              <Checkbox name="scopes" value={`${area}:read`} label={read} />
              {write !== null && <Checkbox name="scopes" value={`${area}:write`} label={write} />}
            </fieldset>
          ))}
        </div>
        {scopesProblem && (
          <div role="alert">
            <FieldError>{scopesProblem}</FieldError>
          </div>
        )}
        {problem && <Banner tone="danger">{problem}</Banner>}
        <div className="flex flex-col-reverse gap-3 sm:flex-row sm:justify-end">
          <Button variant="secondary" disabled={busy} onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" busy={busy} busyText="Adding...">
            Add Token
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
