import { Award } from 'lucide-react'
import type { Route } from './+types/my-certificates-page'
import { Badge } from '../../../ui/badge.tsx'
import { ButtonLink } from '../../../ui/button.tsx'
import { Card, CardLink } from '../../../ui/card.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { pageApi } from '../../../web/page-context.ts'
import { PageProblem } from '../../courses/ui/page-problem.tsx'
import { pageMeta } from '../../site/ui/page-meta.ts'
import { certificateDay, certificatePath } from '../rules.ts'
import type { OwnCertificate } from '../schema.ts'

export const meta = () => pageMeta('Certificates', 'The certificates of the courses you completed.')

export async function loader({ context }: Route.LoaderArgs) {
  return context.get(pageApi).certificates.getMyCertificates({})
}

export default function MyCertificatesPage({ loaderData: { certificates } }: Route.ComponentProps) {
  return (
    <div className="page-width grid max-w-[60rem] grid-cols-1 gap-8 pt-6 pb-16 lg:pt-8">
      <PageHeader
        back={{ to: '/dashboard', label: 'Back to Dashboard' }}
        title="Certificates"
        description="One for each course that you completed."
      />
      {certificates.length === 0 ? (
        <EmptyState
          icon={Award}
          title="No certificates yet"
          description="When you complete the last lesson of a course, its certificate appears here."
          action={<ButtonLink to="/dashboard">Go to your courses</ButtonLink>}
        />
      ) : (
        <ul
          // Safari forgets that a list without bullets is one, unless told.
          // oxlint-disable-next-line jsx-a11y/no-redundant-roles
          role="list"
          aria-label="Certificates"
          className="grid grid-cols-1 gap-4 sm:grid-cols-2"
        >
          {certificates.map((certificate) => (
            <li key={certificate.id} className="grid">
              <OwnCard certificate={certificate} />
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

function OwnCard({ certificate }: { certificate: OwnCertificate }) {
  const { id, courseTitle, creatorName, issuedAt, isRevoked } = certificate
  return (
    <Card interactive className="grid content-start gap-3">
      <span
        aria-hidden
        className="grid size-11 place-items-center rounded-control bg-spark text-on-spark"
      >
        <Award size={24} />
      </span>
      <h2 className="text-xl wrap-anywhere">
        <CardLink to={certificatePath(id)}>{courseTitle}</CardLink>
      </h2>
      <p className="text-sm wrap-anywhere text-muted">
        By {creatorName} · <time dateTime={issuedAt}>{certificateDay(issuedAt)}</time>
      </p>
      {isRevoked && <Badge tone="danger">Revoked</Badge>}
    </Card>
  )
}

export function ErrorBoundary() {
  return (
    <PageProblem
      icon={Award}
      notFound="Page not found"
      description="There is nothing at this address."
      back={{ to: '/dashboard', label: 'Back to dashboard' }}
      failed="Could not load your certificates"
    />
  )
}
