import { lazy, Suspense } from 'react'
import { useHydrated } from './use-hydrated.ts'

const Region = lazy(() => import('./toaster-region.tsx'))

/** The place where toasts appear and are announced. Once, in the hydrated root layout. */
export function Toaster() {
  const hydrated = useHydrated()
  return hydrated ? (
    <Suspense>
      <Region />
    </Suspense>
  ) : null
}
