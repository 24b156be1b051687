import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { ClosingProblem } from './closing-problem.tsx'
import type { FormAnswer } from './form-answer.ts'

const messages = ['first', 'second'].map((id) => ({
  id,
  fromTeam: false,
  body: 'Something',
  createdAt: '2026-11-24T12:00:00.000Z',
}))

const shown = (answer: Pick<FormAnswer, 'code'> & { typed?: Record<string, string> }) =>
  renderToStaticMarkup(
    <ClosingProblem
      answer={{
        problem: 'Not closed.',
        fields: {},
        ...answer,
        typed: { intent: 'close', ...answer.typed },
      }}
      messages={messages}
    />,
  )

test('what was written meanwhile is a press away', () => {
  const html = shown({ code: 'WRITTEN_MEANWHILE', typed: { messagesRead: '1' } })
  expect(html).toContain('Not closed.')
  expect(html).toContain('href="#second"')
})

test('a request that was not closed for another reason leads to no message', () => {
  const sent: Record<string, string>[] = [{}, { messagesRead: '' }, { messagesRead: '1' }]
  for (const typed of sent) {
    const html = shown({ code: 'UNREACHED', typed })
    expect(html).toContain('Not closed.')
    expect(html).not.toContain('<a')
  }
})
