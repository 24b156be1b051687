import { describe, expect, test } from 'vitest'
import { readAddressList } from './read-address-list.ts'
import { processorTime } from '../../../test/processor-time.ts'

/** Each entry in short: its line and address, or what stands there. */
const read = (text: string) =>
  readAddressList(text)?.map(
    ({ line, address, text: stands }) => `${line} ${address ?? `! ${stands}`}`,
  )

describe('addresses are found', () => {
  test.each([
    [
      'one on each line',
      'a@x.org\nB@X.org\r\n\r\nc@x.org',
      ['1 a@x.org', '2 b@x.org', '4 c@x.org'],
    ],
    ['all on one line', 'a@x.org, b@x.org; c@x.org', ['1 a@x.org', '1 b@x.org', '1 c@x.org']],
    ['with a mark at the start', '\ufeffa@x.org', ['1 a@x.org']],
    ['under a heading', 'E-Mail\na@x.org', ['2 a@x.org']],
    ['in whatever column', 'Name;City;Contact\nAda;Paris;a@x.org', ['2 a@x.org']],
    [
      'in the column that the heading names',
      'Parent\tEmail address\np@x.org\ta@x.org\nq@x.org\tnone',
      ['2 a@x.org', '3 ! q@x.org, none'],
    ],
    ['the first of a line with more', 'Ada,a@x.org,second@x.org', ['1 a@x.org']],
    ['in quotes, with quotes', '"Lovelace, ""Ada""","a@x.org"', ['1 a@x.org']],
    [
      'below a cell of several lines',
      'Name,Mail\n"Ada\nLovelace",a@x.org\nBob,b@x.org',
      ['2 a@x.org', '4 b@x.org'],
    ],
    ['as mail programs write them', 'Ada <a@x.org>, mailto:b@x.org', ['1 a@x.org', '1 b@x.org']],
    ['in quotes after a blank', `Ada, "a@x.org", 'b@x.org'`, ['1 a@x.org']],
    [
      'with an apostrophe of their own',
      `o'hara@x.org\n'o'neill@x.org'`,
      ["1 o'hara@x.org", "2 o'neill@x.org"],
    ],
    ['with old line ends', 'a@x.org\rb@x.org', ['1 a@x.org', '2 b@x.org']],
    ['before a separator at the end', 'a@x.org,\nb@x.org,', ['1 a@x.org', '2 b@x.org']],
    [
      'behind names with a comma, as mail programs write many',
      'Doe, Jane <a@x.org>; Roe, Rick <b@x.org>; Poe, Ada <c@x.org>',
      ['1 a@x.org', '1 b@x.org', '1 c@x.org'],
    ],
    [
      'behind names in quotes, with a comma in them',
      '"Doe, Jane" <a@x.org>, "Roe, Rick" <b@x.org>, c@x.org',
      ['1 a@x.org', '1 b@x.org', '1 c@x.org'],
    ],
    [
      'in the column that the heading names, beside names with a comma',
      'Name;Email\nDoe, Jane;a@x.org\n"Roe; Rick";b@x.org',
      ['2 a@x.org', '3 b@x.org'],
    ],
    [
      'beside names with a semicolon, where commas are between the columns',
      'Email,Groups;Labels\na@x.org,one;two\nb@x.org;second@x.org,three',
      ['2 a@x.org', '3 b@x.org', '3 second@x.org'],
    ],
    [
      'several on a line under a heading of one word',
      'E-Mail\na@x.org, b@x.org\nDoe, Jane <c@x.org>',
      ['2 a@x.org', '2 b@x.org', '3 c@x.org'],
    ],
  ])('%s', (_how, text, entries) => {
    expect(read(text)).toEqual(entries)
  })
})

describe('what is no address is said with its line:', () => {
  test.each([
    [
      'formulas',
      'a@x.org\n=cmd|\' /C calc\'!A0\n=HYPERLINK("x@y")',
      ['1 a@x.org', "2 ! =cmd|' /C calc'!A0", '3 ! =HYPERLINK("x@y")'],
    ],
    ['a single wrong line', 'not an address', ['1 ! not an address']],
    ['a quote that nobody closed', '"Ada,a@x.org\nBob,b@x.org', ['1 a@x.org', '2 b@x.org']],
    ['a quote in the middle', 'a@x.org\n"b"c,@x\n', ['1 a@x.org', '2 ! "b"c, @x']],
    [
      'half an address',
      'a@\n@x.org\na@x\na b@x.org',
      ['1 ! a@', '2 ! @x.org', '3 ! a@x', '4 ! a b@x.org'],
    ],
    [
      'quotes in quotes',
      'a@x.org\n"Ada ""the first"" Lovelace",none',
      ['1 a@x.org', '2 ! Ada "the first" Lovelace, none'],
    ],
    [
      'what is wrong among addresses',
      'a@x.org, b@x, c@x.org\nDoe, Jane <d@x>; Roe, Rick <e@x.org>',
      ['1 a@x.org', '1 ! b@x', '1 c@x.org', '2 ! Jane <d@x>', '2 e@x.org'],
    ],
    [
      'a first line of wrong addresses, which is no heading',
      'Doe, Jane <a@x>; Roe, Rick <b@x>\nc@x.org',
      ['1 ! Doe, Jane <a@x>, Roe, Rick <b@x>', '2 c@x.org'],
    ],
    ['text of other kinds', 'a@x.org\nNUL \0 inside', ['1 a@x.org', '2 ! NUL  inside']],
  ])('%s', (_what, text, entries) => {
    expect(read(text)).toEqual(entries)
  })

  test('long lines are cut', () => {
    expect(read('x'.repeat(5000))).toEqual([`1 ! ${'x'.repeat(99)}…`])
  })
})

test('nothing but blanks is an empty list', () => {
  expect(read(' \n\t,;\n""\n')).toEqual([])
})

test('1,000 addresses are read, one more is too many', () => {
  const list = Array.from({ length: 1001 }, (_, number) => `person-${number}@example.com`)
  expect(readAddressList(list.slice(1).join('\n'))).toHaveLength(1000)
  expect(readAddressList(list.join('\n'))).toBeNull()
  const named = list.map((address) => `Doe, Jane, Dr. <${address}>`)
  expect(readAddressList(named.slice(1).join('; '))).toHaveLength(1000)
  expect(readAddressList(named.join('; '))).toBeNull()
})

test.each([
  ['50,000 rows', 'a name,somebody@example.com\n'.repeat(50_000)],
  ['a line of 1 MB', 'x'.repeat(1_000_000)],
  ['a cell of 1 MB', `"${'x\n'.repeat(500_000)}`],
  ['open quotes', '"'.repeat(1_000_000)],
  ['an open quote on each line', '"x\n'.repeat(330_000)],
  ['separators', ','.repeat(1_000_000)],
  ['line ends', '\n'.repeat(1_000_000)],
  ['signs', '@'.repeat(1_000_000)],
  ['brackets', '<'.repeat(1_000_000)],
  ['half addresses', `${'a.'.repeat(180)}@\n`.repeat(2700)],
])('%s hold nobody up for long', (_what, text) => {
  // A guard against what grows with the square: that would be minutes.
  expect(processorTime(() => readAddressList(text))).toBeLessThan(2000)
})
