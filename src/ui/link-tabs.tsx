import type { ReactNode } from 'react'
import { NavLink } from 'react-router'
import { cn } from './cn.ts'
import { showInRow } from './show-in-row.ts'
import { tab, tabCount, tabRow } from './tab-look.ts'

export type TabLink = {
  to: string
  label: ReactNode
  /** A small number beside the label; nothing when 0 or left out. */
  count?: number
  /** Only this exact path counts as current, not the ones below it. */
  end?: boolean
  /** Decides by itself which tab is current, for tabs that live in the query string. */
  current?: boolean
}

/** Tabs that are pages of their own: each has an address, and Back works. */
export function LinkTabs({
  label,
  tabs,
  className,
}: {
  label: string
  tabs: TabLink[]
  className?: string
}) {
  return (
    <nav aria-label={label} className={cn(tabRow, className)}>
      {tabs.map((item) => (
        <NavLink
          key={item.to}
          ref={item.current ? showInRow : undefined}
          to={item.to}
          end={item.end}
          preventScrollReset
          {...(item.current !== undefined && { 'aria-current': item.current ? 'page' : 'false' })}
          className={({ isActive }) => tab(item.current ?? isActive)}
        >
          {item.label}
          {item.count ? <span className={tabCount}>{item.count}</span> : null}
        </NavLink>
      ))}
    </nav>
  )
}
