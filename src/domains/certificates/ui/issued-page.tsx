import { Award } from 'lucide-react'
import { useState } from 'react'
import { Link, redirect } from 'react-router'
import type { Route } from './+types/issued-page'
import { Badge } from '../../../ui/badge.tsx'
import { Banner } from '../../../ui/banner.tsx'
import { ButtonLink } from '../../../ui/button.tsx'
import { DialogButton } from '../../../ui/dialog-button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { pageApi } from '../../../web/page-context.ts'
import { withoutLightning } from '../../courses/rules.ts'
import { CourseProblem } from '../../courses/ui/course-question.tsx'
import { toPublicPage } from '../../courses/ui/to-public-page.ts'
import { pageMeta } from '../../site/ui/page-meta.ts'
import { certificateDay, certificatePath } from '../rules.ts'
import type { IssuedCertificate } from '../schema.ts'
import { issuedPage, revokePage } from './certificates-address.ts'
import { RevokeDialog } from './revoke-dialog.tsx'

export const meta = () => pageMeta('Certificates', 'Who completed a course, and since when.')

export async function loader({ context, params: { slug }, url }: Route.LoaderArgs) {
  const api = context.get(pageApi)
  const course = await api.courses.getCourseDashboard({ slug }).catch(toPublicPage(slug))
  if (course.slug !== slug) throw redirect(issuedPage(course.slug) + url.search)
  const cursor = url.searchParams.get('after') ?? undefined
  const page = await api.certificates.getIssuedCertificates({ courseId: course.id, cursor })
  return {
    course: { slug, title: course.title },
    page,
    isFirst: cursor === undefined,
    isRevoked: url.searchParams.get('done') === 'revoked',
  }
}

/** For who looks after a course: all certificates of it, a page at a time. */
export default function IssuedPage({ loaderData }: Route.ComponentProps) {
  const { course, page, isFirst, isRevoked } = loaderData
  const here = issuedPage(course.slug)
  return (
    <div className="page-width grid max-w-[60rem] grid-cols-1 gap-8 pt-6 pb-16 lg:pt-8">
      <PageHeader
        back={{ to: `/course/${course.slug}/dashboard?tab=members`, label: 'Back to Members' }}
        title="Certificates"
        description={<span className="wrap-anywhere">{withoutLightning(course.title)}</span>}
      />
      {isRevoked && <Banner tone="success">The certificate is revoked. Its owner was told.</Banner>}
      {page.certificates.length === 0 ? (
        <EmptyState
          icon={Award}
          title={isFirst ? 'No certificates yet' : 'There are no more'}
          description="Whoever completes the last lesson gets one, without anybody doing anything."
          action={!isFirst && <ButtonLink to={here}>Newest certificates</ButtonLink>}
        />
      ) : (
        <ul
          // Safari forgets that a list without bullets is one, unless told.
          // oxlint-disable-next-line jsx-a11y/no-redundant-roles
          role="list"
          aria-label="Certificates"
          className="divide-y rounded-card border bg-surface shadow-card"
        >
          {page.certificates.map((certificate) => (
            <Row key={certificate.id} slug={course.slug} certificate={certificate} />
          ))}
        </ul>
      )}
      {(page.nextCursor !== null || !isFirst) && (
        <nav aria-label="Pages" className="flex flex-wrap justify-center gap-3">
          {!isFirst && (
            <ButtonLink to={here} variant="secondary">
              Newest
            </ButtonLink>
          )}
          {page.nextCursor !== null && (
            <ButtonLink to={`${here}?after=${page.nextCursor}`} variant="secondary">
              Older
            </ButtonLink>
          )}
        </nav>
      )}
    </div>
  )
}

function Row({ slug, certificate }: { slug: string; certificate: IssuedCertificate }) {
  const { id, learnerName, issuedAt, revoked } = certificate
  const [open, setOpen] = useState(false)
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-3 px-4 py-4 sm:px-5">
      <div className="grid min-w-0 flex-1 basis-56 gap-0.5">
        <p className="flex flex-wrap items-center gap-2 font-semibold">
          <Link to={certificatePath(id)} className="wrap-anywhere underline underline-offset-4">
            {learnerName}
          </Link>
          {revoked && <Badge tone="danger">Revoked</Badge>}
        </p>
        <p className="text-sm text-muted">
          Issued on <time dateTime={issuedAt}>{certificateDay(issuedAt)}</time>
        </p>
        {revoked && (
          <p className="text-sm wrap-anywhere whitespace-pre-line text-muted">
            Revoked on {certificateDay(revoked.at)}: {revoked.reason}
          </p>
        )}
      </div>
      {!revoked && (
        <DialogButton
          page={revokePage(slug, id)}
          onOpen={() => setOpen(true)}
          variant="secondary"
          size="sm"
        >
          Revoke<span className="sr-only"> the certificate of {learnerName}</span>
        </DialogButton>
      )}
      {open && !revoked && (
        <RevokeDialog slug={slug} certificate={certificate} onClose={() => setOpen(false)} />
      )}
    </li>
  )
}

export function ErrorBoundary() {
  return <CourseProblem />
}
