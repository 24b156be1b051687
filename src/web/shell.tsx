import {
  Award,
  ChartColumn,
  ChevronDown,
  CircleQuestionMark,
  Compass,
  LayoutDashboard,
  LogOut,
  Plus,
  Settings,
  ShieldCheck,
  UserRound,
  Zap,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { Link, useLocation, useNavigation } from 'react-router'
import { suspendedPage } from '../domains/administration/suspension-pages.ts'
import type { Me } from '../domains/accounts/contract.ts'
import { HelpCenterLink, useHelpUrl } from '../domains/articles/ui/help-center-link.tsx'
import { UpgradeHere } from '../domains/billing/ui/upgrade-here.tsx'
import { UpgradeMenuLink } from '../domains/billing/ui/upgrade-link.tsx'
import { forgetDrafts } from '../domains/courses/ui/content-local-store.ts'
import { Bell } from '../domains/notifications/ui/bell.tsx'
import { useForgottenCourses } from '../domains/offline/ui/use-worker.ts'
import { brand } from '../domains/site/brand.ts'
import { Avatar } from '../ui/avatar.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button, ButtonLink } from '../ui/button.tsx'
import { DialogNotice } from '../ui/dialog-notice.ts'
import { LightningMark, Logo } from '../ui/logo.tsx'
import { Menu, MenuButton, MenuLabel, MenuLink, MenuSeparator } from '../ui/menu.tsx'
import { ThemeToggle } from '../ui/theme-toggle.tsx'
import { Toaster } from '../ui/toaster.tsx'
import type { Shell as ShellFacts } from './page-context.ts'
import { isProtectedPage } from './protected-page.ts'
import { SignedOutNotice } from './signed-out-notice.tsx'
import { YourCourses } from './your-courses.tsx'

type ShellProps = { me: Me | null; shell?: ShellFacts; children: ReactNode }

/** What is around every page: skip link, header, footer, the small badge. */
export function Shell({ me, shell, children }: ShellProps) {
  return (
    <div className="flex min-h-dvh flex-col">
      <a
        href="#main"
        className="sr-only focus:not-sr-only focus:absolute focus:z-50 focus:m-2 focus:rounded-control focus:bg-raised focus:p-3"
      >
        Skip to content
      </a>
      <NavigationBar />
      <header className="sticky top-0 z-30 border-b bg-paper/90 backdrop-blur">
        <nav aria-label="Main" className="page-width flex min-h-16 items-center gap-2">
          {me?.suspended ? <Suspended /> : me ? <SignedIn me={me} /> : <SignedOut />}
        </nav>
      </header>
      <main id="main" tabIndex={-1} className="flex-1 outline-none">
        <DialogNotice value={me && <SignedOutNotice />}>{children}</DialogNotice>
      </main>
      <Footer badge={shell?.builtWithBadge ?? false} />
      {me && !me.suspended && <UpgradeHere />}
      {me && <Toaster />}
      {me && (
        <SignedOutNotice className="fixed inset-x-4 top-20 z-40 mx-auto max-w-2xl shadow-raised" />
      )}
    </div>
  )
}

function SignedOut() {
  const { pathname } = useLocation()
  return (
    <>
      <Link to="/" aria-label={`${brand.name}, home`} className="mr-auto flex rounded-control">
        <Logo name={brand.name} />
      </Link>
      <ThemeToggle />
      <ButtonLink
        to="/explore"
        variant="ghost"
        size="sm"
        aria-current={pathname === '/explore' ? 'page' : undefined}
      >
        Explore
      </ButtonLink>
      <ButtonLink to="/login" variant="secondary" size="sm">
        Login
      </ButtonLink>
    </>
  )
}

/** Nothing else is open to who is suspended. */
function Suspended() {
  return (
    <>
      <Link
        to={suspendedPage}
        aria-label={`${brand.name}, your account`}
        className="mr-auto flex rounded-control"
      >
        <Logo name={brand.name} />
      </Link>
      <ThemeToggle />
      <form action="/logout" method="post" onSubmit={forgetDrafts}>
        <Button type="submit" variant="secondary" size="sm">
          Sign Out
        </Button>
      </form>
    </>
  )
}

function SignedIn({ me }: { me: Me }) {
  useForgottenCourses()
  const helpUrl = useHelpUrl()
  return (
    <>
      <div className="mr-auto">
        <Menu
          align="start"
          label={`${brand.name} menu`}
          triggerClassName="-ml-2 flex items-center gap-1.5 p-2 hover:bg-wash"
          trigger={
            <>
              <Logo name={brand.name} />
              <ChevronDown size={18} className="text-muted" aria-hidden />
            </>
          }
        >
          <MenuLink to="/explore">
            <Compass aria-hidden /> Explore Courses
          </MenuLink>
          <MenuLink to="/create-course">
            <Plus aria-hidden /> Create Course
          </MenuLink>
          <MenuSeparator />
          <MenuLabel>Your Courses</MenuLabel>
          <YourCourses courses={me.courses} hasMore={me.hasMoreCourses} />
        </Menu>
      </div>
      <ThemeToggle />
      <Bell unread={me.unreadNotifications} />
      <Menu
        label="Account menu"
        triggerClassName="rounded-full p-1"
        trigger={<Avatar name={me.name} src={me.avatarUrl} size="md" />}
      >
        <div className="flex items-center gap-3 px-2.5 py-2">
          <div className="min-w-0">
            <p className="truncate font-semibold">{me.name}</p>
            {me.email && <p className="truncate text-sm text-muted">{me.email}</p>}
          </div>
          {me.plan === 'pro' && <Badge tone="spark">PRO</Badge>}
        </div>
        <MenuSeparator />
        <MenuLink to="/dashboard">
          <LayoutDashboard aria-hidden /> Dashboard
        </MenuLink>
        <MenuLink to="/analytics">
          <ChartColumn aria-hidden /> Creator Analytics
        </MenuLink>
        {me.username !== null && (
          <MenuLink to={`/user/${me.username}`}>
            <UserRound aria-hidden /> Profile
          </MenuLink>
        )}
        <MenuLink to="/certificates">
          <Award aria-hidden /> Certificates
        </MenuLink>
        <MenuLink to="/settings">
          <Settings aria-hidden /> Settings
        </MenuLink>
        <MenuLink to={helpUrl}>
          <CircleQuestionMark aria-hidden /> Help Center
        </MenuLink>
        {me.plan !== 'pro' && (
          <UpgradeMenuLink>
            <Zap aria-hidden /> Upgrade to Pro
          </UpgradeMenuLink>
        )}
        {me.role === 'admin' && (
          <MenuLink to="/admin">
            <ShieldCheck aria-hidden /> Administration
          </MenuLink>
        )}
        <MenuSeparator />
        <form action="/logout" method="post" onSubmit={forgetDrafts}>
          <MenuButton type="submit" stayOpen>
            <LogOut aria-hidden /> Sign Out
          </MenuButton>
        </form>
      </Menu>
    </>
  )
}

/** A thin moving line while the next page is being fetched. */
function NavigationBar() {
  const busy = useNavigation().state !== 'idle'
  return (
    <>
      <div
        aria-hidden
        className="pointer-events-none fixed inset-x-0 top-0 z-40 h-0.5 overflow-hidden"
      >
        {busy && <div className="navigation-bar h-full bg-primary" />}
      </div>
      <AuthenticationCheck />
    </>
  )
}

/** On the way from a public page to one that needs an account, the server looks who comes before anything. */
function AuthenticationCheck() {
  const { state, location: next } = useNavigation()
  const { pathname } = useLocation()
  const isChecking =
    state === 'loading' && isProtectedPage(next.pathname) && !isProtectedPage(pathname)
  if (!isChecking) return null
  return (
    <output
      // Visible after a moment only, so that it does not flash when the answer is quick.
      className="fixed inset-x-0 top-4 z-40 mx-auto w-fit animate-appear [animation-delay:0.4s] [animation-fill-mode:backwards] rounded-full border bg-raised px-4 py-2 text-sm font-medium shadow-raised"
    >
      Checking authentication...
    </output>
  )
}

function Footer({ badge }: { badge: boolean }) {
  return (
    <footer className="mt-20 border-t py-8 text-sm text-muted">
      <div className="page-width flex flex-wrap items-center gap-x-6 gap-y-3">
        <nav aria-label="Footer" className="flex flex-wrap gap-x-5">
          <Link to="/about" className="py-2 hover:text-ink">
            About
          </Link>
          <Link to="/privacy" className="py-2 hover:text-ink">
            Privacy
          </Link>
          <Link to="/terms" className="py-2 hover:text-ink">
            Terms
          </Link>
          <Link to="/accessibility" className="py-2 hover:text-ink">
            Accessibility
          </Link>
          <Link to="/pro" className="py-2 hover:text-ink">
            Pro
          </Link>
          <Link to="/challenges" className="py-2 hover:text-ink">
            Challenges
          </Link>
          <Link to="/support" className="py-2 hover:text-ink">
            Contact support
          </Link>
          <Link to="/blog" className="py-2 hover:text-ink">
            Blog
          </Link>
          <HelpCenterLink className="py-2 hover:text-ink">Help Center</HelpCenterLink>
        </nav>
        {badge && (
          <Link
            to="/"
            className="ml-auto inline-flex items-center gap-1.5 rounded-full border bg-surface px-3 py-1.5 text-xs font-medium shadow-card hover:text-ink"
          >
            <LightningMark className="size-4" /> Built with {brand.name}
          </Link>
        )}
      </div>
    </footer>
  )
}
