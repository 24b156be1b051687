import { safe } from '@orpc/client'
import { data, redirect } from 'react-router'
import type { Route } from './+types/support-page'
import { Banner } from '../../../ui/banner.tsx'
import { ButtonLink } from '../../../ui/button.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { afterRefusal } from '../../../web/after-refusal.ts'
import { formDataOf } from '../../../web/form-data-of.ts'
import { formApi, pageApi } from '../../../web/page-context.ts'
import { brand } from '../../site/brand.ts'
import { pageMeta } from '../../site/ui/page-meta.ts'
import { isTopic, requestPath, supportPath, type Topic } from '../rules.ts'
import { type FormAnswer, formAnswer, orUnreached } from './form-answer.ts'
import { NextSteps } from './next-steps.tsx'
import { OwnRequests } from './own-requests.tsx'
import { PriorityNote } from './priority-note.tsx'
import { SupportForm } from './support-form.tsx'

export const handle = { still: true }

export const meta = () =>
  pageMeta('Contact support', `Ask the people who run ${brand.name}, with or without an account.`)

const failed = 'Your request could not be sent. Please try again.'

export async function loader({ context, url }: Route.LoaderArgs) {
  const topic = url.searchParams.get('topic')
  const me = await context.get(pageApi).accounts.getMe()
  const cursor = url.searchParams.get('after') ?? undefined
  return {
    me: me && { name: me.name, plan: me.plan },
    own: me && (await context.get(pageApi).support.getMySupportRequests({ cursor })),
    isFirstPage: cursor === undefined,
    topic: isTopic(topic) ? topic : null,
    isSent: url.searchParams.get('sent') === 'true',
    now: new Date().toISOString(),
  }
}

export async function action({ request, context }: Route.ActionArgs) {
  const form = await formDataOf(request)
  const text = (name: string) => {
    const value = form.get(name)
    return typeof value === 'string' ? value : undefined
  }
  const [error, sent] = await safe(
    context.get(formApi).support.sendSupportRequest({
      // What is not one of them is refused in words.
      topic: text('topic') as Topic,
      subject: text('subject') ?? '',
      message: text('message') ?? '',
      name: text('name'),
      email: text('email'),
      website: text('website') ?? '',
    }),
  )
  if (error) return data<FormAnswer>(...formAnswer(error, { failed, here: supportPath, form }))
  throw redirect(`${sent.requestId ? requestPath(sent.requestId) : supportPath}?sent=true`)
}

export const clientAction = ({ serverAction }: Route.ClientActionArgs) =>
  serverAction().catch(orUnreached(failed))

/** Also who is no longer logged in, whom the form then asks for a name. */
export const shouldRevalidate = afterRefusal

export default function SupportPage({ loaderData, actionData }: Route.ComponentProps) {
  const { me, own, isSent, topic, now, isFirstPage } = loaderData
  return (
    <div className="page-width grid max-w-[64rem] grid-cols-1 gap-10 py-8 lg:py-12">
      <PageHeader
        title="Contact support"
        description="Tell us what happened or what you need. A person reads it and answers."
      />
      <div className="grid gap-x-12 gap-y-10 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <section aria-label="Your request" className="grid content-start gap-6">
          {isSent && !actionData && (
            <Banner
              tone="success"
              title="Your request has arrived."
              action={
                <ButtonLink to={supportPath} reloadDocument variant="secondary" size="sm">
                  Write another one
                </ButtonLink>
              }
            >
              We have sent you an email that says so. The answer comes by email, too. If no email
              arrives, the address may have been mistyped: then please send it again.
            </Banner>
          )}
          {(!isSent || actionData) && <SupportForm me={me} topic={topic} answer={actionData} />}
        </section>
        <aside aria-label="About support" className="grid content-start gap-6">
          <PriorityNote plan={me?.plan ?? null} />
          <NextSteps isSignedIn={me !== null} />
        </aside>
      </div>
      {own && <OwnRequests page={own} isFirstPage={isFirstPage} now={now} />}
    </div>
  )
}
