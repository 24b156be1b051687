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
async function readPdf(facts?: Partial<PrintedCertificate>, logo: Buffer | null = null) {
  const drawn = await certificatePdf(certificate(facts), { logo, mark, colour: '#4a30ee' })
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
  const textOf = (font: string, shown: string) => {
    const hex = [...shown.matchAll(/<([0-9a-f]*)>/g)].map(([, part]) => part).join('')
    const glyphs = hex.match(/.{4}/g) ?? []
    return glyphs.map((glyph) => tables.get(font)![parseInt(glyph, 16)]).join('')
  }
  const lines = new Map<string, string>()
  const right: number[] = []
  for (const [, x, y, font, shown] of content.matchAll(
    /1 0 0 1 ([\d.]+) ([\d.]+) Tm\n\/(F\d+) [\d.]+ Tf\n(\[.*?\]) TJ/g,
  )) {
    lines.set(y!, (lines.get(y!) ?? '') + textOf(font!, shown!))
    right.push(Number(x))
  }
  const links = [...objects.values()]
    .filter((body) => body.includes('/Subtype /Link'))
    .map((body) =>
      body
        .match(/\/Rect \[([^\]]*)\]/)![1]!
        .split(' ')
        .map(Number)
        .map(Math.round),
    )
  return {
    text: [...lines.values()],
    file,
    pages: file.match(/\/Type \/Page\n/g)!.length,
    right,
    links,
    drawing: drawingOf(content, textOf),
  }
}

/** What is drawn, in its order: text with its place from below, its size and colour, and how far shapes go. */
function drawingOf(content: string, textOf: (font: string, shown: string) => string): string[] {
  const drawn: string[] = []
  let [colour, stroke, size, at, font] = ['', '', '', '', '']
  let path: [number, number][] = []
  const hex = (parts: string[]) =>
    `#${parts
      .map((part) =>
        Math.round(Number(part) * 255)
          .toString(16)
          .padStart(2, '0'),
      )
      .join('')}`
  const places = () => {
    const ends = [0, 1].flatMap((axis) => {
      const along = path.map((point) => point[axis]!)
      return [Math.min(...along), Math.max(...along)].map((one) => Math.round(one * 10) / 10)
    })
    const [left, right, top, bottom] = ends
    const many = path.length
    path = []
    return `${many} points, ${left} to ${right} x ${top} to ${bottom}`
  }
  for (const line of content.split('\n')) {
    const parts = line.split(' ')
    const name = parts.pop()
    if (name === 'scn') colour = hex(parts)
    else if (name === 'SCN') stroke = hex(parts)
    else if (name === 'm' || name === 'l') path.push([Number(parts[0]), Number(parts[1])])
    else if (name === 'c') path.push([Number(parts[4]), Number(parts[5])])
    else if (name === 're') {
      const [x = 0, y = 0, width = 0, height = 0] = parts.map(Number)
      path.push([x, y], [x + width, y + height])
    } else if (name === 'f') drawn.push(`${colour} shape of ${places()}`)
    else if (name === 'S') drawn.push(`${stroke} line of ${places()}`)
    else if (name === 'cm' && parts[1] === '0' && parts[3] !== '-1') {
      drawn.push(`moved by ${parts[4]},${parts[5]}, ${parts[0]} times as large`)
    } else if (name === 'Do') drawn.push('a picture')
    else if (name === 'Tm') at = `${parts[4]},${parts[5]}`
    else if (name === 'Tf') [font, size] = [parts[0]!.slice(1), parts[1]!]
    else if (name === 'TJ') drawn.push(`${colour} ${size} at ${at}: ${textOf(font, line)}`)
  }
  return drawn
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

describe('is drawn', () => {
  test('on the panel and the ground of the product', async () => {
    const { drawing, links } = await readPdf()
    expect(drawing).toMatchInlineSnapshot(`
      [
        "#4a30ee shape of 4 points, 606 to 841.9 x 0 to 595.3",
        "moved by 654,110, 1 times as large",
        "moved by 0,0, 9 times as large",
        "#ffd91f shape of 8 points, 4.2 to 19.8 x 0 to 24",
        "#ffffff shape of 9 points, 697.9 to 801.9 x 447.3 to 551.3",
        "#000000 shape of 1396 points, 705.1 to 794.7 x 454.5 to 544.1",
        "moved by 56,76, 28 times as large",
        "a picture",
        "#171a2b 21 at 93,525.75: Thunder",
        "#4a30ee 17 at 56,463.13: Certificate of completion",
        "#555a70 13 at 56,427.21: This certifies that",
        "#171a2b 46 at 56,377.7: Ada Lovelace",
        "#555a70 13 at 56,342.77: completed every lesson of",
        "#171a2b 27 at 56,309.93: Knots",
        "#555a70 13 at 56,285.37: A course by Ina Structor",
        "#b9bccb line of 2 points, 56 to 216 x 500 to 500",
        "#171a2b 13 at 56,100.93: November 21, 2026",
        "#555a70 9 at 56,80.73: Completed on",
        "#b9bccb line of 2 points, 246 to 546 x 500 to 500",
        "#171a2b 13 at 246,100.93: Ina Structor",
        "#555a70 9 at 246,80.73: For the course, on Thunder",
        "#555a70 8.5 at 56,57.205: Anybody can check at this address whether it is valid:",
        "#555a70 8.5 at 56,45.205: http://localhost:3000/certificates/0198f0a2-7b1c-7e2d-9d41-3a5b6c7d8e9f",
      ]
    `)
    expect(links).toMatchInlineSnapshot(`
      [
        [
          698,
          44,
          802,
          148,
        ],
        [
          56,
          42,
          355,
          54,
        ],
      ]
    `)
  })

  test('with the logo, the colour and the words of a course', async () => {
    const look = {
      colour: '#ffe14d',
      logoUrl: null,
      heading: 'Diploma of the harbour school, for those who know every knot there is',
      words: 'With all the knots that hold, and with those that come undone by themselves. '.repeat(
        3,
      ),
      signatory: 'The Harbour School of Knots, Ropes and Everything that is Tied',
    }
    const { drawing } = await readPdf({ look, learnerName: 'Юлия Щербакова' }, mark)
    expect(drawing.slice(2)).toMatchInlineSnapshot(`
      [
        "moved by 0,0, 9 times as large",
        "#171a2b shape of 8 points, 4.2 to 19.8 x 0 to 24",
        "#ffffff shape of 9 points, 697.9 to 801.9 x 447.3 to 551.3",
        "#000000 shape of 1396 points, 705.1 to 794.7 x 454.5 to 544.1",
        "moved by 56,88, 46 times as large",
        "a picture",
        "#171a2b 17 at 56,463.13: Diploma of the harbour school, for those who know every knot",
        "#171a2b 17 at 56,443.41: there is",
        "#555a70 13 at 56,407.49: This certifies that",
        "#171a2b 46 at 56,357.98: Yuliya Shcherbakova",
        "#555a70 13 at 56,323.05: completed every lesson of",
        "#171a2b 27 at 56,290.21: Knots",
        "#555a70 13 at 56,265.65: A course by Ina Structor",
        "#171a2b 12 at 56,241.52: With all the knots that hold, and with those that come undone by themselves. With all the",
        "#171a2b 12 at 56,227.6: knots that hold, and with those that come undone by themselves. With all the knots that",
        "#171a2b 12 at 56,213.68: hold, and with those that come undone by themselves.",
        "#b9bccb line of 2 points, 56 to 216 x 500 to 500",
        "#171a2b 13 at 56,100.93: November 21, 2026",
        "#555a70 9 at 56,80.73: Completed on",
        "#b9bccb line of 2 points, 246 to 546 x 500 to 500",
        "#171a2b 9 at 246,100.73: The Harbour School of Knots, Ropes and Everything that is Tied",
        "#555a70 9 at 246,80.73: For the course, on Thunder",
        "#555a70 8.5 at 56,57.205: Anybody can check at this address whether it is valid:",
        "#555a70 8.5 at 56,45.205: http://localhost:3000/certificates/0198f0a2-7b1c-7e2d-9d41-3a5b6c7d8e9f",
        "#555a70 8.5 at 56,33.205: It is printed in Latin letters: it stands in its own at that address.",
      ]
    `)
  })

  test('as large as there is room for', async () => {
    const sizes = async (facts: Partial<PrintedCertificate>) =>
      (await readPdf(facts)).drawing
        .filter((one) => / at /.test(one))
        .slice(1, -4)
        .map((one) => one.slice(8))
    const words = (count: number) => Array.from({ length: count }, (_, at) => `word${at}`).join(' ')
    expect(await sizes({ learnerName: words(8), courseTitle: words(30) })).toMatchInlineSnapshot(`
      [
        "17 at 56,463.13: Certificate of completion",
        "13 at 56,427.21: This certifies that",
        "34 at 56,388.86: word0 word1 word2 word3",
        "34 at 56,349.42: word4 word5 word6 word7",
        "13 at 56,317.25: completed every lesson of",
        "12 at 56,298.36: word0 word1 word2 word3 word4 word5 word6 word7 word8 word9 word10 word11",
        "12 at 56,284.44: word12 word13 word14 word15 word16 word17 word18 word19 word20 word21 word22",
        "12 at 56,270.52: word23 word24 word25 word26 word27 word28 word29",
        "13 at 56,249.41: A course by Ina Structor",
        "13 at 56,100.93: November 21, 2026",
        "9 at 56,80.73: Completed on",
      ]
    `)
    expect(
      await sizes({
        learnerName: words(12),
        courseTitle: words(60),
        creatorName: words(20),
        look: { ...certificate().look, heading: words(20), words: words(90) },
      }),
    ).toMatchInlineSnapshot(`
      [
        "14 at 56,465.98: word0 word1 word2 word3 word4 word5 word6 word7 word8 word9 word10",
        "14 at 56,449.74: word11 word12 word13 word14 word15 word16 word17 word18 word19",
        "13 at 56,414.45: This certifies that",
        "23 at 56,386.33: word0 word1 word2 word3 word4 word5",
        "23 at 56,359.65: word6 word7 word8 word9 word10 word11",
        "13 at 56,330.01: completed every lesson of",
        "12 at 56,311.12: word0 word1 word2 word3 word4 word5 word6 word7 word8 word9 word10 word11",
        "12 at 56,297.2: word12 word13 word14 word15 word16 word17 word18 word19 word20 word21 word22",
        "12 at 56,283.28: word23 word24 word25 word26 word27 word28 word29 word30 word31 word32 wor…",
        "13 at 56,262.17: A course by word0 word1 word2 word3 word4 word5 word6 word7 word8 word9",
        "13 at 56,247.09: word10 word11 word12 word13 word14 word15 word16 word17 word18 word19",
        "10 at 56,224.86: word0 word1 word2 word3 word4 word5 word6 word7 word8 word9 word10 word11 word12 word13 word14",
        "10 at 56,213.26: word15 word16 word17 word18 word19 word20 word21 word22 word23 word24 word25 word26 word27",
        "10 at 56,201.66: word28 word29 word30 word31 word32 word33 word34 word35 word36 word37 word38 word39 word40",
        "10 at 56,190.06: word41 word42 word43 word44 word45 word46 word47 word48 word49 word50 word51 word52 word53 wo…",
        "13 at 56,100.93: November 21, 2026",
        "9 at 56,80.73: Completed on",
      ]
    `)
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
