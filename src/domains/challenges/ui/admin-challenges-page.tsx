import { Trophy } from 'lucide-react'
import type { Route } from './+types/admin-challenges-page'
import { ButtonLink } from '../../../ui/button.tsx'
import { Card, CardLink } from '../../../ui/card.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { pageApi } from '../../../web/page-context.ts'
import { countLabel } from '../../courses/ui/count-label.ts'
import { pageMeta } from '../../site/ui/page-meta.ts'
import { adminChallengePath, adminChallengesPath } from '../rules.ts'
import { AdminProblem } from './admin-problem.tsx'
import { PhaseBadges } from './phase-badge.tsx'
import { UtcTime } from './utc-time.tsx'

export const meta = () => pageMeta('Challenges', 'Drafts, those that run, and their draws.')

export async function loader({ context, url }: Route.LoaderArgs) {
  const cursor = url.searchParams.get('after') ?? undefined
  const page = await context.get(pageApi).challenges.getAllChallenges({ cursor })
  return { page, isFirstPage: cursor === undefined }
}

/** For administrators: all challenges and giveaways. */
export default function AdminChallengesPage({ loaderData }: Route.ComponentProps) {
  const { page, isFirstPage } = loaderData
  return (
    <div className="grid max-w-[60rem] grid-cols-1 gap-8">
      <PageHeader
        title="Challenges"
        description="You publish a draft, it closes by itself, and you draw the winner."
        actions={<ButtonLink to={`${adminChallengesPath}/new`}>New challenge</ButtonLink>}
      />
      {page.challenges.length === 0 ? (
        <EmptyState
          icon={Trophy}
          title={isFirstPage ? 'No challenges yet' : 'No more challenges'}
          description="Draft one: nobody sees it until you publish it."
        />
      ) : (
        <ul
          // Safari forgets that a list without bullets is one, unless told.
          // oxlint-disable-next-line jsx-a11y/no-redundant-roles
          role="list"
          aria-label="Challenges"
          className="grid gap-3"
        >
          {page.challenges.map(({ id, title, kind, phase, opensAt, closesAt, entriesCount }) => (
            <Card
              as="li"
              key={id}
              padding="sm"
              interactive
              className="flex flex-wrap items-center gap-x-4 gap-y-2 sm:px-5"
            >
              <div className="grid min-w-0 flex-1 basis-64 gap-0.5">
                <h2 className="font-text text-base tracking-normal wrap-anywhere">
                  <CardLink to={adminChallengePath(id)}>{title}</CardLink>
                </h2>
                <p className="text-sm text-muted">
                  <UtcTime at={opensAt} /> to <UtcTime at={closesAt} /> ·{' '}
                  {countLabel(entriesCount, 'entry', 'entries')}
                </p>
              </div>
              <PhaseBadges phase={phase} kind={kind} entriesCount={entriesCount} />
            </Card>
          ))}
        </ul>
      )}
      <div className="flex flex-wrap gap-3">
        {!isFirstPage && (
          <ButtonLink to={adminChallengesPath} variant="ghost" size="sm">
            First page
          </ButtonLink>
        )}
        {page.nextCursor && (
          <ButtonLink
            to={`${adminChallengesPath}?after=${page.nextCursor}`}
            variant="secondary"
            size="sm"
          >
            Next page
          </ButtonLink>
        )}
      </div>
    </div>
  )
}

export const ErrorBoundary = AdminProblem
