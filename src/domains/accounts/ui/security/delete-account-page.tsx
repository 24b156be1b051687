import { ORPCError, safe } from '@orpc/client'
import { Trash2 } from 'lucide-react'
import { data, Form, redirect, useNavigation } from 'react-router'
import type { Route } from './+types/delete-account-page'
import { Banner } from '../../../../ui/banner.tsx'
import { Button, ButtonLink } from '../../../../ui/button.tsx'
import { Card } from '../../../../ui/card.tsx'
import { EmailAddress } from '../../../../ui/email-address.tsx'
import { Field, Input } from '../../../../ui/field.tsx'
import { PageHeader } from '../../../../ui/page-header.tsx'
import { PasswordInput } from '../../../../ui/password-input.tsx'
import { afterRefusal } from '../../../../web/after-refusal.ts'
import { formDataOf } from '../../../../web/form-data-of.ts'
import { authApi, formApi, pageApi } from '../../../../web/page-context.ts'
import { unreached } from '../../../../web/unreached.ts'
import { forgetDrafts } from '../../../courses/ui/content-local-store.ts'
import { PageProblem } from '../../../courses/ui/page-problem.tsx'
import { pageMeta } from '../../../site/ui/page-meta.ts'
import { confirmationWord } from '../../leaving-rules.ts'
import type { Deletion } from '../../leaving-schema.ts'
import { redirectWithCookies } from '../redirect-with-cookies.ts'
import { GiveUpEarnings } from './give-up-earnings.tsx'
import { LogInAgain } from './log-in-again.tsx'
import { MembersCoursesChoice } from './members-courses-choice.tsx'
import { WhatHappens } from './what-happens.tsx'
import { DownloadDataLink } from './your-data.tsx'

const back = { to: '/settings#security', label: 'Back to Settings' }
const farewell = '/?account=deleted'

/** As it comes from the page: a tick is a word. */
type Form = Omit<Deletion, 'giveUpEarnings'> & { giveUpEarnings?: string }

/** What stays chosen when the server refused. */
const chosenIn = ({ membersCourses, giveUpEarnings, earningsGivenUp }: Form) => ({
  membersCourses,
  /** Which amount is given up; null when none is. */
  givesUp: giveUpEarnings === undefined ? null : earningsGivenUp,
})

export const meta = () =>
  pageMeta('Delete my account', 'What goes, what stays, and how to confirm.')

export const loader = ({ context }: Route.LoaderArgs) =>
  context.get(pageApi).accounts.previewAccountDeletion()

export async function action({ request, context }: Route.ActionArgs) {
  // Whatever the form sends is checked by the call.
  const form = Object.fromEntries(await formDataOf(request)) as unknown as Form
  const [error] = await safe(
    context.get(formApi).accounts.deleteAccount(form as unknown as Deletion),
  )
  if (error) {
    if (!(error instanceof ORPCError)) throw error
    if (error.status === 401) throw redirect('/login?to=%2Fsettings%2Fdelete-account')
    return data({ problem: error.message, ...chosenIn(form) }, { status: error.status })
  }
  // The session is gone with the account; what is left of it in the browser goes here.
  const { cookies } = await context.get(authApi)('/sign-out', {})
  return redirectWithCookies(farewell, cookies)
}

/** It was asked for, and no answer came: the account may be gone. */
let isUnheard = false

/** Without a connection the form stays as it is, and says so. */
export async function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  const form = Object.fromEntries(await request.clone().formData()) as unknown as Form
  try {
    return await serverAction()
  } catch (error) {
    if (error instanceof Response) {
      const next = error.headers.get('location') ?? ''
      if (next.endsWith(farewell) || (isUnheard && next.includes('/login'))) forgetDrafts()
      throw error
    }
    isUnheard = true
    return unreached({
      problem:
        'We could not reach the server, so we do not know whether your account was deleted. Please try again.',
      ...chosenIn(form),
    })
  }
}

/** What is asked may be another by now: of courses with members, of earnings, of the log-in. */
export const shouldRevalidate = afterRefusal

export default function DeleteAccountPage({ loaderData, actionData }: Route.ComponentProps) {
  const { email, obstacle, proof, proven, courses, consequences, earningsToGiveUp, isSuspended } =
    loaderData
  return (
    <div className="page-width grid max-w-[46rem] grid-cols-1 gap-8 py-8 lg:py-12">
      <PageHeader
        back={back}
        title="Delete my account"
        description={
          email && (
            <>
              The account of <EmailAddress address={email} />.
            </>
          )
        }
      />
      <WhatHappens courses={courses} consequences={consequences} />
      <Card className="grid gap-4">
        <p className="text-pretty">
          This cannot be undone. If you want to keep something, take it with you first.
        </p>
        <div>
          <DownloadDataLink />
        </div>
      </Card>
      {obstacle ? (
        <Banner tone="warning" title="This account cannot be deleted now">
          {obstacle}
        </Banner>
      ) : proven ? (
        <Confirmation
          asksPassword={proof === 'password'}
          hasMembers={courses.some((course) => course.membersCount > 0)}
          earningsToGiveUp={earningsToGiveUp}
          isSuspended={isSuspended}
          refused={actionData}
        />
      ) : (
        <LogInAgain />
      )}
    </div>
  )
}

type ConfirmationProps = {
  asksPassword: boolean
  hasMembers: boolean
  earningsToGiveUp: string | null
  isSuspended: boolean
  refused: ({ problem: string } & ReturnType<typeof chosenIn>) | undefined
}

function Confirmation({
  asksPassword,
  hasMembers,
  earningsToGiveUp,
  isSuspended,
  refused,
}: ConfirmationProps) {
  const busy = useNavigation().formMethod === 'POST'
  return (
    <Card as="section" aria-labelledby="confirm" className="border-danger/40">
      <h2 id="confirm" className="mb-5 text-xl">
        Confirm
      </h2>
      <Form method="post" replace noValidate className="grid gap-6">
        {refused && <Banner tone="danger">{refused.problem}</Banner>}
        <fieldset disabled={busy} className="grid gap-6">
          {hasMembers && <MembersCoursesChoice chosen={refused?.membersCourses} />}
          {earningsToGiveUp !== null && (
            <GiveUpEarnings
              // What was said of another amount is not said of this one.
              key={earningsToGiveUp}
              amount={earningsToGiveUp}
              isSuspended={isSuspended}
              chosen={refused?.givesUp === earningsToGiveUp}
            />
          )}
          {asksPassword && (
            <Field label="Current password" required>
              <PasswordInput name="password" autoComplete="current-password" />
            </Field>
          )}
          <Field
            label={
              <>
                Type <span className="font-mono text-danger">{confirmationWord}</span> to confirm
              </>
            }
            required
          >
            <Input
              name="confirmation"
              autoComplete="off"
              autoCapitalize="characters"
              spellCheck={false}
              maxLength={20}
            />
          </Field>
        </fieldset>
        <div className="flex flex-col-reverse gap-3 sm:flex-row sm:justify-end">
          <ButtonLink to={back.to} variant="secondary">
            Keep my account
          </ButtonLink>
          <Button type="submit" variant="danger" busy={busy} busyText="Deleting...">
            Delete my account
          </Button>
        </div>
      </Form>
    </Card>
  )
}

export function ErrorBoundary() {
  return (
    <PageProblem
      icon={Trash2}
      notFound="Page not found"
      description="There is nothing at this address."
      back={back}
      failed="Could not look up what would happen"
    />
  )
}
