import type { ComponentProps, ElementType, ReactNode } from 'react'
import { Link } from 'react-router'
import { cn } from './cn.ts'

const paddings = { none: '', sm: 'p-4', md: 'p-5 sm:p-6', lg: 'p-6 sm:p-8' }

type CardProps = ComponentProps<'div'> & {
  as?: ElementType
  padding?: keyof typeof paddings
  /** The whole card is one target: put exactly one `CardLink` into it. */
  interactive?: boolean
}

/** A surface with a soft edge. */
export function Card({
  as: Element = 'div',
  padding = 'md',
  interactive,
  className,
  ...rest
}: CardProps) {
  return (
    <Element
      {...rest}
      className={cn(
        'rounded-card border bg-surface shadow-card',
        paddings[padding],
        interactive && [
          'relative transition-[border-color,box-shadow,translate] duration-200 ease-out',
          'hover:-translate-y-0.5 hover:border-edge hover:shadow-raised',
          'has-[[data-card-link]:focus-visible]:outline-2',
          'has-[[data-card-link]:focus-visible]:outline-offset-2',
          'has-[[data-card-link]:focus-visible]:outline-primary',
        ],
        className,
      )}
    />
  )
}

type CardHeaderProps = {
  title: ReactNode
  description?: ReactNode
  actions?: ReactNode
  /** The level of the heading; 2 by default. */
  level?: 2 | 3
}

/** Title, one line about it, and what can be done, over the content of a card. */
export function CardHeader({ title, description, actions, level = 2 }: CardHeaderProps) {
  const Heading = level === 2 ? 'h2' : 'h3'
  return (
    <div className="mb-5 flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
      <div className="grid gap-1">
        <Heading className="text-xl">{title}</Heading>
        {description && <p className="text-sm text-muted">{description}</p>}
      </div>
      {actions && <div className="flex flex-wrap gap-2">{actions}</div>}
    </div>
  )
}

/** The link of an interactive card; its target covers the card, other links lie above it. */
export function CardLink({ className, ...rest }: ComponentProps<typeof Link>) {
  return (
    <Link
      {...rest}
      data-card-link
      className={cn(
        'text-inherit no-underline outline-none after:absolute after:inset-0',
        className,
      )}
    />
  )
}
