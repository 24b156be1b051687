import { safe } from '@orpc/client'
import { Trophy } from 'lucide-react'
import type { ReactNode } from 'react'
import { data, redirect } from 'react-router'
import type { Route } from './+types/challenge-page'
import { Banner } from '../../../ui/banner.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { formDataOf } from '../../../web/form-data-of.ts'
import { formApi, pageApi, shellContext } from '../../../web/page-context.ts'
import { countLabel } from '../../courses/ui/count-label.ts'
import { PageProblem } from '../../courses/ui/page-problem.tsx'
import { pageMeta } from '../../site/ui/page-meta.ts'
import { type FormAnswer, formAnswer, orUnreached } from '../../support/ui/form-answer.ts'
import { alwaysHolds, challengePath, challengesPath, drawAddress } from '../rules.ts'
import type { ChallengePage as Challenge } from '../schema.ts'
import { DrawFacts } from './draw-facts.tsx'
import { EntryPanel } from './entry-panel.tsx'
import { PhaseBadges } from './phase-badge.tsx'
import { UtcTime } from './utc-time.tsx'
import { EntryName } from './winner-line.tsx'

export const handle = { still: true }

export const meta = ({ loaderData }: Route.MetaArgs) =>
  pageMeta(
    loaderData?.challenge.title ?? 'Challenge',
    `The prize: ${loaderData?.challenge.prize ?? ''}`,
  )

export async function loader({ context, params: { slug } }: Route.LoaderArgs) {
  const api = context.get(pageApi)
  const [challenge, me] = await Promise.all([
    api.challenges.getChallenge({ slug }),
    api.accounts.getMe(),
  ])
  return {
    challenge,
    mine: me && (await api.challenges.getMyEntry({ slug })),
    isCreator: (me?.courses.length ?? 0) > 0,
    appUrl: context.get(shellContext).appUrl,
  }
}

const failed = 'Your entry could not be changed. Please try again.'

export async function action({ request, context, params: { slug } }: Route.ActionArgs) {
  const form = await formDataOf(request)
  const calls = context.get(formApi).challenges
  const here = challengePath(slug)
  const [error] = await safe(
    form.get('intent') === 'withdraw'
      ? calls.withdrawEntry({ slug })
      : calls.enterChallenge({ slug, courseId: String(form.get('courseId') ?? '') }),
  )
  if (error) return data<FormAnswer>(...formAnswer(error, { failed, here, form }))
  throw redirect(here)
}

export const clientAction = ({ serverAction }: Route.ClientActionArgs) =>
  serverAction().catch(orUnreached(failed))

export default function ChallengePage({ loaderData, actionData }: Route.ComponentProps) {
  const { challenge, mine, isCreator, appUrl } = loaderData
  const { title, prize, rules, phase, kind, opensAt, closesAt, entriesCount } = challenge
  return (
    <div className="page-width grid max-w-[56rem] grid-cols-1 gap-10 py-8 lg:py-12">
      <PageHeader
        back={{ to: challengesPath, label: 'All challenges' }}
        title={<span className="wrap-anywhere">{title}</span>}
        badges={<PhaseBadges phase={phase} kind={kind} entriesCount={entriesCount} />}
      />
      <Outcome challenge={challenge} />
      <dl className="grid gap-x-8 gap-y-5 sm:grid-cols-2">
        <Fact name="Prize">{prize}</Fact>
        <Fact name="Entries">{countLabel(entriesCount, 'entry', 'entries')}</Fact>
        <Fact name="Opens">
          <UtcTime at={opensAt} />
        </Fact>
        <Fact name="Closes">
          <UtcTime at={closesAt} />
        </Fact>
      </dl>
      <EntryPanel
        slug={challenge.slug}
        phase={phase}
        mine={mine}
        isCreator={isCreator}
        answer={actionData}
      />
      <section aria-labelledby="rules" className="grid gap-4">
        <h2 id="rules" className="text-2xl">
          Rules
        </h2>
        <p className="max-w-[44rem] whitespace-pre-line wrap-anywhere">{rules}</p>
        <ul className="grid max-w-[44rem] list-disc gap-2 pl-5 text-muted">
          {alwaysHolds.map((rule) => (
            <li key={rule}>{rule}</li>
          ))}
        </ul>
      </section>
      <DrawFacts challenge={challenge} address={appUrl + drawAddress(challenge.slug)} />
    </div>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid content-start gap-0.5">
      <dt className="text-sm font-semibold text-muted">{name}</dt>
      <dd className="text-lg wrap-anywhere">{children}</dd>
    </div>
  )
}

function Outcome({ challenge }: { challenge: Challenge }) {
  const { phase, winner, canceledReason, entries } = challenge
  if (winner) {
    return (
      <Banner tone="success" title="The winner">
        <EntryName entry={winner} />
      </Banner>
    )
  }
  if (phase === 'canceled') return <Banner title="Canceled">{canceledReason}</Banner>
  if (phase === 'closing') return <Banner>The time is over. The list is being frozen.</Banner>
  if (phase !== 'closed') return null
  return entries.length === 0 ? (
    <Banner>Nobody took part, so there is no winner.</Banner>
  ) : (
    <Banner>The list of entries is frozen. The winner is drawn next.</Banner>
  )
}

export function ErrorBoundary() {
  return (
    <PageProblem
      icon={Trophy}
      notFound="Challenge not found"
      description="There is no challenge at this address."
      back={{ to: challengesPath, label: 'All challenges' }}
      failed="Could not load this challenge"
    />
  )
}
