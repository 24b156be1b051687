import { redirect } from 'react-router'
import type { Route } from './+types/logout'
import { authApi } from '../../../web/page-context.ts'
import { redirectWithCookies } from './redirect-with-cookies.ts'

export const loader = () => redirect('/')

export async function action({ context }: Route.ActionArgs) {
  const { cookies } = await context.get(authApi)('/sign-out', {})
  return redirectWithCookies('/', cookies)
}
