import { ORPCError, safe } from '@orpc/client'
import { data, redirect } from 'react-router'
import type { Route } from './+types/own-certificate'
import { formApi, pageApi } from '../../../web/page-context.ts'
import { unreached } from '../../../web/unreached.ts'
import { toPublicPage } from '../../courses/ui/to-public-page.ts'
import { certificatePath } from '../rules.ts'
import { ownPage } from './certificates-address.ts'

const failed = 'Your certificate could not be made. Please try again.'

const dashboardOf = (slug: string) => `/course/${encodeURIComponent(slug)}/dashboard`

/** To the certificate, or to where it can be had. */
export async function loader({ context, params: { slug } }: Route.LoaderArgs) {
  const api = context.get(pageApi)
  const { id } = await api.courses.getCourseDashboard({ slug }).catch(toPublicPage(slug))
  const { certificate } = await api.certificates.getOwnCertificate({ courseId: id })
  throw redirect(certificate ? certificatePath(certificate.id) : dashboardOf(slug))
}

/** 'Get your certificate'. */
export async function action({ context, params: { slug } }: Route.ActionArgs) {
  const { courses, certificates } = context.get(formApi)
  const [error, claimed] = await safe(
    courses
      .getCourseDashboard({ slug })
      .then(({ id }) => certificates.claimCertificate({ courseId: id })),
  )
  if (claimed?.certificate) return redirect(certificatePath(claimed.certificate.id))
  const status = error instanceof ORPCError ? error.status : 500
  if (status === 401) return redirect(`/login?to=${encodeURIComponent(ownPage(slug))}`)
  // Not complete any more, or no member any more: that page says how it is.
  if (status < 500) return redirect(dashboardOf(slug))
  throw data({ message: failed }, { status })
}

/** Where it did not work, as without a connection, the page with the button stays, and says so. */
export const clientAction = ({ serverAction }: Route.ClientActionArgs) =>
  serverAction().catch((error: unknown) => {
    if (error instanceof Response) throw error
    return unreached({ problem: failed })
  })
