import { ShieldCheck } from 'lucide-react'
import { data, NavLink, Outlet, useLocation } from 'react-router'
import type { Route } from './+types/admin-frame'
import { showInRow } from '../../../ui/show-in-row.ts'
import { pageApi } from '../../../web/page-context.ts'
import { PageProblem } from '../../courses/ui/page-problem.tsx'
import { brand } from '../../site/brand.ts'
import { adminSections } from './admin-sections.ts'

export async function loader({ context }: Route.LoaderArgs) {
  const me = await context.get(pageApi).accounts.getMe()
  // Strangers are sent to the log-in by the layout around this one.
  if (me && me.role !== 'admin') {
    throw data({ message: 'Only administrators may do this.' }, { status: 403 })
  }
  return null
}

const look =
  'flex min-h-10 shrink-0 items-center gap-2.5 rounded-control px-3 text-sm font-semibold ' +
  'whitespace-nowrap no-underline '
const state = (isActive: boolean) =>
  isActive ? 'bg-primary-soft text-primary' : 'text-muted hover:bg-wash hover:text-ink'

const isCurrent = (pathname: string, to: string, end = false) =>
  pathname === to || (!end && pathname.startsWith(`${to}/`))

/** Around every page for administrators: what else there is to do. */
export default function AdminFrame() {
  const { pathname } = useLocation()

  return (
    <div className="page-width grid grid-cols-1 gap-6 py-6 lg:grid-cols-[12rem_minmax(0,1fr)] lg:gap-10 lg:py-10">
      <nav
        aria-label="Administration"
        className="scroll-row flex gap-1 pb-2 lg:sticky lg:top-24 lg:flex-col lg:self-start lg:overflow-visible"
      >
        {adminSections.map(({ to, label, icon: Icon, end }) => (
          <NavLink
            key={to}
            ref={isCurrent(pathname, to, end) ? showInRow : undefined}
            to={to}
            end={end}
            className={({ isActive }) => `${look}${state(isActive)}`}
          >
            <Icon size={18} aria-hidden />
            {label}
          </NavLink>
        ))}
      </nav>
      <div className="min-w-0">
        <Outlet />
      </div>
    </div>
  )
}

export function ErrorBoundary() {
  return (
    <PageProblem
      icon={ShieldCheck}
      notFound="For administrators only"
      description={`If you should be able to open it, ask an administrator of ${brand.name}.`}
      back={{ to: '/dashboard', label: 'Back to dashboard' }}
      failed="Could not load the administration"
    />
  )
}
