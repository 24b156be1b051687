import { type FormEvent, useRef, useState } from 'react'
import { Form, type Location, useNavigation } from 'react-router'
import { isColour } from '../../../ui/accent.ts'
import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card, CardHeader } from '../../../ui/card.tsx'
import { cn } from '../../../ui/cn.ts'
import { Field, Input, Textarea } from '../../../ui/field.tsx'
import { useHydrated } from '../../../ui/use-hydrated.ts'
import { defaultHeading } from '../../certificates/rules.ts'
import { useLeaveGuard } from '../../courses/ui/leave-guard.tsx'
import { brandingLimits } from '../rules.ts'
import { BrandPicture } from './brand-picture.tsx'
import {
  type BegunFields,
  type BrandingFields,
  type BrandingProblems,
  begunInputs,
  colourIn,
  fieldsOf,
  unchangedIn,
} from './branding-fields.ts'
import { BrandingPreview } from './branding-preview.tsx'

type BrandingFormProps = {
  course: { id: string; title: string; creatorName: string }
  /** What is stored, as far as this page knows. */
  stored: BrandingFields
  start: BrandingFields
  problems: BrandingProblems
  problem: string | null
  /** When the page was loaded. */
  at: string
  /** As the answer to what was sent. */
  isSaved: boolean
  /** Something differs from what was saved. */
  isChanged: boolean
  /** False when it is being saved. */
  onChanged: (isChanged: boolean) => void
}

/** What was saved shows at an address of its own. */
const staysOnPage = (now: Location, next: Location) => now.pathname === next.pathname

/** A form that needs no script, but for the pictures; with one, what is typed is shown at once. */
export function BrandingForm({
  course,
  stored,
  start,
  problems,
  problem,
  at,
  isSaved,
  isChanged,
  onChanged,
}: BrandingFormProps) {
  const [fields, setFields] = useState(start)
  const begun = useBegun({ stored, at, isSaved })
  const [busy, setBusy] = useState({ logo: false, cover: false })
  const { formData } = useNavigation()
  const isUploading = busy.logo || busy.cover
  const guard = useLeaveGuard(
    isChanged || isUploading || formData !== undefined,
    'What you changed in the branding is not saved yet.',
    { staysOn: staysOnPage },
  )

  function change(changed: BrandingFields) {
    setFields(changed)
    onChanged(true)
  }

  function show(event: FormEvent<HTMLFormElement>) {
    const { logoId, coverId } = fields
    change({ ...fieldsOf(new FormData(event.currentTarget)), logoId, coverId })
  }

  return (
    <div className="grid grid-cols-1 items-start gap-8 lg:grid-cols-2 lg:gap-12">
      <Form
        method="post"
        noValidate
        onInput={show}
        onSubmit={(event) => {
          // What is stored after two at once, nobody here would know.
          if (formData) return event.preventDefault()
          begun.send(fieldsOf(new FormData(event.currentTarget)))
          onChanged(false)
        }}
        className="grid grid-cols-1 gap-6"
      >
        {begunInputs(begun.fields).map((input) => (
          <input key={input.name} type="hidden" {...input} />
        ))}
        {problem && <Banner tone="danger">{problem}</Banner>}
        <Card as="section" aria-labelledby="its-pages">
          <CardHeader
            title={<span id="its-pages">Its pages</span>}
            description="Where visitors find it, and where members learn."
          />
          <div className="grid grid-cols-1 gap-6">
            <ColourField
              start={start.colour}
              error={problems.colour}
              onChange={(colour) => change({ ...fields, colour })}
            />
            <BrandPicture
              kind="logo"
              courseId={course.id}
              value={fields.logoId}
              error={problems.logoId}
              onChange={(logoId) => change({ ...fields, logoId })}
              onBusyChange={(logo) => setBusy({ ...busy, logo })}
            />
            <BrandPicture
              kind="cover"
              courseId={course.id}
              value={fields.coverId}
              error={problems.coverId}
              onChange={(coverId) => change({ ...fields, coverId })}
              onBusyChange={(cover) => setBusy({ ...busy, cover })}
            />
          </div>
        </Card>
        <Card as="section" aria-labelledby="its-certificate">
          <CardHeader
            title={<span id="its-certificate">Its certificate</span>}
            description="For those that are issued from now on: what somebody has stays as it is."
          />
          <div className="grid grid-cols-1 gap-5">
            <Field
              label="Heading"
              optional
              hint={`In place of “${defaultHeading}”, at most ${brandingLimits.heading} characters.`}
              error={problems.certificateHeading}
            >
              <Input
                name="certificateHeading"
                defaultValue={start.certificateHeading}
                autoComplete="off"
              />
            </Field>
            <Field
              label="Words below the course"
              optional
              hint={`At most ${brandingLimits.words} characters.`}
              error={problems.certificateWords}
            >
              <Textarea name="certificateWords" rows={3} defaultValue={start.certificateWords} />
            </Field>
            <Field
              label="Who signs"
              optional
              hint={`In place of your name, at most ${brandingLimits.signatory} characters.`}
              error={problems.certificateSignatory}
            >
              <Input
                name="certificateSignatory"
                defaultValue={start.certificateSignatory}
                autoComplete="off"
              />
            </Field>
          </div>
        </Card>
        <Button
          type="submit"
          disabled={isUploading}
          busy={formData !== undefined}
          busyText="Saving..."
          className="justify-self-start"
        >
          Save Branding
        </Button>
      </Form>
      <section aria-labelledby="preview" className="grid grid-cols-1 gap-4 lg:sticky lg:top-22">
        <h2 id="preview" className="text-2xl">
          Preview
        </h2>
        <BrandingPreview course={course} fields={fields} at={at} small />
      </section>
      {/* It has a form of its own. */}
      {guard.dialog}
    </div>
  )
}

type Begun = { stored: BrandingFields; at: string; isSaved: boolean }

/**
 * What the fields held when they were last known to be stored: only what differs is a change of this page. The
 * fields stay as they are when they are saved, so that is what was sent, whatever else was stored meanwhile. Until
 * an answer says that it was, nothing is known of those that were sent in other words.
 */
function useBegun({ stored, at, isSaved }: Begun) {
  const [fields, setFields] = useState<BegunFields>(stored)
  const [sent, setSent] = useState<{ fields: BrandingFields; at: string } | null>(null)
  if (sent && isSaved && sent.at !== at) {
    setFields(sent.fields)
    setSent(null)
  }
  function send(typed: BrandingFields) {
    setFields(unchangedIn(fields, typed))
    setSent({ fields: typed, at })
  }
  return { fields, send }
}

type ColourFieldProps = {
  start: string
  error: string | undefined
  onChange: (colour: string) => void
}

/** As text, which works everywhere, and with the browser's own picker beside it. */
function ColourField({ start, error, onChange }: ColourFieldProps) {
  const isHydrated = useHydrated()
  const text = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState(start)
  const colour = colourIn(typed)

  function pick(picked: string) {
    if (text.current) text.current.value = picked
    setTyped(picked)
    onChange(picked)
  }

  return (
    <div className="flex items-start gap-3">
      <Field
        label="Color"
        optional
        className="grow"
        hint="For example #1a7f5a. If text would be hard to read on it, we use a darker or lighter shade."
        error={error}
      >
        <Input
          ref={text}
          name="colour"
          defaultValue={start}
          autoComplete="off"
          spellCheck={false}
          maxLength={20}
          onChange={(event) => setTyped(event.target.value)}
        />
      </Field>
      <input
        type="color"
        aria-label="Pick the color"
        value={colour !== null && isColour(colour) ? colour : '#4630eb'}
        onChange={(event) => pick(event.target.value)}
        className={cn(
          'mt-7 size-11 shrink-0 cursor-pointer rounded-control border border-edge bg-surface p-1',
          // Its place is kept, so that the words beside it stay where they are.
          !isHydrated && 'invisible',
        )}
      />
    </div>
  )
}
