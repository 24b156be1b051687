import { safe } from '@orpc/client'
import { data, Form, redirect, useNavigation } from 'react-router'
import type { Route } from './+types/new-announcement-page'
import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import { Field, Input, Select, Textarea } from '../../../ui/field.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { formDataOf } from '../../../web/form-data-of.ts'
import { formApi } from '../../../web/page-context.ts'
import { unreached } from '../../../web/unreached.ts'
import { randomId } from '../../../web/random-id.ts'
import { pageMeta } from '../../site/ui/page-meta.ts'
import { type FormAnswer, formAnswer } from '../../support/ui/form-answer.ts'
import {
  announcementLimits as limits,
  announcementsPage,
  type Audience,
  audiences,
  audienceWords,
  newAnnouncementPage as here,
} from '../announcement-rules.ts'
import { type NewAnnouncement, newAnnouncement } from '../announcement-schema.ts'
import { ConfirmAnnouncement } from './confirm-announcement.tsx'

export const meta = () => pageMeta('New announcement', 'Tell everybody, or some.')

/** The id comes with the form, so that a form that is sent twice is one announcement. */
export const loader = () => ({ announcementId: randomId(), now: new Date().toISOString() })

const failed = 'This did not work. Please try again.'

type Answer =
  | { step: 'write'; form: FormAnswer }
  | { step: 'confirm'; announcement: NewAnnouncement; people: number }

const fieldsOf = (form: FormData) => {
  const text = (name: string) => String(form.get(name) ?? '')
  return {
    announcementId: text('announcementId'),
    title: text('title'),
    message: text('message'),
    href: text('href'),
    audience: text('audience') as Audience,
  }
}

/** The form again, as it was sent; without a problem it is only to be changed. */
const writeAgain = (form: FormData, problem = '', fields: Record<string, string> = {}) =>
  ({ step: 'write', form: { problem, fields, code: '', typed: fieldsOf(form) } }) satisfies Answer

export async function action({ request, context }: Route.ActionArgs) {
  const form = await formDataOf(request)
  const { administration } = context.get(formApi)
  const refused = (error: unknown) => {
    const [answer, init] = formAnswer(error, { failed, here, form })
    return data<Answer>({ step: 'write', form: answer }, init)
  }
  const intent = form.get('intent')
  if (intent === 'change') return data<Answer>(writeAgain(form))
  if (intent === 'announce') {
    const [error] = await safe(administration.announce(fieldsOf(form)))
    if (error) return refused(error)
    throw redirect(announcementsPage)
  }
  const read = newAnnouncement.safeParse(fieldsOf(form))
  if (!read.success) {
    const { issues } = read.error
    const fields = Object.fromEntries(issues.map(({ path, message }) => [path.join('.'), message]))
    return data<Answer>(writeAgain(form, issues[0]?.message, fields), { status: 422 })
  }
  const { audience } = read.data
  const [error, size] = await safe(administration.countAudience({ audience }))
  if (error) return refused(error)
  return data<Answer>({ step: 'confirm', announcement: read.data, people: size.people })
}

/** Without a connection nothing that was written is lost, also not at the second step. */
export async function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  const form = await formDataOf(request.clone())
  return serverAction().catch((error: unknown) => {
    if (error instanceof Response) throw error
    return unreached<Answer>(writeAgain(form, failed))
  })
}

/** For administrators, in two steps: what is said to whom, then how it looks and how many that are. */
export default function NewAnnouncementPage({ loaderData, actionData }: Route.ComponentProps) {
  const confirming = actionData?.step === 'confirm' ? actionData : null
  return (
    <div className="grid max-w-[44rem] grid-cols-1 gap-8">
      <PageHeader
        back={{ to: announcementsPage, label: 'All announcements' }}
        title="New announcement"
        description="You see how it looks before anybody is told."
      />
      {confirming ? (
        <ConfirmAnnouncement {...confirming} asOf={loaderData.now} />
      ) : (
        <WriteAnnouncement
          newId={loaderData.announcementId}
          answer={actionData?.step === 'write' ? actionData.form : undefined}
        />
      )}
    </div>
  )
}

/** Who comes back to change something goes on writing, also with the keyboard alone. */
const focusOn = (input: HTMLInputElement | null) => input?.focus()

function WriteAnnouncement({ newId, answer }: { newId: string; answer?: FormAnswer }) {
  const busy = useNavigation().formMethod === 'POST'
  const { problem = '', fields = {}, typed = {}, code } = answer ?? {}
  // Something else was announced with that one.
  const announcementId = code === 'ANNOUNCED_ALREADY' ? newId : (typed.announcementId ?? newId)
  return (
    <Form method="post" replace className="grid gap-5" noValidate>
      {problem && <Banner tone="danger">{problem}</Banner>}
      <input type="hidden" name="intent" value="preview" />
      <input type="hidden" name="announcementId" value={announcementId} />
      <Field label="Title" required error={fields.title}>
        <Input
          ref={answer && !problem ? focusOn : undefined}
          name="title"
          maxLength={limits.title}
          autoComplete="off"
          defaultValue={typed.title}
        />
      </Field>
      <Field label="Message" required error={fields.message}>
        <Textarea name="message" rows={6} maxLength={limits.message} defaultValue={typed.message} />
      </Field>
      <Field
        label="Link"
        optional
        hint="A page of this site to look at, as in /about."
        error={fields.href}
      >
        <Input
          name="href"
          maxLength={limits.href}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          defaultValue={typed.href}
        />
      </Field>
      <Field label="Who is told" required error={fields.audience}>
        <Select name="audience" defaultValue={typed.audience ?? audiences[0]}>
          {audiences.map((audience) => (
            <option key={audience} value={audience}>
              {audienceWords[audience]}
            </option>
          ))}
        </Select>
      </Field>
      <Button type="submit" className="justify-self-start" busy={busy} busyText="Loading...">
        Preview
      </Button>
    </Form>
  )
}
