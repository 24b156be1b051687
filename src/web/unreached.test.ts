import { globSync, readFileSync } from 'node:fs'
import { UNSAFE_ErrorResponseImpl as ErrorResponseImpl } from 'react-router'
import { describe, expect, test } from 'vitest'

const files = globSync('src/domains/*/ui/**/*.{ts,tsx}').filter((file) =>
  /^export .*\bclientAction\b/m.test(readFileSync(file, 'utf8')),
)

/** What the page of this file answers when its server does that. */
async function answerOf(file: string, serverAction: () => Promise<unknown>) {
  const { clientAction } = await import(/* @vite-ignore */ `../../${file}`)
  const request = new Request('http://localhost/', { method: 'POST', body: new FormData() })
  return clientAction({ request, serverAction })
}

test('there are pages with forms', () => expect(files.length).toBeGreaterThan(30))

describe.each(files)('the forms of %s', (file) => {
  test.each([
    ['the server is not reached', new TypeError('Failed to fetch')],
    ['a proxy answers in its place', new Error('Unable to decode turbo-stream response')],
    ['it failed', new ErrorResponseImpl(500, 'Internal Server Error', {})],
  ])('fail where %s, so that nothing is read anew', async (_where, error) => {
    const answer = await answerOf(file, () => Promise.reject(error))
    expect(answer).toMatchObject({
      type: 'DataWithResponseInit',
      init: { status: 503 },
    })
  })

  test('go where the server leads', async () => {
    const away = Response.redirect('http://localhost/login')
    await expect(answerOf(file, () => Promise.reject(away))).rejects.toBe(away)
  })
})
