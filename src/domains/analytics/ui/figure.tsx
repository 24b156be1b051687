import { cn } from '../../../ui/cn.ts'

/**
 * A number or a word that another time range changes: while that is fetched, a grey stand-in of the
 * same size, so that nothing moves. Inside an element of the group `figures`.
 */
export function Figure({ className, ...rest }: React.ComponentProps<'span'>) {
  return (
    <span
      {...rest}
      className={cn(
        'group-data-busy/figures:animate-skeleton group-data-busy/figures:rounded-md',
        'group-data-busy/figures:bg-line group-data-busy/figures:text-transparent',
        className,
      )}
    />
  )
}
