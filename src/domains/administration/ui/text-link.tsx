import type { ComponentProps } from 'react'
import { Link } from 'react-router'
import { cn } from '../../../ui/cn.ts'

/** A link among words. */
export function TextLink({ className, ...rest }: ComponentProps<typeof Link>) {
  return (
    <Link {...rest} className={cn('underline underline-offset-4 hover:text-primary', className)} />
  )
}
