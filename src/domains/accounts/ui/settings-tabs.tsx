import {
  Bell,
  CreditCard,
  type LucideIcon,
  Palette,
  ShieldCheck,
  UserRound,
  Wallet,
} from 'lucide-react'
import type { ComponentType } from 'react'
import { BillingTab } from '../../billing/ui/billing-tab.tsx'
import { NotificationsTab } from '../../notifications/ui/preferences-tab.tsx'
import { PaymentsTab } from '../../payouts/ui/payments-tab.tsx'
import { SecurityTab } from './security/security-tab.tsx'
import { ProfileTab } from './settings-profile.tsx'
import { ThemeTab } from './settings-theme.tsx'

interface SettingsTab {
  /** The hash of its address: /settings#profile. */
  id: string
  label: string
  icon: LucideIcon
  /** Stays on the page while another tab is shown, so that nothing typed is lost. */
  Tab: ComponentType
}

/** The tabs of /settings in their order; the first is the default. */
export const settingsTabs: SettingsTab[] = [
  { id: 'profile', label: 'Profile', icon: UserRound, Tab: ProfileTab },
  { id: 'security', label: 'Account & Security', icon: ShieldCheck, Tab: SecurityTab },
  { id: 'theme', label: 'Color Theme', icon: Palette, Tab: ThemeTab },
  { id: 'notifications', label: 'Notifications', icon: Bell, Tab: NotificationsTab },
  { id: 'payments', label: 'Payments', icon: Wallet, Tab: PaymentsTab },
  { id: 'billing', label: 'Billing', icon: CreditCard, Tab: BillingTab },
]
