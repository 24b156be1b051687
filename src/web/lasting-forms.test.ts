import { expect, test, vi } from 'vitest'
import { withLastingForms } from './lasting-forms.ts'

const at = (address: string) => new URL(address, 'https://thunder.test')

test.each([
  ['a short form', at('/course/a/lesson/b.data'), 'POST', 'completed=true', true],
  ['a long form', at('/create-course.data'), 'POST', 'x'.repeat(8_001), false],
  ['a file', at('/settings.data'), 'POST', new FormData(), false],
  ['a call', at('/rest/v1/me'), 'POST', '{}', false],
  ['reading', at('/dashboard.data'), 'GET', undefined, false],
])(
  '%s at %s, sent by %s, outlives its page or not',
  async (_what, address, method, body, lasts) => {
    const send = vi.fn<typeof fetch>().mockResolvedValue(new Response())
    await withLastingForms(send)(address, { method, body })
    expect(send.mock.calls[0]![1]?.keepalive === true).toBe(lasts)
  },
)
