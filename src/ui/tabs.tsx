import { Tabs as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import { cn } from './cn.ts'
import { tab, tabCount, tabRow } from './tab-look.ts'

type TabsProps = {
  label: string
  tabs: { value: string; label: ReactNode; count?: number; content: ReactNode }[]
  /** Controlled together with `onValueChange`; else the first tab starts. */
  value?: string
  onValueChange?: (value: string) => void
  className?: string
}

/** Tabs within one page and address. For tabs that deserve an address take LinkTabs. */
export function Tabs({ label, tabs, value, onValueChange, className }: TabsProps) {
  return (
    <Radix.Root
      value={value}
      defaultValue={tabs[0]?.value}
      onValueChange={onValueChange}
      className={cn('grid gap-6', className)}
    >
      <Radix.List aria-label={label} className={tabRow}>
        {tabs.map((item) => (
          <Radix.Trigger
            key={item.value}
            value={item.value}
            className={cn(
              tab(false),
              'data-[state=active]:border-primary data-[state=active]:text-ink',
            )}
          >
            {item.label}
            {item.count ? <span className={tabCount}>{item.count}</span> : null}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {tabs.map((item) => (
        <Radix.Content key={item.value} value={item.value} className="rounded-control">
          {item.content}
        </Radix.Content>
      ))}
    </Radix.Root>
  )
}
