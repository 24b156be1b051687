import { expect, test } from 'vitest'
import { csvRow } from './csv.ts'

test.each([
  [['Ann', 3], 'Ann,3\r\n'],
  [['Ann, "the" first', 'two\nlines'], '"Ann, ""the"" first","two\nlines"\r\n'],
  [['=cmd|calc', '+1', '-x', '@sum', '\tx', '\rx'], `'=cmd|calc,'+1,'-x,'@sum,'\tx,"'\rx"\r\n`],
  [['=HYPERLINK("x","y")'], `"'=HYPERLINK(""x"",""y"")"\r\n`],
  [['-1', '-12.30', '-1.', '-1+1', '+1.50'], "-1,-12.30,'-1.,'-1+1,'+1.50\r\n"],
  [[-1, 'a=b', 'me@example.com', ''], '-1,a=b,me@example.com,\r\n'],
])('%j', (values, line) => {
  expect(csvRow(values)).toBe(line)
})
