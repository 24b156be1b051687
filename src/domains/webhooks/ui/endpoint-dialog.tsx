import { type FormEvent, useState } from 'react'
import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Field, FieldError, Input, Select } from '../../../ui/field.tsx'
import { withoutLightning } from '../../courses/rules.ts'
import { chosenEventTypes, eventWords } from '../event-words.ts'
import type { ChosenEventType } from '../events.ts'
import { webhookLimits } from '../rules.ts'
import type { Endpoint, EndpointList } from '../schema.ts'

type EndpointDialogProps = {
  /** To change it; else a new one is made. */
  endpoint?: Endpoint
  courses: EndpointList['courses']
  onSaved: (endpointId: string) => void
  onClose: () => void
}

/** Asks for an address, and what it is to be told of. */
export function EndpointDialog({ endpoint, courses, onSaved, onClose }: EndpointDialogProps) {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const [noEvents, setNoEvents] = useState(false)

  async function save(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (busy) return
    const form = new FormData(event.currentTarget)
    const events = form.getAll('events') as ChosenEventType[]
    setProblem(null)
    setNoEvents(events.length === 0)
    if (events.length === 0) return
    const typed = {
      url: String(form.get('url')),
      description: String(form.get('description')),
      courseId: String(form.get('courseId')) || null,
      events,
    }
    setBusy(true)
    const failed = await submit(typed).catch(
      () => 'That did not work. Please check your connection and try again.',
    )
    // Who was told that it is saved closes this: until then a second press would make a second one.
    if (failed === null) return
    setBusy(false)
    setProblem(failed)
  }

  async function submit(typed: Parameters<typeof import('./webhook-calls.ts').createEndpoint>[0]) {
    const calls = await import('./webhook-calls.ts')
    if (endpoint) {
      const failed = await calls.changeEndpoint(endpoint.id, typed)
      if (failed === null) onSaved(endpoint.id)
      return failed
    }
    const made = await calls.createEndpoint(typed)
    if ('problem' in made) return made.problem
    onSaved(made.id)
    return null
  }

  return (
    <Dialog
      open
      onOpenChange={onClose}
      locked={busy}
      size="md"
      title={endpoint ? 'Edit webhook' : 'Add a webhook'}
      description="We post signed JSON to this address when something happens in your courses."
    >
      <form onSubmit={(event) => void save(event)} noValidate className="grid gap-5">
        <Field label="Address" required hint="It begins with https://">
          <Input
            name="url"
            type="url"
            inputMode="url"
            autoComplete="off"
            placeholder="https://example.com/webhooks"
            maxLength={webhookLimits.url}
            defaultValue={endpoint?.url}
          />
        </Field>
        <Field label="Description" optional>
          <Input
            name="description"
            autoComplete="off"
            maxLength={webhookLimits.description}
            defaultValue={endpoint?.description}
          />
        </Field>
        <Field label="Course">
          <Select name="courseId" defaultValue={endpoint?.course?.id ?? ''}>
            <option value="">All my courses, later ones too</option>
            {courses.map(({ id, title }) => (
              <option key={id} value={id}>
                {withoutLightning(title)}
              </option>
            ))}
          </Select>
        </Field>
        <fieldset className="grid gap-3">
          <legend className="mb-3 text-sm font-semibold">Events</legend>
          {chosenEventTypes.map((type) => (
            <Checkbox
              key={type}
              name="events"
              value={type}
              defaultChecked={endpoint?.events.includes(type)}
              onChange={() => setNoEvents(false)}
              label={eventWords[type]}
              hint={<code>{type}</code>}
            />
          ))}
          {noEvents && <FieldError>Choose at least one event</FieldError>}
        </fieldset>
        {problem && <Banner tone="danger">{problem}</Banner>}
        <div className="flex flex-col-reverse gap-3 sm:flex-row sm:justify-end">
          <Button variant="secondary" disabled={busy} onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" busy={busy} busyText="Saving...">
            {endpoint ? 'Save' : 'Add Webhook'}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
