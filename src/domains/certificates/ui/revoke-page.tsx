import { ORPCError, safe } from '@orpc/client'
import { data, Form, redirect, useNavigation } from 'react-router'
import type { Route } from './+types/revoke-page'
import { Banner } from '../../../ui/banner.tsx'
import { ButtonLink } from '../../../ui/button.tsx'
import { formDataOf } from '../../../web/form-data-of.ts'
import { formApi, pageApi } from '../../../web/page-context.ts'
import { unreached } from '../../../web/unreached.ts'
import { CourseProblem, CourseQuestion } from '../../courses/ui/course-question.tsx'
import { toPublicPage } from '../../courses/ui/to-public-page.ts'
import { pageMeta } from '../../site/ui/page-meta.ts'
import { certificateDay } from '../rules.ts'
import { issuedPage, revokePage } from './certificates-address.ts'
import {
  RevokeFields,
  type RevokeRefusal,
  revokeTitle,
  WhatRevokingMeans,
} from './revoke-fields.tsx'

const failed = 'The certificate could not be revoked. Please try again.'

export const meta = () => pageMeta('Revoke a Certificate', 'What it means, and why.')

export async function loader({ context, params: { slug, certificateId } }: Route.LoaderArgs) {
  const api = context.get(pageApi)
  const course = await api.courses.getCourseDashboard({ slug }).catch(toPublicPage(slug))
  const certificate = await api.certificates.getIssuedCertificate({
    courseId: course.id,
    certificateId,
  })
  return { slug: course.slug, certificate }
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const { slug, certificateId } = params
  const reason = String((await formDataOf(request)).get('reason') ?? '')
  const { courses, certificates } = context.get(formApi)
  const [error] = await safe(
    courses
      .getCourseDashboard({ slug })
      .then(({ id }) => certificates.revokeCertificate({ courseId: id, certificateId, reason })),
  )
  if (!error) return redirect(`${issuedPage(slug)}?done=revoked`)
  const known = error instanceof ORPCError && error.status < 500 ? error : null
  if (known?.status === 401) {
    throw redirect(`/login?to=${encodeURIComponent(revokePage(slug, certificateId))}`)
  }
  const refusal: RevokeRefusal = { problem: known?.message ?? failed, reason }
  return data(refusal, { status: known?.status ?? 500 })
}

/** Without a connection the question stays open, and says so. */
export async function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  const reason = String((await formDataOf(request.clone())).get('reason') ?? '')
  return serverAction().catch((error: unknown) => {
    if (error instanceof Response) throw error
    return unreached<RevokeRefusal>({ problem: failed, reason })
  })
}

/** The question as a page, for browsers without JavaScript. */
export default function RevokePage({ loaderData, actionData }: Route.ComponentProps) {
  const { slug, certificate } = loaderData
  const busy = useNavigation().formMethod === 'POST'
  return (
    <CourseQuestion
      back={`/course/${slug}/dashboard`}
      title={revokeTitle(certificate)}
      instead={
        certificate.revoked && (
          <Banner
            tone="info"
            action={
              <ButtonLink to={issuedPage(slug)} variant="secondary" size="sm">
                Certificates
              </ButtonLink>
            }
          >
            It was revoked on {certificateDay(certificate.revoked.at)}.
          </Banner>
        )
      }
    >
      <WhatRevokingMeans />
      <Form method="post" replace className="grid gap-5">
        <RevokeFields
          busy={busy}
          refusal={actionData}
          cancel={
            <ButtonLink to={issuedPage(slug)} variant="secondary">
              Cancel
            </ButtonLink>
          }
        />
      </Form>
    </CourseQuestion>
  )
}

export function ErrorBoundary() {
  return <CourseProblem />
}
