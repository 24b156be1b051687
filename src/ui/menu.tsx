import { useId, type ComponentProps, type KeyboardEvent, type ReactNode } from 'react'
import { Link } from 'react-router'
import { cn } from './cn.ts'

type MenuProps = {
  /** What the button shows. */
  trigger: ReactNode
  /** The button's name, when `trigger` is only a picture. */
  label?: string
  /** Which edge of the trigger the panel lines up with. */
  align?: 'start' | 'end'
  triggerClassName?: string
  panelClassName?: string
  children: ReactNode
}

/**
 * A button that opens a panel of links and buttons, on the browser's popover: Escape, a press
 * outside and the order of focus work without JavaScript, so still and hydrated pages share it.
 * Hydrated, the arrow keys, Home and End move through the items as well.
 */
export function Menu({
  trigger,
  label,
  align = 'end',
  triggerClassName,
  panelClassName,
  children,
}: MenuProps) {
  const id = useId()

  return (
    <div className="menu-scope inline-flex">
      <button
        type="button"
        popoverTarget={id}
        aria-label={label}
        onKeyDown={openWithArrow}
        className={cn('menu-trigger rounded-control', triggerClassName)}
      >
        {trigger}
      </button>
      <div
        id={id}
        popover="auto"
        className={cn(
          'menu-panel max-h-[min(36rem,85dvh)] w-64 max-w-[calc(100vw-1.5rem)] animate-fade',
          'overflow-y-auto overscroll-contain rounded-card border bg-raised p-1.5 text-ink',
          'shadow-raised',
          align === 'end' ? 'menu-end' : 'menu-start',
          panelClassName,
        )}
      >
        {children}
      </div>
    </div>
  )
}

/** For the button right before its panel. */
export function openWithArrow(event: KeyboardEvent<HTMLElement>) {
  const panel = event.currentTarget.nextElementSibling
  if (event.key !== 'ArrowDown' || !(panel instanceof HTMLElement)) return
  event.preventDefault()
  if (!panel.matches(':popover-open')) event.currentTarget.click()
  itemsOf(panel)[0]?.focus()
}

/** For an item of a panel, or for the panel itself. */
export function moveWithArrows(event: KeyboardEvent<HTMLElement>) {
  const panel = panelOf(event.currentTarget)
  if (!panel) return
  const items = itemsOf(panel)
  const here = items.findIndex((item) => item === document.activeElement)
  const moves: Record<string, number> = {
    ArrowDown: (here + 1) % items.length,
    ArrowUp: here - 1,
    Home: 0,
    End: -1,
  }
  const next = moves[event.key]
  if (next === undefined) return
  event.preventDefault()
  items.at(next)?.focus()
}

function panelOf(item: HTMLElement) {
  return item.closest<HTMLElement>('[popover]')
}

function itemsOf(panel: HTMLElement) {
  return [...panel.querySelectorAll<HTMLElement>('a[href], button:not(:disabled)')]
}

const item =
  'flex min-h-10 w-full items-center gap-3 rounded-lg px-2.5 py-2 text-left text-sm font-medium ' +
  'no-underline hover:bg-wash focus-visible:bg-wash focus-visible:-outline-offset-2 ' +
  '[&>svg]:size-[1.125rem] [&>svg]:shrink-0 [&>svg]:text-muted aria-[current=page]:bg-primary-soft ' +
  'aria-[current=page]:text-primary'

/** A place to go. Put a lucide icon before the text if the neighbours have one. */
export function MenuLink({ className, onClick, ...rest }: ComponentProps<typeof Link>) {
  return (
    <Link
      {...rest}
      onClick={(event) => {
        panelOf(event.currentTarget)?.hidePopover()
        onClick?.(event)
      }}
      onKeyDown={moveWithArrows}
      className={cn(item, className)}
    />
  )
}

type MenuButtonProps = ComponentProps<'button'> & {
  tone?: 'neutral' | 'danger'
  /** Leaves the panel open: for items that change something in it. */
  stayOpen?: boolean
}

/** Something to do: `onClick` when hydrated, `type="submit"` inside a form anywhere. */
export function MenuButton({
  tone = 'neutral',
  stayOpen = false,
  type = 'button',
  onClick,
  className,
  ...rest
}: MenuButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      onClick={(event) => {
        if (!stayOpen) panelOf(event.currentTarget)?.hidePopover()
        onClick?.(event)
      }}
      onKeyDown={moveWithArrows}
      className={cn(
        item,
        'disabled:opacity-50',
        tone === 'danger' && 'text-danger hover:bg-danger-soft [&>svg]:text-danger',
        className,
      )}
    />
  )
}

/** A small heading over a group of items. */
export function MenuLabel({ className, ...rest }: ComponentProps<'p'>) {
  return (
    <p {...rest} className={cn('px-2.5 pt-2 pb-1 text-xs font-semibold text-muted', className)} />
  )
}

export function MenuSeparator() {
  return <hr className="-mx-1.5 my-1.5" />
}
