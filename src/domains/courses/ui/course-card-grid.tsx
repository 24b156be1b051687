import { Children, type ReactNode } from 'react'

type CourseCardGridProps = {
  label: string
  /** Gives each item an id to jump to: `course-13` for the thirteenth. */
  anchored?: boolean
  children: ReactNode
}

/** Cards in 1, 2 or 3 columns by the width of the screen. */
export function CourseCardGrid({ label, anchored, children }: CourseCardGridProps) {
  return (
    // Safari forgets that a list without bullets is one, unless told.
    // oxlint-disable-next-line jsx-a11y/no-redundant-roles
    <ul role="list" aria-label={label} className="grid gap-6 sm:grid-cols-2 lg:grid-cols-3">
      {Children.map(children, (child, index) => (
        <li id={anchored ? `course-${index + 1}` : undefined} className="grid min-w-0">
          {child}
        </li>
      ))}
    </ul>
  )
}
