import { expect, test } from 'vitest'
import { mentionAt } from './mention-at.ts'

/** The caret is where the bar is. */
function at(marked: string) {
  const caret = marked.indexOf('|')
  return mentionAt(marked.replace('|', ''), caret)
}

test('a name is begun by an @ that begins a word', () => {
  expect(at('@|')).toEqual({ from: 0, search: '' })
  expect(at('Hi @an|')).toEqual({ from: 3, search: 'an' })
  expect(at('(@Ann-Le|) ok')).toEqual({ from: 1, search: 'Ann-Le' })
  expect(at('🙂@élo|\nx')).toEqual({ from: 2, search: 'élo' })
  expect(at(`${'x '.repeat(4000)}@an|`)).toEqual({ from: 8000, search: 'an' })
})

test('a name is written in signs for vowels, too', () => {
  for (const name of ['राम', 'กิ', 'தமிழ்']) expect(at(`@${name}|`)?.search).toBe(name)
  expect(at('@रा|म')).toBeNull()
  expect(at('@र|ा')).toBeNull()
})

test.each(['|@ann', '@ann |', 'ann@ex|', '@@a|', 'a/@b|', '@an|n', `@${'x'.repeat(41)}|`, 'no|'])(
  'no name is begun in %j',
  (marked) => expect(at(marked)).toBeNull(),
)
