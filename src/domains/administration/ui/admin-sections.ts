import {
  BookOpen,
  Gauge,
  Gavel,
  LifeBuoy,
  ListTodo,
  type LucideIcon,
  Megaphone,
  ReceiptText,
  ScrollText,
  ShieldCheck,
  ToggleRight,
  Trophy,
  UsersRound,
} from 'lucide-react'

export interface AdminSection {
  to: string
  label: string
  icon: LucideIcon
  /** Only this address, not those below it. */
  end?: boolean
}

/** What administrators do here, in the order of the navigation; each has its page in routes.ts. */
export const adminSections: AdminSection[] = [
  { to: '/admin', label: 'Overview', icon: Gauge, end: true },
  { to: '/admin/people', label: 'People', icon: UsersRound },
  { to: '/admin/courses', label: 'Courses', icon: BookOpen },
  { to: '/moderation', label: 'Reports', icon: ShieldCheck },
  { to: '/admin/appeals', label: 'Appeals', icon: Gavel },
  { to: '/admin/support', label: 'Support', icon: LifeBuoy },
  { to: '/admin/challenges', label: 'Challenges', icon: Trophy },
  { to: '/admin/announcements', label: 'Announcements', icon: Megaphone },
  { to: '/admin/payments', label: 'Payments', icon: ReceiptText },
  { to: '/admin/features', label: 'Features', icon: ToggleRight },
  { to: '/admin/jobs', label: 'Jobs', icon: ListTodo },
  { to: '/admin/log', label: 'Audit log', icon: ScrollText },
]
