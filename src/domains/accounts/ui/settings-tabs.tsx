import {
  Bell,
  CodeXml,
  CreditCard,
  type LucideIcon,
  Palette,
  ShieldCheck,
  UserRound,
  Wallet,
} from 'lucide-react'
import type { ComponentType } from 'react'
import { ProfileTab } from './settings-profile.tsx'
import { tabLater } from './settings-tab-later.tsx'

interface SettingsTab {
  /** The hash of its address: /settings#profile. */
  id: string
  label: string
  icon: LucideIcon
  /** Stays on the page while another tab is shown, so that nothing typed is lost. */
  Tab: ComponentType<{ id: string; isShown: boolean }>
}

/** The tabs of /settings in their order; the first is the default, and comes with the page. */
export const settingsTabs: SettingsTab[] = [
  { id: 'profile', label: 'Profile', icon: UserRound, Tab: ProfileTab },
  {
    id: 'security',
    label: 'Account & Security',
    icon: ShieldCheck,
    Tab: tabLater(async () => (await import('./security/security-tab.tsx')).SecurityTab),
  },
  {
    id: 'theme',
    label: 'Color Theme',
    icon: Palette,
    Tab: tabLater(async () => (await import('./settings-theme.tsx')).ThemeTab),
  },
  {
    id: 'notifications',
    label: 'Notifications',
    icon: Bell,
    Tab: tabLater(
      async () => (await import('../../notifications/ui/preferences-tab.tsx')).NotificationsTab,
    ),
  },
  {
    id: 'payments',
    label: 'Payments',
    icon: Wallet,
    Tab: tabLater(async () => (await import('../../payouts/ui/payments-tab.tsx')).PaymentsTab),
  },
  {
    id: 'billing',
    label: 'Billing',
    icon: CreditCard,
    Tab: tabLater(async () => (await import('../../billing/ui/billing-tab.tsx')).BillingTab),
  },
  {
    id: 'developers',
    label: 'Developers',
    icon: CodeXml,
    Tab: tabLater(async () => (await import('../../tokens/ui/developers-tab.tsx')).DevelopersTab),
  },
]
