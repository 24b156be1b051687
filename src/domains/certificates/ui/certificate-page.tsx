import { ArrowLeft, Award, Download, FileBadge, Share2 } from 'lucide-react'
import { Link, redirect } from 'react-router'
import type { Route } from './+types/certificate-page'
import { Banner } from '../../../ui/banner.tsx'
import { buttonClass } from '../../../ui/button.tsx'
import { cn } from '../../../ui/cn.ts'
import { useHydrated } from '../../../ui/use-hydrated.ts'
import { pageApi } from '../../../web/page-context.ts'
import { PageProblem } from '../../courses/ui/page-problem.tsx'
import { CopyLink } from '../../invitations/ui/copy-link.tsx'
import { brand } from '../../site/brand.ts'
import { pageMeta, unlisted, wholeAddress } from '../../site/ui/page-meta.ts'
import { certificateDay, certificatePath, linkedInAddress } from '../rules.ts'
import type { Certificate } from '../schema.ts'
import { CertificateSheet } from './certificate-sheet.tsx'

export const handle = { still: true }

export async function loader({ context, params }: Route.LoaderArgs) {
  const { certificateId } = params
  const certificate = await context
    .get(pageApi)
    .certificates.getCertificate({ certificateId: certificateId.slice(0, 100) })
  if (certificate.id !== certificateId) throw redirect(certificatePath(certificate.id))
  return { certificate }
}

// People's names are not for search engines: who is given the address finds it.
export const meta = ({ loaderData }: Route.MetaArgs) => {
  if (!loaderData) return [...pageMeta('Certificate not found', notFoundText), unlisted]
  const { id, learnerName, courseTitle, revoked } = loaderData.certificate
  const title = `${learnerName}: ${courseTitle}`
  const state = revoked ? 'This certificate was revoked.' : 'This certificate is valid.'
  return [
    ...pageMeta(title, `${learnerName} completed “${courseTitle}” on ${brand.name}. ${state}`, {
      path: certificatePath(id),
    }),
    unlisted,
  ]
}

export default function CertificatePage({ loaderData }: Route.ComponentProps) {
  const { certificate } = loaderData
  return (
    <div className="page-width grid max-w-[72rem] grid-cols-1 gap-8 py-8 lg:py-12">
      <div data-not-printed className="grid gap-5">
        {certificate.isMine && (
          <Link
            to="/certificates"
            className="-my-2 -ml-1 inline-flex min-h-10 w-fit items-center gap-1.5 rounded-control px-1 text-sm font-semibold text-muted no-underline hover:text-ink"
          >
            <ArrowLeft size={16} aria-hidden />
            Back to Certificates
          </Link>
        )}
        <State certificate={certificate} />
      </div>
      <CertificateSheet certificate={certificate} />
      <div data-not-printed className="grid grid-cols-1 gap-10">
        {!certificate.revoked && <Files certificate={certificate} />}
        <HowToVerify certificate={certificate} />
      </div>
    </div>
  )
}

function State({ certificate: { revoked, issuedAt, learnerName } }: { certificate: Certificate }) {
  if (!revoked) {
    return (
      <Banner tone="success" title="This certificate is valid">
        {brand.name} issued it to {learnerName} on {certificateDay(issuedAt)}. Every lesson of the
        course had been completed.
      </Banner>
    )
  }
  return (
    <Banner tone="danger" title={`This certificate was revoked on ${certificateDay(revoked.at)}`}>
      <span className="wrap-anywhere whitespace-pre-line">{revoked.reason}</span>
    </Banner>
  )
}

function Files({ certificate }: { certificate: Certificate }) {
  const { id, isMine } = certificate
  const isHydrated = useHydrated()
  const address = wholeAddress(certificatePath(id))
  const quiet = cn(buttonClass({ variant: 'secondary' }), 'shrink')
  const label = 'inline-flex items-center gap-2 [&>svg]:shrink-0'
  return (
    <section
      aria-label="Take it with you"
      className="grid gap-3 sm:flex sm:flex-wrap sm:items-center"
    >
      <a href={`${certificatePath(id)}/certificate.pdf`} download className={buttonClass()}>
        <span className={label}>
          <Download size={18} aria-hidden />
          Download as PDF
        </span>
      </a>
      <a href={`${certificatePath(id)}/badge.jwt`} download className={quiet}>
        <span className={label}>
          <FileBadge size={18} aria-hidden />
          <span>
            Download badge<span className="max-sm:hidden"> (Open Badges 3.0)</span>
          </span>
        </span>
      </a>
      {isMine && (
        <a
          href={linkedInAddress(certificate, brand.appUrl, brand.name)}
          target="_blank"
          rel="noopener noreferrer"
          className={quiet}
        >
          <span className={label}>
            <Share2 size={18} aria-hidden />
            Add to LinkedIn profile
          </span>
        </a>
      )}
      {isHydrated && <CopyLink url={address} size="md" />}
    </section>
  )
}

const inline = 'font-semibold underline underline-offset-4'

function HowToVerify({ certificate: { id, revoked } }: { certificate: Certificate }) {
  return (
    <section aria-labelledby="verify" className="grid max-w-[46rem] gap-4">
      <h2 id="verify" className="text-2xl">
        How to verify it
      </h2>
      <ul className="grid list-disc gap-2.5 pl-5 text-pretty text-muted marker:text-edge">
        <li>
          <strong className="text-ink">By this page.</strong> It is at {brand.name}’s own address,
          and says at any time whether the certificate is valid. It shows what was true on the day
          it was issued: that every lesson was completed. There was no examination.
        </li>
        <li>
          <strong className="text-ink">By the badge, without us.</strong> The file is an Open Badges
          3.0 credential, signed by {brand.legalEntity}. Any wallet that reads these, or the program{' '}
          <code className="font-mono text-sm">verify-badge.mjs</code> from our source code, checks
          it against our{' '}
          <a href="/certificates/keys.json" className={inline}>
            published keys
          </a>{' '}
          and the{' '}
          <a href="/certificates/revocations.json" className={inline}>
            list of revoked ones
          </a>
          , which can be kept: no network is needed then.
        </li>
        {!revoked && (
          <li>
            <strong className="text-ink">For programs:</strong> the{' '}
            <a href={`${certificatePath(id)}/badge.json`} className={inline}>
              credential as JSON
            </a>{' '}
            and the{' '}
            <a href="/certificates/issuer.json" className={inline}>
              issuer’s profile
            </a>
            .
          </li>
        )}
      </ul>
    </section>
  )
}

const notFoundText =
  'There is no certificate here. The address may be mistyped, or the owner’s account was deleted.'

export function ErrorBoundary() {
  return (
    <PageProblem
      icon={Award}
      notFound="Certificate not found"
      description={notFoundText}
      back={{ to: '/explore', label: 'Explore courses' }}
      failed="Could not load this certificate"
    />
  )
}
