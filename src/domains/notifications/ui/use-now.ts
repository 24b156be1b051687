import { useEffect, useState } from 'react'

/** Milliseconds between two looks at the clock. */
const lookEvery = 10_000

/** The server's clock, `asOf` when the data came, moving on while the page is open. */
export function useNow(asOf: string): Date {
  const [moved, setMoved] = useState({ asOf, by: 0 })
  useEffect(() => {
    const start = Date.now()
    const looking = setInterval(() => setMoved({ asOf, by: Date.now() - start }), lookEvery)
    return () => clearInterval(looking)
  }, [asOf])
  return new Date(Date.parse(asOf) + (moved.asOf === asOf ? moved.by : 0))
}
