import { Award } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link, useFetcher } from 'react-router'
import { Banner } from '../../../ui/banner.tsx'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { useActionCode } from '../../../web/use-action-code.ts'
import { certificatePath } from '../rules.ts'
import type { CertificateOfCourse } from '../schema.ts'
import { ownPage } from './certificates-address.ts'

type CourseCertificateProps = { slug: string; certificate: CertificateOfCourse }

/** For who completed the course: to the certificate, or how to get it. */
export function CourseCertificate({ slug, certificate }: CourseCertificateProps) {
  const label = certificate ? 'See your certificate' : 'Get your certificate'
  const words = (
    <>
      <Award size={18} aria-hidden />
      {label}
    </>
  )
  if (certificate) {
    return (
      <ButtonLink to={certificatePath(certificate.id)} variant="secondary" className="w-full">
        {words}
      </ButtonLink>
    )
  }
  return <GetCertificate page={ownPage(slug)}>{words}</GetCertificate>
}

type GetCertificateProps = { page: string; children: ReactNode }

/** Leads to it once it is made; without a connection it says so here. */
function GetCertificate({ page, children }: GetCertificateProps) {
  const fetcher = useFetcher<{ problem: string }>()
  useActionCode(page)
  const busy = fetcher.state !== 'idle'
  const problem = busy ? undefined : fetcher.data?.problem
  return (
    <fetcher.Form
      method="post"
      action={page}
      onSubmit={(event) => busy && event.preventDefault()}
      className="grid gap-3"
    >
      <Button type="submit" variant="secondary" busy={busy} className="w-full">
        {children}
      </Button>
      {problem && <Banner tone="danger">{problem}</Banner>}
    </fetcher.Form>
  )
}

/** On a completed course in a list. */
export function CertificateLink({ slug, title }: { slug: string; title: string }) {
  return (
    <Link
      to={ownPage(slug)}
      className="inline-flex min-h-9 items-center gap-1.5 text-sm font-semibold underline underline-offset-4"
    >
      <Award size={16} aria-hidden />
      Certificate<span className="sr-only"> of {title}</span>
    </Link>
  )
}
