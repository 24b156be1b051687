import { NavLink, useSearchParams } from 'react-router'
import { cn } from '../../../ui/cn.ts'
import { showInRow } from '../../../ui/show-in-row.ts'
import { sorts } from '../rules.ts'
import type { Channel } from '../schema.ts'
import { discussionAddress } from './discussion-tab.ts'

type ChannelNavProps = {
  slug: string
  channels: Channel[]
  /** Its id; null for all. */
  current: string | null
}

/** Which part of the discussion is shown; nothing where there is only one. */
export function ChannelNav({ slug, channels, current }: ChannelNavProps) {
  const [query] = useSearchParams()
  const sort = sorts.find((one) => one === query.get('sort'))
  if (channels.length === 0) return null
  return (
    <nav
      aria-label="Channels"
      // Room for the focus rings, which the scrolling would cut.
      className="scroll-row -m-1.5 flex min-w-0 gap-2 p-1.5"
    >
      {[{ id: null, name: 'All' }, ...channels].map(({ id, name }) => (
        <NavLink
          key={id}
          ref={id === current ? showInRow : undefined}
          to={discussionAddress(slug, { sort, channelId: id })}
          preventScrollReset
          aria-current={id === current ? 'page' : 'false'}
          className={cn(
            'flex min-h-10 max-w-56 shrink-0 items-center rounded-full border border-edge/50 px-4 text-sm',
            'font-semibold text-muted no-underline transition-colors hover:border-edge hover:text-ink',
            id === current && 'border-primary bg-primary-soft text-primary hover:text-primary',
          )}
        >
          <span className="truncate">{name}</span>
        </NavLink>
      ))}
    </nav>
  )
}
