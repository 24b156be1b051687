import { renderToStaticMarkup } from 'react-dom/server'
import { createRoutesStub } from 'react-router'
import { expect, test } from 'vitest'
import { MessageForm } from './message-form.tsx'

test('how much was read is sent where it counts, and nowhere else', () => {
  const sent = (messagesRead?: number) => {
    const Component = () => (
      <MessageForm label="Answer" send="Send" messagesRead={messagesRead} answer={undefined} />
    )
    const Stub = createRoutesStub([{ path: '/', Component }])
    return renderToStaticMarkup(<Stub />)
  }
  expect(sent(2)).toContain('name="messagesRead" value="2"')
  expect(sent()).toContain('name="message"')
  expect(sent()).not.toContain('messagesRead')
})
