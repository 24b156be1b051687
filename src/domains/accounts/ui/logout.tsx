import { redirect } from 'react-router'
import type { Route } from './+types/logout'
import { signInContext } from '../../../web/page-context.ts'
import { redirectWithCookies } from './redirect-with-cookies.ts'

export const loader = () => redirect('/')

export async function action({ context }: Route.ActionArgs) {
  const result = await context.get(signInContext).logOut()
  return redirectWithCookies('/', 'cookies' in result ? result.cookies : [])
}
