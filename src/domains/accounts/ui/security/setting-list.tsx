import type { ReactNode } from 'react'

/** Rows of a card: what it is on the left, what can be done with it on the right. */
export function SettingList({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ul aria-label={label} className="divide-y border-y">
      {children}
    </ul>
  )
}

type SettingRowProps = { title: ReactNode; details: ReactNode; actions?: ReactNode }

export function SettingRow({ title, details, actions }: SettingRowProps) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 py-4">
      <div className="grid min-w-0 gap-1">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1 font-semibold wrap-anywhere">
          {title}
        </p>
        <p className="text-sm text-muted wrap-anywhere">{details}</p>
      </div>
      {actions && <div className="flex flex-wrap gap-2">{actions}</div>}
    </li>
  )
}
