import type { ComponentProps } from 'react'
import { Link } from 'react-router'

/** A link inside a sentence of the account pages. */
export const TextLink = (props: ComponentProps<typeof Link>) => (
  <Link {...props} className="font-semibold text-primary underline" />
)
