import type { ComponentProps } from 'react'
import { Link, useRouteLoaderData } from 'react-router'
import type { loader as rootLoader } from '../../../root.tsx'

/** Where 'Help Center' leads: our own pages, unless HELP_URL says otherwise. */
export const useHelpUrl = () =>
  useRouteLoaderData<typeof rootLoader>('root')?.shell.helpUrl ?? '/help'

export function HelpCenterLink(props: Omit<ComponentProps<typeof Link>, 'to'>) {
  return <Link {...props} to={useHelpUrl()} />
}
