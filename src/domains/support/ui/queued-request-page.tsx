import { safe } from '@orpc/client'
import { LifeBuoy } from 'lucide-react'
import { data, Link, redirect } from 'react-router'
import type { Route } from './+types/queued-request-page'
import { PageHeader } from '../../../ui/page-header.tsx'
import { afterRefusal } from '../../../web/after-refusal.ts'
import { formDataOf } from '../../../web/form-data-of.ts'
import { formApi, pageApi } from '../../../web/page-context.ts'
import { PageProblem } from '../../courses/ui/page-problem.tsx'
import { useNow } from '../../notifications/ui/use-now.ts'
import { pageMeta } from '../../site/ui/page-meta.ts'
import { queuedRequestPath, queuePath, topicWords } from '../rules.ts'
import type { QueuedThread } from '../schema.ts'
import { CloseButton } from './close-button.tsx'
import { ClosingProblem } from './closing-problem.tsx'
import { type FormAnswer, formAnswer, orUnreached } from './form-answer.ts'
import { MessageForm } from './message-form.tsx'
import { RequestBadges } from './request-badges.tsx'
import { Thread } from './thread.tsx'

export const meta = ({ loaderData }: Route.MetaArgs) =>
  pageMeta(loaderData?.request.subject ?? 'Support request', 'What somebody asked.')

export async function loader({ context, params }: Route.LoaderArgs) {
  const { requestId } = params
  return {
    request: await context.get(pageApi).support.getSupportRequest({ requestId }),
    now: new Date().toISOString(),
  }
}

const failed = 'That did not work. Please try again.'

export async function action({ request, context, params }: Route.ActionArgs) {
  const { requestId } = params
  const form = await formDataOf(request)
  const calls = context.get(formApi).support
  const read = { requestId, messagesRead: Number(form.get('messagesRead')) || undefined }
  const [error] = await safe(
    form.get('intent') === 'close'
      ? calls.closeSupportRequest(read)
      : calls.answerSupportRequest({ ...read, message: String(form.get('message') ?? '') }),
  )
  const here = queuedRequestPath(requestId)
  if (error) return data<FormAnswer>(...formAnswer(error, { failed, here, form }))
  throw redirect(here)
}

export const clientAction = async ({ request, serverAction }: Route.ClientActionArgs) => {
  const form = await formDataOf(request.clone())
  return serverAction().catch(orUnreached(failed, form))
}

/** What was written meanwhile is shown. */
export const shouldRevalidate = afterRefusal

/** For administrators: what somebody asked, and the answer to it. */
export default function QueuedRequestPage({ loaderData, actionData }: Route.ComponentProps) {
  const { request } = loaderData
  const now = useNow(loaderData.now)
  const { status, priority, messages, name } = request
  const writers = new Map(messages.map(({ id, authorName }) => [id, authorName]))
  return (
    <div className="grid max-w-[44rem] grid-cols-1 gap-8">
      <PageHeader
        back={{ to: queuePath, label: 'Back to Support requests' }}
        title={<span className="wrap-anywhere">{request.subject}</span>}
        badges={<RequestBadges status={status} priority={priority} />}
        description={topicWords[request.topic]}
        actions={status !== 'closed' && <CloseButton />}
      />
      <ClosingProblem answer={actionData} messages={messages} />
      <Writer request={request} />
      <Thread
        messages={messages}
        writerOf={({ id, fromTeam }) =>
          fromTeam ? `${writers.get(id) ?? 'A former administrator'} (team)` : name
        }
        now={now}
      />
      <MessageForm
        // Another key makes the field anew, and so empties it; what the person writes leaves it alone.
        key={`${request.id} ${messages.filter(({ fromTeam }) => fromTeam).length}`}
        label="Answer"
        hint={
          request.hasAccount
            ? 'The person gets a notification and an email, and reads it on the page of the request.'
            : `Goes by email to ${request.email}. The person answers through the form.`
        }
        send="Send answer"
        messagesRead={messages.length}
        answer={actionData}
      />
    </div>
  )
}

function Writer({ request }: { request: QueuedThread }) {
  const { name, username, email, hasAccount } = request
  return (
    <p className="flex flex-wrap gap-x-4 text-sm wrap-anywhere text-muted">
      {username === null ? (
        <span className="font-semibold text-ink">{name}</span>
      ) : (
        <Link to={`/user/${username}`} className="font-semibold text-primary underline">
          {name}
        </Link>
      )}
      <span>{email || 'No email address'}</span>
      {!hasAccount && <span>No account: the name and the address are as they were typed.</span>}
    </p>
  )
}

export function ErrorBoundary() {
  return (
    <PageProblem
      icon={LifeBuoy}
      notFound="Request not found"
      description="It does not exist any more, or this page is not for you."
      back={{ to: '/dashboard', label: 'Back to dashboard' }}
      failed="Could not load this request"
    />
  )
}
