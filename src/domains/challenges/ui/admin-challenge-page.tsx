import { safe } from '@orpc/client'
import { data, Form, redirect, useNavigation } from 'react-router'
import type { Route } from './+types/admin-challenge-page'
import { Banner } from '../../../ui/banner.tsx'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { Card, CardHeader } from '../../../ui/card.tsx'
import { Field, Textarea } from '../../../ui/field.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { formDataOf } from '../../../web/form-data-of.ts'
import { formApi, pageApi } from '../../../web/page-context.ts'
import { countLabel } from '../../courses/ui/count-label.ts'
import { pageMeta } from '../../site/ui/page-meta.ts'
import { type FormAnswer, formAnswer, orUnreached } from '../../support/ui/form-answer.ts'
import {
  adminChallengePath,
  adminChallengesPath,
  challengeLimits,
  challengePath,
} from '../rules.ts'
import type { AdminChallenge } from '../schema.ts'
import { AdminProblem } from './admin-problem.tsx'
import { ChallengeFields, challengeIn } from './challenge-fields.tsx'
import { PhaseBadges } from './phase-badge.tsx'
import { UtcTime } from './utc-time.tsx'
import { EntryName } from './winner-line.tsx'

export const meta = ({ loaderData }: Route.MetaArgs) =>
  pageMeta(loaderData?.challenge.title ?? 'Challenge', 'What can be done with it now.')

export async function loader({ context, params: { challengeId } }: Route.LoaderArgs) {
  return { challenge: await context.get(pageApi).challenges.getAnyChallenge({ challengeId }) }
}

const failed = 'That did not work. Please try again.'

export async function action({ request, context, params: { challengeId } }: Route.ActionArgs) {
  const form = await formDataOf(request)
  const calls = context.get(formApi).challenges
  const acts = {
    save: () => calls.updateChallenge({ challengeId, ...challengeIn(form) }),
    publish: () => calls.publishChallenge({ challengeId }),
    cancel: () => calls.cancelChallenge({ challengeId, reason: String(form.get('reason') ?? '') }),
    draw: () => calls.drawChallenge({ challengeId }),
  }
  const intent = String(form.get('intent'))
  const act = Object.hasOwn(acts, intent) ? acts[intent as keyof typeof acts] : acts.save
  const [error] = await safe<AdminChallenge>(act())
  const here = adminChallengePath(challengeId)
  if (error) return data<FormAnswer>(...formAnswer(error, { failed, here, form }))
  throw redirect(here)
}

export const clientAction = ({ serverAction }: Route.ClientActionArgs) =>
  serverAction().catch(orUnreached(failed))

/** For administrators: one challenge, and what can be done with it now. */
export default function AdminChallengePage({ loaderData, actionData }: Route.ComponentProps) {
  const { challenge } = loaderData
  const { title, phase, kind, slug, entriesCount, opensAt, closesAt } = challenge
  const isPublic = phase !== 'draft'
  return (
    <div className="grid max-w-[44rem] grid-cols-1 gap-8">
      <PageHeader
        back={{ to: adminChallengesPath, label: 'All challenges' }}
        title={<span className="wrap-anywhere">{title}</span>}
        badges={<PhaseBadges phase={phase} kind={kind} entriesCount={entriesCount} />}
        actions={
          isPublic && (
            <ButtonLink to={challengePath(slug)} variant="secondary" size="sm">
              Public page
            </ButtonLink>
          )
        }
      />
      {actionData && <Banner tone="danger">{actionData.problem}</Banner>}
      {isPublic && (
        <p className="text-muted">
          <UtcTime at={opensAt} /> to <UtcTime at={closesAt} /> ·{' '}
          {countLabel(entriesCount, 'entry', 'entries')}
        </p>
      )}
      {phase === 'draft' && <DraftForms challenge={challenge} answer={actionData} />}
      {phase === 'closed' && <Drawing entriesCount={entriesCount} />}
      {challenge.winner && (
        <Banner tone="success" title="The winner">
          <EntryName entry={challenge.winner} />
        </Banner>
      )}
      {phase === 'canceled' && <Banner title="Canceled">{challenge.canceledReason}</Banner>}
      {phase !== 'drawn' && phase !== 'canceled' && <Canceling answer={actionData} />}
    </div>
  )
}

const useIntent = () => useNavigation().formData?.get('intent')

function DraftForms({ challenge, answer }: { challenge: AdminChallenge; answer?: FormAnswer }) {
  const intent = useIntent()
  return (
    <>
      <Form method="post" replace preventScrollReset className="grid gap-5" noValidate>
        <input type="hidden" name="intent" value="save" />
        <ChallengeFields
          challenge={challenge}
          answer={answer?.typed.intent === 'save' ? answer : undefined}
        />
        <Button
          type="submit"
          variant="secondary"
          className="justify-self-start"
          busy={intent === 'save'}
        >
          Save draft
        </Button>
      </Form>
      <Card as="section" aria-label="Publish">
        <CardHeader
          title="Publish"
          description="Everybody sees it from then on, and it cannot be changed any more. It closes by itself at its time. Save the draft first."
        />
        <Form method="post" replace preventScrollReset>
          <input type="hidden" name="intent" value="publish" />
          <Button type="submit" busy={intent === 'publish'}>
            Publish
          </Button>
        </Form>
      </Card>
    </>
  )
}

function Drawing({ entriesCount }: { entriesCount: number }) {
  const intent = useIntent()
  if (entriesCount === 0) return <Banner>Nobody took part, so there is nothing to draw.</Banner>
  return (
    <Card as="section" aria-label="Draw the winner">
      <CardHeader
        title="Draw the winner"
        description="The list is frozen and the seed was fixed at the start: the winner is the same whoever presses the button, and when. All that took part are told, and the seed is published."
      />
      <Form method="post" replace preventScrollReset>
        <input type="hidden" name="intent" value="draw" />
        <Button type="submit" busy={intent === 'draw'}>
          Draw the winner
        </Button>
      </Form>
    </Card>
  )
}

function Canceling({ answer }: { answer: FormAnswer | undefined }) {
  const intent = useIntent()
  const own = answer?.typed.intent === 'cancel' ? answer : undefined
  return (
    <Card as="section" aria-label="Cancel">
      <CardHeader title="Cancel it" description="This cannot be undone." />
      <Form method="post" replace preventScrollReset className="grid gap-4" noValidate>
        <input type="hidden" name="intent" value="cancel" />
        <Field
          label="Reason"
          required
          hint="Everybody reads it on the page of the challenge."
          error={own?.fields.reason}
        >
          <Textarea
            name="reason"
            rows={2}
            maxLength={challengeLimits.reason}
            defaultValue={own?.typed.reason}
          />
        </Field>
        <Button
          type="submit"
          variant="danger"
          size="sm"
          className="justify-self-start"
          busy={intent === 'cancel'}
        >
          Cancel this challenge
        </Button>
      </Form>
    </Card>
  )
}

export const ErrorBoundary = AdminProblem
