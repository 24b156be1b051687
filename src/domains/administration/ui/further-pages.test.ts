import { expect, test } from 'vitest'
import { furtherPages } from './further-pages.ts'

/** A list of pages of two, as the server has it, whose answers can be held up and lost. */
function server(letters: string) {
  const at = {
    letters,
    failsFrom: null as string | null,
    ready: Promise.resolve(),
    pageFrom(cursor: string | null) {
      const rest = [...at.letters].filter((letter) => cursor === null || letter > cursor)
      const shown = rest.slice(0, 2)
      return {
        items: shown.map((id) => ({ id })),
        nextCursor: rest.length > 2 ? shown.at(-1)! : null,
      }
    },
    async ask(cursor: string) {
      const page = at.pageFrom(cursor)
      await at.ready
      if (cursor === at.failsFrom) throw new TypeError('Failed to fetch')
      return page
    },
  }
  return at
}
const lettersOf = (page: { items: { id: string }[] } | null) =>
  page?.items.map(({ id }) => id).join('')

test('further pages are read one by one, and again below another first page', async () => {
  const at = server('abcdefg')
  const pages = furtherPages()
  const first = at.pageFrom(null)
  expect(await pages.readAgain(first, at.ask)).toBeNull()
  expect(lettersOf(await pages.readMore(first, at.ask))).toBe('cd')
  expect(lettersOf(await pages.readMore(first, at.ask))).toBe('cdef')
  at.letters = 'bcdefg'
  const again = await pages.readAgain(at.pageFrom(null), at.ask)
  expect([lettersOf(again), again!.nextCursor]).toEqual(['defg', null])
})

test('a page that is asked for while the others are read again stays in the list', async () => {
  const at = server('abcdefg')
  const pages = furtherPages()
  const first = at.pageFrom(null)
  await pages.readMore(first, at.ask)
  const { promise, resolve } = Promise.withResolvers<void>()
  at.ready = promise
  at.letters = 'bcdefg'
  const newFirst = at.pageFrom(null)
  const [again, longer, onceMore] = [
    pages.readAgain(newFirst, at.ask),
    pages.readMore(first, at.ask),
    pages.readAgain(newFirst, at.ask),
  ]
  resolve()
  expect(lettersOf(await again)).toBe('de')
  expect(lettersOf(await longer)).toBe('defg')
  expect(lettersOf(await onceMore)).toBe('defg')
})

test('where a page does not come the list stays, but for what was settled', async () => {
  const at = server('abcdefgh')
  const pages = furtherPages()
  const first = at.pageFrom(null)
  await pages.readMore(first, at.ask)
  await pages.readMore(first, at.ask)
  at.failsFrom = 'd'
  const again = await pages.readAgain(first, at.ask, 'c')
  expect([lettersOf(again), again!.nextCursor]).toEqual(['def', 'f'])
  at.failsFrom = 'f'
  expect(await pages.readMore(first, at.ask)).toBeNull()
  at.failsFrom = null
  expect(lettersOf(await pages.readMore(first, at.ask))).toBe('defgh')
})
