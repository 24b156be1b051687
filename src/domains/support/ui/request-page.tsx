import { safe } from '@orpc/client'
import { LifeBuoy } from 'lucide-react'
import { data, redirect } from 'react-router'
import type { Route } from './+types/request-page'
import { Banner } from '../../../ui/banner.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { formDataOf } from '../../../web/form-data-of.ts'
import { formApi, pageApi } from '../../../web/page-context.ts'
import { useFreshPage } from '../../../web/use-fresh-page.ts'
import { PageProblem } from '../../courses/ui/page-problem.tsx'
import { useReadAbout } from '../../notifications/ui/read-about.ts'
import { useNow } from '../../notifications/ui/use-now.ts'
import { brand } from '../../site/brand.ts'
import { pageMeta } from '../../site/ui/page-meta.ts'
import { requestPath, supportPath, topicWords } from '../rules.ts'
import { CloseButton } from './close-button.tsx'
import { ClosingProblem } from './closing-problem.tsx'
import { type FormAnswer, formAnswer, orUnreached } from './form-answer.ts'
import { MessageForm } from './message-form.tsx'
import { RequestBadges } from './request-badges.tsx'
import { Thread } from './thread.tsx'

export const meta = ({ loaderData }: Route.MetaArgs) =>
  pageMeta(loaderData?.request.subject ?? 'Support', 'What you asked, with our answers.')

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const { requestId } = params
  return {
    request: await context.get(pageApi).support.getMySupportRequest({ requestId }),
    isSent: url.searchParams.get('sent') === 'true',
    now: new Date().toISOString(),
  }
}

const failed = 'That did not work. Please try again.'

export async function action({ request, context, params }: Route.ActionArgs) {
  const { requestId } = params
  const form = await formDataOf(request)
  const calls = context.get(formApi).support
  const [error] = await safe(
    form.get('intent') === 'close'
      ? calls.closeMySupportRequest({ requestId })
      : calls.writeToSupport({ requestId, message: String(form.get('message') ?? '') }),
  )
  const here = requestPath(requestId)
  if (error) return data<FormAnswer>(...formAnswer(error, { failed, here, form }))
  throw redirect(here)
}

export const clientAction = async ({ request, serverAction }: Route.ClientActionArgs) => {
  const form = await formDataOf(request.clone())
  return serverAction().catch(orUnreached(failed, form))
}

export default function RequestPage({ loaderData, actionData }: Route.ComponentProps) {
  const { request, isSent } = loaderData
  const now = useNow(loaderData.now)
  useReadAbout(requestPath(request.id))
  // An answer comes with a notice.
  useFreshPage(['notification'])
  const { status, priority, messages } = request
  return (
    <div className="page-width grid max-w-[44rem] grid-cols-1 gap-8 py-8 lg:py-12">
      <PageHeader
        back={{ to: supportPath, label: 'Back to Support' }}
        title={<span className="wrap-anywhere">{request.subject}</span>}
        badges={<RequestBadges status={status} priority={priority} />}
        description={topicWords[request.topic]}
        actions={status !== 'closed' && <CloseButton />}
      />
      <ClosingProblem answer={actionData} messages={messages} />
      {isSent && (
        <Banner tone="success" title="Your request has arrived.">
          {priority
            ? 'It stands before all requests without Pro. '
            : 'It waits in the queue until it is its turn. '}
          When it is answered, you get a notification and an email, and the answer appears here.
        </Banner>
      )}
      <Thread
        messages={messages}
        writerOf={({ fromTeam }) => (fromTeam ? `${brand.name} team` : 'You')}
        now={now}
      />
      {status === 'closed' && (
        <Banner>This request is closed. Write below to open it again.</Banner>
      )}
      <MessageForm
        // Another key makes the field anew, and so empties it; what the team writes leaves it alone.
        key={`${request.id} ${messages.filter(({ fromTeam }) => !fromTeam).length}`}
        label={status === 'closed' ? 'Write to open it again' : 'Write more'}
        send="Send"
        answer={actionData}
      />
    </div>
  )
}

export function ErrorBoundary() {
  return (
    <PageProblem
      icon={LifeBuoy}
      notFound="Request not found"
      description="It does not exist, or somebody else sent it."
      back={{ to: supportPath, label: 'Back to support' }}
      failed="Could not load this request"
    />
  )
}
