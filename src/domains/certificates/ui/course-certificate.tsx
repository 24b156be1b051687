import { Award } from 'lucide-react'
import { Form, Link } from 'react-router'
import { Button, ButtonLink } from '../../../ui/button.tsx'
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
  return (
    <Form method="post" action={ownPage(slug)}>
      <Button type="submit" variant="secondary" className="w-full">
        {words}
      </Button>
    </Form>
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
