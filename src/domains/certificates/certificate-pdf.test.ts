// What stands in the PDF of a certificate, read from the PDF, in whatever letters it was written.
import { inflateSync } from 'node:zlib'
import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { certificatePdf, type PrintedCertificate } from './certificate-pdf.ts'
import { panelColours } from './look.ts'
import { printable } from './pdf-letters.ts'

const id = '0198f0a2-7b1c-7e2d-9d41-3a5b6c7d8e9f'
let mark: Buffer
beforeAll(async () => {
  const create = { width: 8, height: 8, channels: 3, background: '#4a30ee' } as const
  mark = await sharp({ create }).png().toBuffer()
})

const certificate = (facts: Partial<PrintedCertificate> = {}): PrintedCertificate => ({
  id,
  learnerName: 'Ada Lovelace',
  courseTitle: 'Knots',
  creatorName: 'Ina Structor',
  look: {
    colour: null,
    logoUrl: null,
    heading: 'Certificate of completion',
    words: '',
    signatory: 'Ina Structor',
  },
  issuedAt: new Date('2026-11-21T23:30:00Z'),
  ...facts,
})

/** Each run of letters on the page with its place, by way of the tables that viewers copy text with. */
async function readPdf(facts?: Partial<PrintedCertificate>) {
  const drawn = await certificatePdf(certificate(facts), { logo: null, mark, colour: '#4a30ee' })
  const file = Buffer.from(drawn).toString('latin1')
  const objects = new Map(
    [...file.matchAll(/(?:^|\n)(\d+) 0 obj\n([\s\S]*?)\nendobj/g)].map(([, key, body]) => [
      key!,
      body!,
    ]),
  )
  const streamOf = (body: string) => {
    const start = body.indexOf('stream\n') + 7
    const bytes = Buffer.from(body.slice(start, body.lastIndexOf('\nendstream')), 'latin1')
    return body.includes('/FlateDecode') ? inflateSync(bytes).toString('latin1') : ''
  }
  const reference = (body: string, name: string) =>
    body.match(new RegExp(`/${name} (\\d+) 0 R`))?.[1] ?? ''
  const tables = new Map<string, string[]>()
  for (const body of objects.values()) {
    for (const [, name, key] of body.matchAll(/\/(F\d+) (\d+) 0 R/g)) {
      const map = streamOf(objects.get(reference(objects.get(key!)!, 'ToUnicode'))!)
      const list = [...map.matchAll(/\[(.*?)\]/g)].map(([, codes]) => codes!).join(' ')
      tables.set(
        name!,
        [...list.matchAll(/<([0-9a-f ]*)>/g)].map(([, code]) =>
          String.fromCodePoint(...code!.split(' ').map((part) => parseInt(part, 16))),
        ),
      )
    }
  }
  const page = [...objects.values()].find((body) => /\/Type \/Page\n/.test(body))!
  const content = streamOf(objects.get(reference(page, 'Contents'))!)
  const lines = new Map<string, string>()
  const right: number[] = []
  for (const [, x, y, font, shown] of content.matchAll(
    /1 0 0 1 ([\d.]+) ([\d.]+) Tm\n\/(F\d+) [\d.]+ Tf\n(\[.*?\]) TJ/g,
  )) {
    const hex = [...shown!.matchAll(/<([0-9a-f]*)>/g)].map(([, part]) => part).join('')
    const glyphs = hex.match(/.{4}/g) ?? []
    const text = glyphs.map((glyph) => tables.get(font!)![parseInt(glyph, 16)]).join('')
    lines.set(y!, (lines.get(y!) ?? '') + text)
    right.push(Number(x))
  }
  return { text: [...lines.values()], file, pages: file.match(/\/Type \/Page\n/g)!.length, right }
}

describe('has', () => {
  test('name, course, creator, day and address, with a link', async () => {
    const { text, file, pages } = await readPdf()
    expect(pages).toBe(1)
    expect(text).toEqual(
      expect.arrayContaining([
        'Certificate of completion',
        'This certifies that',
        'Ada Lovelace',
        'completed every lesson of',
        'Knots',
        'A course by Ina Structor',
        `http://localhost:3000/certificates/${id}`,
      ]),
    )
    expect(text.join(' ')).toContain('November 21, 2026')
    expect(file).toContain(`(http://localhost:3000/certificates/${id})`)
  })

  test.each([
    ['Nguyễn Thị Ánh', 'Žluťoučký kůň', ['Nguyễn Thị Ánh', 'Žluťoučký kůň']],
    ['Ada 🎉 Lovelace ⚡', '“Knots” & Ropes 🪢', ['Ada Lovelace', '“Knots” & Ropes']],
    [
      'Юлия Щербакова',
      'Κόμβοι',
      ['Yuliya Shcherbakova', 'Komvoi', 'It is printed in Latin letters'],
    ],
    [
      '王小明',
      'عقد',
      [
        'The person named at',
        'The course named at the address',
        'There are letters in it that cannot',
      ],
    ],
  ])(
    'for %s and %s what can be printed, and no sign in place of a letter',
    async (learnerName, courseTitle, said) => {
      const { text } = await readPdf({ learnerName, courseTitle })
      for (const words of said) expect(text.join('\n')).toContain(words)
      expect(text.join('')).not.toMatch(/[\0?\ufffd]/)
    },
  )

  test('the longest names and titles whole, on one page', async () => {
    const learnerName =
      'Wolfeschlegelsteinhausenbergerdorff Maximiliana-Konstanze von und zu Hohenlohe-L'
    const courseTitle = 'W'.repeat(120)
    const { text, pages } = await readPdf({
      learnerName,
      courseTitle,
      creatorName: 'M'.repeat(80),
      look: {
        ...certificate().look,
        colour: '#ffe14d',
        words: 'words '.repeat(80),
        signatory: 'S'.repeat(80),
      },
    })
    expect(pages).toBe(1)
    expect(learnerName).toHaveLength(80)
    const together = text.join(' ')
    expect(together).toContain(learnerName)
    expect(text.join('')).toContain(courseTitle)
    expect(text.join('')).toContain('M'.repeat(80))
    expect(text.join('')).toContain('S'.repeat(80))
    expect(text.join('')).toMatch(/words? ?\w*…/)
  })
})

test('letters: accents go before letters do, and a name is never half there', () => {
  const has = (letter: string) => /[ a-zA-Z.]/.test(letter)
  expect(printable('Žoë\u00a0 O. \n X', has)).toEqual({ text: 'Zoe O. X', kept: 'whole' })
  expect(printable('Ірина', has)).toEqual({ text: 'Irina', kept: 'in Latin letters' })
  expect(printable('Li 雷', has)).toEqual({ text: '', kept: 'not printable' })
  expect(printable('⚡️👩‍👩‍👧', has)).toEqual({ text: '', kept: 'not printable' })
})

test.each([
  [null, { panel: '#4a30ee', bolt: '#ffd91f', heading: '#4a30ee' }],
  ['#ffe14d', { panel: '#ffe14d', bolt: '#171a2b', heading: '#171a2b' }],
  ['#0a7d4f', { panel: '#0a7d4f', bolt: '#ffffff', heading: '#0a7d4f' }],
  ['red; }', { panel: '#4a30ee', bolt: '#ffd91f', heading: '#4a30ee' }],
])('the colour %s is seen and readable', (colour, expected) => {
  expect(panelColours(colour, '#4a30ee')).toEqual(expected)
})
