import { useHydrated } from './use-hydrated.ts'

export type ReadersZone = { timeZone?: 'UTC' }

/** For `Intl`: the reader's own time zone; UTC on the server, which does not know it, and until scripts run. */
export const useReadersZone = (): ReadersZone => (useHydrated() ? {} : { timeZone: 'UTC' })
