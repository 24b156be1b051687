import { safe } from '@orpc/client'
import { useState } from 'react'
import { data, Form, redirect, useLocation, useNavigation } from 'react-router'
import type { Route } from './+types/admin-challenge-page'
import { Banner } from '../../../ui/banner.tsx'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { Card, CardHeader } from '../../../ui/card.tsx'
import { Field, Textarea } from '../../../ui/field.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { formDataOf } from '../../../web/form-data-of.ts'
import { formApi, pageApi } from '../../../web/page-context.ts'
import { afterRefusal } from '../../../web/after-refusal.ts'
import { countLabel } from '../../courses/ui/count-label.ts'
import { pageMeta } from '../../site/ui/page-meta.ts'
import { type FormAnswer, formAnswer, orUnreached } from '../../support/ui/form-answer.ts'
import {
  adminChallengePath,
  adminChallengesPath,
  challengeLimits,
  challengePath,
  savedDraftPath,
} from '../rules.ts'
import type { AdminChallenge } from '../schema.ts'
import { AdminProblem } from './admin-problem.tsx'
import { ChallengeFields, challengeIn } from './challenge-fields.tsx'
import { DraftChanged } from './draft-changed.tsx'
import { PhaseBadges } from './phase-badge.tsx'
import { UtcTime } from './utc-time.tsx'
import { EntryName } from './winner-line.tsx'

export const meta = ({ loaderData }: Route.MetaArgs) =>
  pageMeta(loaderData?.challenge.title ?? 'Challenge', 'What can be done with it now.')

export async function loader({ context, params: { challengeId }, url }: Route.LoaderArgs) {
  return {
    challenge: await context.get(pageApi).challenges.getAnyChallenge({ challengeId }),
    isSaved: url.searchParams.has('saved'),
  }
}

const failed = 'That did not work. Please try again.'

export async function action({ request, context, params: { challengeId } }: Route.ActionArgs) {
  const form = await formDataOf(request)
  const calls = context.get(formApi).challenges
  const save = () =>
    calls.updateChallenge({
      challengeId,
      ...challengeIn(form),
      version: form.get('version')?.toString(),
    })
  const acts = {
    save,
    // What cannot be saved is not published, and it cannot be changed afterwards.
    publish: async () => {
      const saved = await save()
      form.set('version', saved.version)
      return calls.publishChallenge({ challengeId })
    },
    cancel: () => calls.cancelChallenge({ challengeId, reason: String(form.get('reason') ?? '') }),
    draw: () => calls.drawChallenge({ challengeId }),
  }
  const intent = String(form.get('intent'))
  const act = Object.hasOwn(acts, intent) ? acts[intent as keyof typeof acts] : save
  const [error] = await safe<AdminChallenge>(act())
  const here = adminChallengePath(challengeId)
  if (error) return data<FormAnswer>(...formAnswer(error, { failed, here, form }))
  throw redirect(act === save ? savedDraftPath(challengeId) : here)
}

export const clientAction = ({ serverAction }: Route.ClientActionArgs) =>
  serverAction().catch(orUnreached(failed))

export const shouldRevalidate = afterRefusal

/** For administrators: one challenge, and what can be done with it now. */
export default function AdminChallengePage({ loaderData, actionData }: Route.ComponentProps) {
  const { challenge, isSaved } = loaderData
  const { title, phase, kind, slug, entriesCount, opensAt, closesAt, isPublic } = challenge
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
      {phase === 'draft' && (
        <Draft
          // What was typed into another draft would be published with this one.
          key={challenge.id}
          challenge={challenge}
          answer={actionData}
          isSaved={isSaved && !actionData}
        />
      )}
      {phase === 'closed' && <Drawing entriesCount={entriesCount} />}
      {challenge.winner && (
        <Banner tone="success" title="The winner">
          <EntryName entry={challenge.winner} />
        </Banner>
      )}
      {phase === 'canceled' && <Banner title="Canceled">{challenge.canceledReason}</Banner>}
      {phase !== 'drawn' && phase !== 'canceled' && (
        <Canceling answer={actionData} isPublic={isPublic} />
      )}
    </div>
  )
}

const useIntent = () => useNavigation().formData?.get('intent')

type DraftProps = { challenge: AdminChallenge; answer?: FormAnswer; isSaved: boolean }

/** Of the draft that was typed into: one that is read after a refusal is not in the fields. */
function useVersion(challenge: AdminChallenge, refused?: FormAnswer): string {
  const [known, setKnown] = useState(challenge.version)
  const version = (refused ? refused.typed.version : challenge.version) ?? known
  if (version !== known) setKnown(version)
  return version
}

function Draft({ challenge, answer, isSaved }: DraftProps) {
  const intent = useIntent()
  const { key } = useLocation()
  const isOutrun = answer?.code === 'DRAFT_CHANGED'
  // What it says by now is shown then.
  const version = useVersion(challenge, isOutrun ? undefined : answer)
  return (
    <Form method="post" replace preventScrollReset className="grid gap-8" noValidate>
      <input type="hidden" name="version" value={version} />
      <div className="grid gap-5">
        <ChallengeFields
          challenge={challenge}
          answer={answer?.typed.intent === 'cancel' ? undefined : answer}
        />
        {/* Beside the buttons: the fields are longer than a phone. */}
        {isOutrun && <DraftChanged challenge={challenge} typed={answer.typed} />}
        {isSaved && (
          // Said again when it is saved again.
          <Banner key={key} tone="success" title="The draft is saved">
            Nobody else sees it until you publish it.
          </Banner>
        )}
        {/* The first button of the form is what Enter in a field presses. */}
        <Button
          type="submit"
          name="intent"
          value="save"
          variant="secondary"
          className="justify-self-start"
          busy={intent === 'save'}
        >
          Save draft
        </Button>
      </div>
      <Card as="section" aria-label="Publish">
        <CardHeader
          title="Publish"
          description="What stands in the fields is saved, and everybody sees it from then on. It cannot be changed any more, and closes by itself at its time."
        />
        <Button type="submit" name="intent" value="publish" busy={intent === 'publish'}>
          Publish
        </Button>
      </Card>
    </Form>
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

function Canceling({ answer, isPublic }: { answer?: FormAnswer; isPublic: boolean }) {
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
          hint={
            isPublic
              ? 'Everybody reads it on the page of the challenge.'
              : 'Only administrators read it: a draft that is canceled stays hidden.'
          }
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
