import { redirect } from 'react-router'
import type { Route } from './+types/log-in-with'
import { authApi, shellContext } from '../../../../web/page-context.ts'
import { returnPath } from '../../rules.ts'
import { redirectWithCookies } from '../redirect-with-cookies.ts'
import { throughOtherSite } from './through-other-site.ts'

/**
 * Sends somebody to an identity provider. A link leads here and no form: the content security policy lets
 * no form end on another site.
 */
export async function loader({ params, context, url }: Route.LoaderArgs) {
  const { signedIn, appUrl } = context.get(shellContext)
  const to = returnPath(url.searchParams.get('to'))
  if (signedIn) return redirect(to)
  const answer = await context.get(authApi)('/sign-in/social', {
    provider: params.provider,
    disableRedirect: true,
    ...throughOtherSite(appUrl, to),
  })
  if (answer.ok && typeof answer.body.url === 'string') {
    return redirectWithCookies(answer.body.url, answer.cookies)
  }
  const search = new URLSearchParams({ error: answer.code || 'unknown', to })
  return redirect(`/login?${search}`)
}
