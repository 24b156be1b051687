import { data, redirect } from 'react-router'
import type { Route } from './+types/logout'
import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import { authApi, shellContext } from '../../../web/page-context.ts'
import { forgetDrafts } from '../../courses/ui/content-local-store.ts'
import { pageMeta } from '../../site/ui/page-meta.ts'
import { returnPath } from '../rules.ts'
import { AccountPage } from './account-page.tsx'
import { redirectWithCookies } from './redirect-with-cookies.ts'
import { readForm } from './sign-in/read-form.ts'

export const meta = () => pageMeta('Sign out', 'End your session in this browser.')

export function loader({ context }: Route.LoaderArgs) {
  if (!context.get(shellContext).signedIn) throw redirect('/')
  return null
}

export async function action({ request, context }: Route.ActionArgs) {
  const { to } = await readForm(request)
  const next = returnPath(to, '/')
  const { ok, status, message, cookies } = await context.get(authApi)('/sign-out', {})
  return ok ? redirectWithCookies(next, cookies) : data({ problem: message, next }, { status })
}

export default function LogOut({ actionData }: Route.ComponentProps) {
  return (
    <AccountPage title="Sign out" lead="This ends your session in this browser.">
      {/* A full load, as everywhere that somebody signs out. */}
      <form action="/logout" method="post" onSubmit={forgetDrafts} className="grid gap-5">
        {actionData && (
          <Banner tone="danger" title="You may still be signed in">
            {actionData.problem}
          </Banner>
        )}
        <input type="hidden" name="to" value={actionData?.next ?? '/'} />
        <Button type="submit" size="lg">
          Sign Out
        </Button>
      </form>
    </AccountPage>
  )
}
