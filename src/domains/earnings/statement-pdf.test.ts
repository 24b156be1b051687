// What stands in the PDF of a statement, read from the PDF, in whatever letters it was written.
import { inflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { statementPdf } from './statement-pdf.ts'
import type { Statement } from './statement.ts'

const sums = {
  sales: 1,
  gross: 2900,
  platformFee: 145,
  cardFee: 114,
  refunded: 0,
  disputed: 0,
  disputeFee: 0,
  paidOut: 0,
  payoutFee: 0,
  givenUp: 0,
}
const moved = { gross: 2900, platformFee: -145, cardFee: -114, left: 0 }

const statement = (creator: string, course: string): Statement => ({
  month: '2025-01',
  creator,
  opening: 0,
  closing: 2641,
  sums,
  isByDay: false,
  lines: [{ when: '2025-01-31 23:59', what: `Sale (our fee 5%): ${course}`, ...moved }],
  courses: [{ title: course, sales: 1, feePercents: [5], ...moved }],
})

/** Each text of the first page, by the tables that viewers copy text with. */
async function textsOf(creator: string, course: string, isTest = false): Promise<string[]> {
  const pdf = await statementPdf(statement(creator, course), { isTest })
  const file = Buffer.from(pdf).toString('latin1')
  const objects = new Map(
    [...file.matchAll(/(?:^|\n)(\d+) 0 obj\n([\s\S]*?)\nendobj/g)].map(([, key, body]) => [
      key!,
      body!,
    ]),
  )
  const referred = (body: string, name: string) =>
    objects.get(body.match(new RegExp(`/${name} (\\d+) 0 R`))?.[1] ?? '')
  const streamOf = (body: string) => {
    const start = body.indexOf('stream\n') + 7
    const bytes = Buffer.from(body.slice(start, body.lastIndexOf('\nendstream')), 'latin1')
    return inflateSync(bytes).toString('latin1')
  }
  const readers = new Map<string, (bytes: Buffer) => string>()
  for (const body of objects.values()) {
    for (const [, name, key] of body.matchAll(/\/(F\d+) (\d+) 0 R/g)) {
      const table = referred(objects.get(key!)!, 'ToUnicode')
      const letters = table ? lettersIn(streamOf(table)) : null
      readers.set(name!, (bytes) =>
        letters
          ? Array.from(
              { length: bytes.length / 2 },
              (_, at) => letters[bytes.readUInt16BE(at * 2)],
            ).join('')
          : new TextDecoder('windows-1252').decode(bytes),
      )
    }
  }
  const page = [...objects.values()].find((body) => /\/Type \/Page\n/.test(body))!
  return [
    ...streamOf(referred(page, 'Contents')!).matchAll(/\/(F\d+) [\d.]+ Tf\n(\[.*?\]) TJ/g),
  ].map(([, font, shown]) => {
    const hex = [...shown!.matchAll(/<([0-9a-f]*)>/g)].map(([, part]) => part).join('')
    return readers.get(font!)!(Buffer.from(hex, 'hex'))
  })
}

/** By glyph. */
function lettersIn(table: string): string[] {
  const list = [...table.matchAll(/\[(.*?)\]/g)].map(([, codes]) => codes!).join(' ')
  return [...list.matchAll(/<([0-9a-f ]*)>/g)].map(([, code]) =>
    String.fromCodePoint(...code!.split(' ').map((part) => parseInt(part, 16))),
  )
}

const mark = 'Test mode: no money moved.'
const note =
  'Letters that cannot be printed here stand as “?”: the CSV file of your sales has them.'

test.each([
  ['Pat Zöe “Knots” O’Hara', 'Ropes', 'Pat Zöe “Knots” O’Hara', 'Ropes'],
  ['Łukasz Żółć', 'Şiir ve Çağ', 'Łukasz Żółć', 'Şiir ve Çağ'],
  // Our typeface for small text lacks these accents, and Cyrillic is written in Latin letters.
  ['Nguyễn Thị Hà', 'Узлы ⚓ для всех', 'Nguyen Thi Hà', 'Uzly dlya vsekh'],
])('%s and %s are printed, and no letter is missing', async (creator, course, name, title) => {
  const texts = await textsOf(creator, course)
  // What one file of a typeface lacks is a piece of its own.
  const whole = texts.join('')
  for (const text of [name, `Net${title}`, `Sale (our fee 5%): ${title}`]) {
    expect(whole).toContain(text)
  }
  expect(texts).not.toContain(note)
  expect(texts.filter((text) => text === '26.41')).toHaveLength(5)
})

test('of letters that no typeface here has it is said that they are missing', async () => {
  const texts = await textsOf('山田 Taro', 'A 结 course')
  expect(texts).toEqual(
    expect.arrayContaining(['?? Taro', 'A ? course', 'Sale (our fee 5%): A ? course', note]),
  )
})

test.each([
  [
    true,
    [mark, `Thunder, January 2025 (UTC). Test mode: no money moved`],
    `(Test mode: no money moved)`,
  ],
  [false, [], ''],
])(
  'in test mode (%s) it says in its title, its head and its foot that no money moved',
  async (isTest, said, title) => {
    const texts = await textsOf('Pat', 'Ropes', isTest)
    expect(texts.filter((text) => text.includes('Test mode'))).toEqual(said)
    const file = Buffer.from(await statementPdf(statement('Pat', 'Ropes'), { isTest }))
    expect(file.toString('latin1').replaceAll('\\', '')).toContain(
      `(Statement of January 2025${title && ` ${title}`})`,
    )
  },
)
