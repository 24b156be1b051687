import { useRouteLoaderData } from 'react-router'
import type { SwitchedOff } from '../domains/administration/features.ts'
import type { loader } from '../root.tsx'

/** What administrators have switched off when this page was read, each with the sentence to show for it. */
export const useSwitchedOff = (): SwitchedOff =>
  useRouteLoaderData<typeof loader>('root')?.shell.switchedOff ?? {}
