import { Gavel } from 'lucide-react'
import { Form } from 'react-router'
import type { Route } from './+types/appeals-page'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Field, Textarea } from '../../../ui/field.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { client } from '../../../web/api-client.ts'
import { afterRefusal } from '../../../web/after-refusal.ts'
import { formDataOf } from '../../../web/form-data-of.ts'
import { formApi, pageApi } from '../../../web/page-context.ts'
import { withoutLightning } from '../../courses/rules.ts'
import { CaseTime } from '../../moderation/ui/case-time.tsx'
import { useReadAbout } from '../../notifications/ui/read-about.ts'
import { useNow } from '../../notifications/ui/use-now.ts'
import { pageMeta } from '../../site/ui/page-meta.ts'
import { appealsPage as here, limits } from '../rules.ts'
import type { AppealPage } from '../schema.ts'
import { type AdminAnswer, answered, orUnreached, refusalOf, settledBy } from './admin-answer.ts'
import { AnswerBanner } from './answer-banner.tsx'
import { LoadMore } from './load-more.tsx'
import { useBusy } from './suspend-form.tsx'
import { Quote } from './suspension-list.tsx'
import { useMore } from './use-more.ts'
import { TextLink } from './text-link.tsx'

export const meta = () => pageMeta('Appeals', 'Appeals against suspensions.')

export async function loader({ context, url }: Route.LoaderArgs) {
  const cursor = url.searchParams.get('cursor') ?? undefined
  const page = await context.get(pageApi).administration.getAppeals({ cursor })
  return { page, now: new Date().toISOString() }
}

export async function action({ request, context }: Route.ActionArgs) {
  const form = await formDataOf(request)
  const text = (name: string) => String(form.get(name) ?? '')
  const suspensionId = text('suspensionId')
  const decision = text('decision') as 'grant' | 'refuse'
  const call = context
    .get(formApi)
    .administration.answerAppeal({ suspensionId, decision, answer: text('answer') })
  return answered(call, {
    intent: suspensionId,
    about: suspensionId,
    form,
    here,
    done:
      decision === 'grant'
        ? 'The appeal is granted: the suspension is lifted, and the person is told.'
        : 'The appeal is refused, and the person is told why.',
  })
}

export const clientAction = ({ serverAction }: Route.ClientActionArgs) =>
  serverAction().catch(orUnreached(''))

/** Another administrator may have done it, or an earlier try whose answer was lost. */
export const shouldRevalidate = afterRefusal

export default function AppealsPage({ loaderData, actionData }: Route.ComponentProps) {
  const { page } = loaderData
  useReadAbout(here)
  return (
    <div className="grid grid-cols-1 gap-8">
      <PageHeader title="Appeals" description="Longest wait first." />
      <AnswerBanner answer={actionData} />
      <AppealList page={page} asOf={loaderData.now} answer={actionData} />
    </div>
  )
}

type AppealListProps = { page: AppealPage; asOf: string; answer: AdminAnswer | undefined }

function AppealList({ page, asOf, answer }: AppealListProps) {
  const now = useNow(asOf)
  const { items, ...rest } = useMore(
    { items: page.appeals, nextCursor: page.nextCursor },
    async (cursor) => {
      const next = await client.administration.getAppeals({ cursor })
      return { items: next.appeals, nextCursor: next.nextCursor }
    },
    settledBy(answer),
  )
  if (items.length === 0) {
    return (
      <EmptyState
        icon={Gavel}
        title="No appeals"
        description="When somebody appeals against a suspension, it waits here for an answer."
      />
    )
  }
  return (
    <div className="grid grid-cols-1 gap-5">
      <ul
        // Safari forgets that a list without bullets is one, unless told.
        // oxlint-disable-next-line jsx-a11y/no-redundant-roles
        role="list"
        aria-label="Appeals"
        className="grid grid-cols-1 gap-5"
      >
        {items.map((one) => (
          <AppealItem
            key={one.id}
            appeal={one}
            now={now}
            typed={refusalOf(answer, one.id)?.typed.answer}
          />
        ))}
      </ul>
      <LoadMore {...rest} />
    </div>
  )
}

type AppealItemProps = {
  appeal: AppealPage['appeals'][number]
  now: Date
  /** An answer that was refused. */
  typed: string | undefined
}

function AppealItem({ appeal, now, typed }: AppealItemProps) {
  const busy = useBusy('answer')
  const { account, course } = appeal
  const name = account?.name ?? (course ? withoutLightning(course.title) : '')
  const page = account ? `/admin/people/${account.id}` : `/admin/courses/${course?.id}`
  return (
    <Card as="li" className="grid gap-4">
      <div className="grid gap-1">
        <h2 className="text-xl wrap-anywhere">
          <TextLink to={page}>{name}</TextLink>
        </h2>
        <p className="text-sm text-muted">
          {account ? 'An account' : `A course by ${course?.creator}`}, suspended{' '}
          <CaseTime at={appeal.createdAt} now={now} />
          {appeal.suspendedBy !== null && ` by ${appeal.suspendedBy}`}
        </p>
      </div>
      <Quote title="Reason" text={appeal.reason} />
      <Quote title="Appeal" text={appeal.appeal ?? ''} />
      <Form method="post" replace preventScrollReset noValidate className="grid gap-4">
        <input type="hidden" name="intent" value="answer" />
        <input type="hidden" name="suspensionId" value={appeal.id} />
        <Field
          label={`Answer to ${name}`}
          hint="The person will read this. Required if you refuse."
        >
          <Textarea name="answer" rows={2} maxLength={limits.answer} defaultValue={typed} />
        </Field>
        <div className="flex flex-wrap gap-3">
          <Button type="submit" name="decision" value="grant" busy={busy}>
            Grant and lift
          </Button>
          <Button type="submit" name="decision" value="refuse" variant="secondary" busy={busy}>
            Refuse
          </Button>
        </div>
      </Form>
    </Card>
  )
}
