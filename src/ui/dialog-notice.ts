import { createContext, type ReactNode } from 'react'

/** What every dialog says before its content: the page below says it too, but is inert. Given by what surrounds all pages. */
export const DialogNotice = createContext<ReactNode>(null)
