import { useEffect, useRef, useState } from 'react'
import { Link, useLocation } from 'react-router'
import { UserRound } from 'lucide-react'
import type { Route } from './+types/settings'
import { cn } from '../../../ui/cn.ts'
import { PageHeader } from '../../../ui/page-header.tsx'
import { useHydrated } from '../../../ui/use-hydrated.ts'
import { formDataOf } from '../../../web/form-data-of.ts'
import { formApi, pageApi } from '../../../web/page-context.ts'
import { unreached } from '../../../web/unreached.ts'
import { PageProblem } from '../../courses/ui/page-problem.tsx'
import { paymentsOf } from '../../payouts/ui/payments-data.ts'
import { pageMeta } from '../../site/ui/page-meta.ts'
import { saveFailed, saveProfile } from './settings-profile-form.ts'
import { settingsTabs } from './settings-tabs.tsx'

export const meta = () => pageMeta('Settings', 'Manage your account preferences.')

export async function loader({ context }: Route.LoaderArgs) {
  const api = context.get(pageApi)
  const { accounts, billing: plans, notifications } = api
  const [profile, security, preferences, payments, billing, tokens] = await Promise.all([
    accounts.getMyProfile(),
    accounts.getMySecurity(),
    notifications.getNotificationPreferences(),
    paymentsOf(api),
    plans.getBilling(),
    api.tokens.getMyTokens(),
  ])
  return { profile, security, preferences, payments, billing, tokens }
}

/** Saves the profile. */
export async function action({ request, context }: Route.ActionArgs) {
  return saveProfile(await formDataOf(request), context.get(formApi).accounts)
}

/** Without a connection the form stays as it is, and says so. */
export async function clientAction({ serverAction }: Route.ClientActionArgs) {
  try {
    return await serverAction()
  } catch (error) {
    if (error instanceof Response) throw error
    return unreached({ problem: saveFailed, fields: {}, conflict: false, typed: null })
  }
}

/** The tab that the hash names, else the first; going to the content of the page changes none. */
function useCurrentTab() {
  const { hash } = useLocation()
  // The server never hears of a hash: until the page is hydrated, :target shows the tab.
  const hydrated = useHydrated()
  const named = settingsTabs.find(({ id }) => hash === `#${id}`)?.id
  const [latest, setLatest] = useState(named)
  if (named !== undefined && named !== latest) setLatest(named)
  const current = named ?? (hash === '#main' ? latest : undefined) ?? settingsTabs[0]?.id
  return hydrated ? current : null
}

export default function Settings() {
  const current = useCurrentTab()
  const tabRow = useRef<HTMLElement>(null)
  // On a phone the row of tabs is wider than the screen.
  useEffect(() => {
    const link = tabRow.current?.querySelector(`a[href$="#${current}"]`)
    link?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [current])

  return (
    <div className="settings page-width grid max-w-[64rem] grid-cols-1 gap-8 py-8 lg:py-12">
      <PageHeader
        back={{ to: '/dashboard', label: 'Back to Dashboard' }}
        title="Settings"
        description="Manage your account preferences"
      />
      <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-[14rem_minmax(0,1fr)] lg:gap-10">
        <nav
          ref={tabRow}
          aria-label="Settings"
          className="scroll-row -mx-1 p-1 lg:sticky lg:top-22"
        >
          <ul className="flex w-max gap-1 lg:grid lg:w-auto">
            {settingsTabs.map(({ id, label, icon: Icon }) => (
              <li key={id}>
                <Link
                  to={{ hash: id }}
                  preventScrollReset
                  aria-current={id === current ? 'page' : undefined}
                  className={cn(
                    'flex min-h-11 items-center gap-3 rounded-control px-3.5 font-semibold',
                    'whitespace-nowrap text-muted no-underline hover:bg-wash hover:text-ink',
                    'aria-[current=page]:bg-primary-soft aria-[current=page]:text-primary',
                  )}
                >
                  <Icon size={18} aria-hidden />
                  {label}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        <div className="min-w-0">
          {settingsTabs.map(({ id, label, Tab }, index) => (
            <section
              key={id}
              id={id}
              aria-label={label}
              hidden={current !== null && id !== current}
              // The margin keeps the top of the page in sight when the address leads here.
              className={cn(
                'scroll-mt-[100vh] grid-cols-1 gap-6',
                current === null ? 'hidden target:grid' : 'grid',
                current === null && index === 0 && '[.settings:not(:has(:target))_&]:grid',
              )}
            >
              <Tab id={id} isShown={id === current} />
            </section>
          ))}
        </div>
      </div>
    </div>
  )
}

export function ErrorBoundary() {
  return (
    <PageProblem
      icon={UserRound}
      notFound="Page not found"
      description="There is nothing at this address."
      back={{ to: '/dashboard', label: 'Back to Dashboard' }}
      failed="Could not load your settings"
    />
  )
}
