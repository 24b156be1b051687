import { expect, onTestFinished, test, vi } from 'vitest'
import { startImport } from './course-transfer-calls.ts'

/** What is said when the server answers the start of an import with this. */
function saidOf(code: string, message: string) {
  const refusal = Response.json({ defined: false, code, status: 409, message }, { status: 409 })
  vi.stubGlobal('location', { origin: 'http://thunder.test' })
  vi.stubGlobal('fetch', async () => refusal)
  // The client keeps the first `fetch` that it met.
  vi.resetModules()
  onTestFinished(() => void vi.unstubAllGlobals())
  return startImport('0198f0a2-7b1c-7e2d-9d41-3a5b6c7d8e9f')
}

test('who started an import without hearing of it reads of the import, and nothing of keys', async () => {
  expect(await saidOf('IDEMPOTENCY_ANSWER_LOST', 'A request with this Idempotency-Key …')).toBe(
    'The import was started already. Load the page again to see it.',
  )
})

test('what else is refused the server says itself', async () => {
  expect(await saidOf('CONFLICT', 'Another import is under way.')).toBe(
    'Another import is under way.',
  )
})
