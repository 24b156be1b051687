import { redirect } from 'react-router'
import type { Route } from './+types/logout'
import { authApi } from '../../../web/page-context.ts'
import { returnPath } from '../rules.ts'
import { redirectWithCookies } from './redirect-with-cookies.ts'
import { readForm } from './sign-in/read-form.ts'

export const loader = () => redirect('/')

export async function action({ request, context }: Route.ActionArgs) {
  const { to } = await readForm(request)
  const { cookies } = await context.get(authApi)('/sign-out', {})
  return redirectWithCookies(returnPath(to, '/'), cookies)
}
