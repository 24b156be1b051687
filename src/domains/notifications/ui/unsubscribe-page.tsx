// Where the links of mails lead. Mail programs post here by themselves (RFC 8058): whoever has the mail
// needs neither a log-in nor another question.
import { safe } from '@orpc/client'
import { data, Form, useNavigation } from 'react-router'
import type { Route } from './+types/unsubscribe-page'
import { Banner } from '../../../ui/banner.tsx'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { formApi } from '../../../web/page-context.ts'
import { unreached } from '../../../web/unreached.ts'
import { AccountPage } from '../../accounts/ui/account-page.tsx'
import { privateMeta } from '../../accounts/ui/sign-in/private-meta.ts'
import { callProblem } from '../../courses/ui/call-problem.ts'
import { brand } from '../../site/brand.ts'

export const meta = () => privateMeta('Stop emails', `Stop emails of ${brand.name}.`)

const failed = 'The emails could not be stopped. Please try again in a moment.'

const statusOf = (error: unknown) =>
  typeof error === 'object' && error !== null && 'status' in error ? Number(error.status) : 500

export async function loader({ context, url }: Route.LoaderArgs) {
  const token = url.searchParams.get('token') ?? ''
  const [error, answer] = await safe(
    context.get(formApi).notifications.getMailSubscription({ token }),
  )
  if (!error) return data({ token, stops: answer.stops, problem: null, isRefused: false })
  const problem = callProblem(error, failed)
  const status = statusOf(error)
  return data({ token, stops: null, problem, isRefused: status < 500 }, { status })
}

export async function action({ context, url }: Route.ActionArgs) {
  const token = url.searchParams.get('token') ?? ''
  const [error] = await safe(context.get(formApi).notifications.unsubscribe({ token }))
  if (!error) return data({ problem: null })
  return data({ problem: callProblem(error, failed) }, { status: statusOf(error) })
}

/** Without a connection the page stays as it is, and says so. */
export async function clientAction({ serverAction }: Route.ClientActionArgs) {
  try {
    return await serverAction()
  } catch (error) {
    if (error instanceof Response) throw error
    return unreached({ problem: failed })
  }
}

const toSettings = (
  <ButtonLink to="/settings#notifications" variant="secondary">
    Notification settings
  </ButtonLink>
)

export default function UnsubscribePage({ loaderData, actionData }: Route.ComponentProps) {
  const { token, stops, isRefused } = loaderData
  const busy = useNavigation().state !== 'idle'
  const problem = actionData ? actionData.problem : loaderData.problem
  if (stops && actionData?.problem === null) {
    return (
      <AccountPage title="Emails stopped" lead="What you see under the bell stays as it is.">
        <div className="grid gap-5">
          <Banner tone="success">
            These emails will not come any more. You can turn them on again whenever you like.
          </Banner>
          {toSettings}
        </div>
      </AccountPage>
    )
  }
  if (stops?.length === 0) {
    return (
      <AccountPage title="Nothing to stop" lead="These emails are off already.">
        <div className="grid gap-5">
          <p>You can choose in your settings what is mailed to you, and how often.</p>
          {toSettings}
        </div>
      </AccountPage>
    )
  }
  return (
    <AccountPage
      title={stops ? 'Stop these emails?' : isRefused ? 'This link does not work' : 'Stop emails'}
      lead={stops ? 'What you see under the bell stays as it is.' : null}
    >
      <div className="grid gap-5">
        {problem && <Banner tone="danger">{problem}</Banner>}
        {stops ? (
          <Form
            method="post"
            action={`/unsubscribe?token=${encodeURIComponent(token)}`}
            replace
            className="grid gap-5"
          >
            <div>
              <p>You will get no more emails about:</p>
              <ul className="mt-2 list-disc pl-5 font-semibold">
                {stops.map((label) => (
                  <li key={label}>{label}</li>
                ))}
              </ul>
            </div>
            <Button type="submit" size="lg" busy={busy} busyText="Stopping...">
              Stop these emails
            </Button>
          </Form>
        ) : (
          <p>You can choose in your settings what is mailed to you, and how often.</p>
        )}
        {toSettings}
      </div>
    </AccountPage>
  )
}
