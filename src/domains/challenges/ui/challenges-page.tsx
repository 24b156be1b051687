import { Trophy } from 'lucide-react'
import type { Route } from './+types/challenges-page'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { pageApi } from '../../../web/page-context.ts'
import { UpgradeLink } from '../../billing/ui/upgrade-link.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { pageMeta } from '../../site/ui/page-meta.ts'
import type { ChallengeSummary } from '../schema.ts'
import { ChallengeCard } from './challenge-card.tsx'

export const handle = { still: true }

export const meta = () =>
  pageMeta(
    'Challenges and giveaways',
    'Prizes for creators on Pro. Winners are drawn so that anybody can check it.',
  )

export async function loader({ context }: Route.LoaderArgs) {
  const api = context.get(pageApi)
  const [list, me] = await Promise.all([api.challenges.listChallenges(), api.accounts.getMe()])
  return { list, plan: me?.plan ?? null, isCreator: (me?.courses.length ?? 0) > 0 }
}

export default function ChallengesPage({ loaderData }: Route.ComponentProps) {
  const { list, plan, isCreator } = loaderData
  const { open, coming, past } = list
  const isEmpty = open.length + coming.length + past.length === 0
  return (
    <div className="page-width grid max-w-[56rem] grid-cols-1 gap-10 py-8 lg:py-12">
      <PageHeader
        title="Challenges and giveaways"
        description="Creators on Pro enter a course and can win a prize. The winner is drawn in a way that anybody can check."
      />
      {plan === 'free' && isCreator && (
        <p className="text-muted">
          Entering a course is a Pro benefit. <UpgradeLink />
        </p>
      )}
      {isEmpty && (
        <EmptyState
          icon={Trophy}
          title="No challenges yet"
          description="When there is one, it stands here with its rules and its prize."
        />
      )}
      <Part title="Open" challenges={open} />
      <Part title="Coming" challenges={coming} />
      <Part title="Past" challenges={past} />
    </div>
  )
}

function Part({ title, challenges }: { title: string; challenges: ChallengeSummary[] }) {
  if (challenges.length === 0) return null
  return (
    <section aria-label={title} className="grid gap-4">
      <h2 className="text-2xl">{title}</h2>
      <ul
        // Safari forgets that a list without bullets is one, unless told.
        // oxlint-disable-next-line jsx-a11y/no-redundant-roles
        role="list"
        className="grid gap-4"
      >
        {challenges.map((challenge) => (
          <ChallengeCard key={challenge.slug} challenge={challenge} />
        ))}
      </ul>
    </section>
  )
}

export function ErrorBoundary() {
  return (
    <div className="page-width py-12">
      <ErrorState
        level={1}
        title="Could not load the challenges"
        description="Something went wrong on our side. Please try again in a moment."
      />
    </div>
  )
}
