import { useState } from 'react'
import { useRevalidator } from 'react-router'

/** One call about an import at a time, and what came of it; the page then shows what is. */
export function useImportCall() {
  const { revalidate } = useRevalidator()
  const [busy, setBusy] = useState<string | null>(null)
  const [problem, setProblem] = useState<string | null>(null)

  async function call(name: 'retryImport' | 'removeImport', importId: string) {
    setBusy(name)
    setProblem(null)
    const found = await import('./course-transfer-calls.ts')
      .then((calls) => calls[name](importId))
      .catch(() => 'This did not work. Please try again.')
    await revalidate()
    setBusy(null)
    setProblem(found)
  }

  return { busy, problem, call }
}
