import { describe, expect, test } from 'vitest'
import { captionLanguages, isCaptionLanguage, languageLabel } from './caption-languages.ts'
import {
  captionLimits,
  captionProblems,
  captionsBeyond,
  cueTime,
  parseCaptions,
  secondsOfCueTime,
  tidyCues,
  toWebVtt,
} from './caption-format.ts'
import { processorTime } from '../../../test/processor-time.ts'

const srt = `1
00:00:01,000 --> 00:00:04,000
Hello.

2
00:00:04,500 --> 00:00:06,250
Two lines,
this is the second.
`
const both = [
  { start: 1, end: 4, text: 'Hello.' },
  { start: 4.5, end: 6.25, text: 'Two lines,\nthis is the second.' },
]

const one = (text: string) => parseCaptions(`1\n00:00:01,000 --> 00:00:02,000\n${text}\n`)
const textOf = (text: string) => {
  const parsed = one(text)
  return 'cues' in parsed ? parsed.cues[0]?.text : parsed.problem
}

describe('read', () => {
  test('an .srt, with any line ends and a mark at its beginning', () => {
    expect(parseCaptions(srt)).toEqual({ cues: both })
    expect(parseCaptions(`\ufeff${srt.replaceAll('\n', '\r\n')}`)).toEqual({ cues: both })
    expect(parseCaptions(srt.replaceAll('\n', '\r'))).toEqual({ cues: both })
  })

  test('an .srt without numbers, without empty lines between, or with empty lines within', () => {
    expect(parseCaptions(srt.replace(/^\d\n/gm, ''))).toEqual({ cues: both })
    expect(parseCaptions(srt.replaceAll('\n\n', '\n'))).toEqual({ cues: both })
    expect(parseCaptions(srt.replace('lines,\n', 'lines,\n\n'))).toEqual({ cues: both })
    expect(parseCaptions(srt.replace('\n\n2', '\n\nAnd on.\n\n2'))).toEqual({
      cues: [{ ...both[0], text: 'Hello.\nAnd on.' }, both[1]],
    })
  })

  test('a .vtt with all that it may hold', () => {
    const vtt = `WEBVTT - Made by hand
Kind: captions

STYLE
::cue { color: red }

REGION
id:one

NOTE
00:09 is no time here

introduction
00:01.000 --> 00:04.000 align:start position:10%
<v.loud Ada>Hello.</v>

00:00:04.500 --> 00:00:06.250
Two <c.yellow>lines</c>,
this <00:05.000>is <lang en>the <i>second</i></lang>.

NOTE over
`
    expect(parseCaptions(vtt)).toEqual({ cues: both })
  })

  test('times with one digit, without thousandths, and beyond 99 hours of others', () => {
    expect(parseCaptions('0:0:1 --> 0:0:2,5\nHi')).toEqual({
      cues: [{ start: 1, end: 2.5, text: 'Hi' }],
    })
  })

  test('captions may lie over each other, and those without words are left out', () => {
    expect(
      parseCaptions('00:01 --> 00:05\nA\n\n00:02 --> 00:03\nB\n\n00:03 --> 00:04\n<b></b>\n'),
    ).toEqual({
      cues: [
        { start: 1, end: 5, text: 'A' },
        { start: 2, end: 3, text: 'B' },
      ],
    })
  })
})

test.each([
  ['<b>Bold</b> <I>and</I> <u>so</u> on', 'Bold and so on'],
  ['<font color="#ff0000">Red</font>', 'Red'],
  ['{\\an8}Above', 'Above'],
  ['<script>alert(1)</script>', '<script>alert(1)</script>'],
  ['<img src=x onerror=alert(1)>', '<img src=x onerror=alert(1)>'],
  ['Tom &amp; Jerry &lt;3 &#39;n&#x27; &nbsp;co', "Tom & Jerry <3 'n' \u00a0co"],
  ['&amp;lt;b&amp;gt;', '&lt;b&gt;'],
  ['&nothing; &#0; &#x110000; R&B', '&nothing; &#0; &#x110000; R&B'],
  ['1 < 2 > 0', '1 < 2 > 0'],
  ['A\u0007bell\u200e', 'Abell\u200e'],
  ['half \ud800 a sign', 'half \ufffd a sign'],
])('%j is the words %j', (written, words) => {
  expect(textOf(written)).toBe(words)
})

describe('refused, with the line', () => {
  test.each([
    ['', 'This file is empty.'],
    [' \n\n', 'This file is empty.'],
    ['Just words.', 'There are no captions in this file: no line has times such as'],
    ['WEBVTT\n\nNOTE nothing', 'There are no captions in this file'],
    ['\0\0\0\x20ftypisom', 'This is no captions file. Please choose an .srt or a .vtt file.'],
    [
      '1\n00:00:xx,000 --> 00:00:02,000\nHi',
      'Line 2: “00:00:xx,000 --> 00:00:02,000” are no times.',
    ],
    ['00:61:00 --> 01:00:00\nHi', 'Line 1: '],
    ['00:01 -->\nHi', 'Line 1: '],
    ['00:01 --> later\nHi', 'Line 1: '],
    ['1\n00:01 --> 00:02\nHi\n\n2\n00:03 -> 00:04\nHo', 'Line 6: “00:03 -> 00:04” should be times'],
    ['1\n00:05 --> 00:02\nHi', 'Line 2: it ends at 00:00:02.000, which is not after its start'],
    ['00:05 --> 00:05\nHi', 'Line 1: it ends at 00:00:05.000'],
    [
      '00:05 --> 00:06\nHi\n\n00:03 --> 00:04\nHo',
      'Line 4: it starts at 00:00:03.000, before the caption above it does (00:00:05.000)',
    ],
    ['25:00:00 --> 25:00:01\nHi', 'Line 1: captions can be at most 24 hours into a video.'],
    [`00:01 --> 00:02\n${'a'.repeat(1001)}`, 'Line 1: its text is longer than 1,000 characters.'],
    ['00:01 --> 00:02\n<b> </b>', 'The captions in this file have no words.'],
  ])('%#', (file, problem) => {
    const parsed = parseCaptions(file)
    expect('problem' in parsed && parsed.problem).toContain(problem)
  })

  test('more than a person can have: 1 MB, 10,000 captions', () => {
    const many = (count: number, text = 'a') =>
      Array.from({ length: count }, () => `00:01 --> 00:02\n${text}\n`).join('\n')
    expect(parseCaptions(many(10_000))).toEqual({ cues: expect.any(Array) })
    expect(parseCaptions(many(10_001))).toEqual({
      problem: 'A video can have at most 10,000 captions per language.',
    })
    const tooLarge = { problem: 'A captions file can have at most 1 MB.' }
    expect(parseCaptions('ä'.repeat(600_000))).toEqual(tooLarge)
    // Small as it is written, but not once it is safe.
    expect(parseCaptions(many(5000, '&'.repeat(150)))).toEqual(tooLarge)
  })

  test('quickly, however it is written', () => {
    const took = processorTime(() => {
      for (const piece of ['<', '&', '<b ', '{\\', '-->', '0:', '\n', '0:0:0,0-->', '<00:', '&#']) {
        parseCaptions(piece.repeat(1_000_000 / piece.length))
        one(piece.repeat(1_000_000 / piece.length - 60))
      }
    })
    expect(took).toBeLessThan(4000)
  })
})

test('times are written as they are read', () => {
  for (const seconds of [0, 0.001, 1.005, 59.999, 60, 3599.9994, 3600, 86_400]) {
    expect(secondsOfCueTime(cueTime(seconds))).toBeCloseTo(seconds, 3)
  }
  expect(cueTime(3723.5)).toBe('01:02:03.500')
  expect(cueTime(59.9996)).toBe('00:01:00.000')
  for (const text of ['', '1', '1:2:3:4', '-1:00', '1:60', 'a:b', '1:00.0000', '1e3:00'])
    expect(secondsOfCueTime(text), text).toBeNull()
})

describe('written', () => {
  test('as WebVTT that can be read again, and of which no text is markup', () => {
    const cues = [
      { start: 1, end: 2.5, text: '<script>alert("1 & 2")</script>\n00:05 --> 00:06' },
      { start: 3, end: 4, text: 'NOTE\nWEBVTT\n2\n<b>&amp;' },
    ]
    const vtt = toWebVtt(cues)
    expect(vtt).toBe(`WEBVTT

00:00:01.000 --> 00:00:02.500
&lt;script&gt;alert("1 &amp; 2")&lt;/script&gt;
00:05 --&gt; 00:06

00:00:03.000 --> 00:00:04.000
NOTE
WEBVTT
2
&lt;b&gt;&amp;amp;
`)
    expect(parseCaptions(vtt)).toEqual({ cues })
  })

  test('an empty line ends no caption', () => {
    expect(toWebVtt([{ start: 1, end: 2, text: 'A\n \n\r\n00:00 --> 00:01\nB' }])).toBe(
      'WEBVTT\n\n00:00:01.000 --> 00:00:02.000\nA\n00:00 --&gt; 00:01\nB\n',
    )
  })
})

describe('edited cues', () => {
  test('are kept to the millisecond, as plain text', () => {
    expect(tidyCues([{ start: 1.00049, end: 2.9996, text: ' A \r\n\n <b>B</b>\0 ' }])).toEqual({
      cues: [{ start: 1, end: 3, text: 'A\n<b>B</b>' }],
    })
  })

  test.each([
    [[], 'There has to be at least one caption.'],
    [[{ start: 2, end: 1, text: 'A' }], 'Caption 1: it ends at 00:00:01.000'],
    [[{ start: 1, end: 1.0001, text: 'A' }], 'Caption 1: it ends at 00:00:01.000'],
    [[both[1]!, both[0]!], 'Caption 2: it starts at 00:00:01.000, before'],
    [[{ start: 1, end: 2, text: ' \n' }], 'Caption 1: it has no text.'],
  ])('%j', (cues, problem) => {
    const tidy = tidyCues(cues)
    expect('problem' in tidy && tidy.problem).toContain(problem)
  })

  test('that begin after the video ends are worth a word', () => {
    expect(captionsBeyond(both, null)).toBeNull()
    expect(captionsBeyond(both, 5)).toBeNull()
    expect(captionsBeyond(both, 4.5)).toMatch(/^1 caption starts after the end of the video/)
    expect(captionsBeyond(both, 1)).toMatch(/^2 captions start/)
  })
})

describe('times', () => {
  test.each([
    ['1:00', 60],
    [' 59:59 ', 3599],
    ['1:02.5', 62.5],
    ['1:02,05', 62.05],
    ['00:01:02,500', 62.5],
    ['999:59:59.999', 3_599_999.999],
  ])('%j is %d seconds', (text, seconds) => {
    expect(secondsOfCueTime(text)).toBeCloseTo(seconds, 6)
  })

  test.each([
    '60:00',
    '0:60:00',
    '0:0:60',
    '1000:00:00',
    '123:00',
    '1:123',
    '1:00;5',
    '1:00.',
    'x1:00',
    '1:00x',
    ':00',
  ])('%j is none', (text) => {
    expect(secondsOfCueTime(text)).toBeNull()
  })

  test('are written with all their digits', () => {
    expect([0, 0.05, 86_400, 359_999.5, 3_599_999].map(cueTime)).toEqual([
      '00:00:00.000',
      '00:00:00.050',
      '24:00:00.000',
      '99:59:59.500',
      '999:59:59.000',
    ])
  })
})

describe('just so much may be:', () => {
  const problemOf = (result: object) => ('problem' in result ? result.problem : null)
  const cue = (start: number, end: number, length = 1) => [{ start, end, text: 'x'.repeat(length) }]

  test('a day, a thousand characters', () => {
    expect(captionLimits).toEqual({
      bytes: 1_048_576,
      cues: 10_000,
      textLength: 1000,
      seconds: 86_400,
    })
    expect(problemOf(tidyCues(cue(1, 86_400)))).toBeNull()
    expect(problemOf(tidyCues(cue(1, 86_400.001)))).toBe(
      'Caption 1: captions can be at most 24 hours into a video.',
    )
    expect(problemOf(parseCaptions('23:00:00 --> 24:00:00\nHi'))).toBeNull()
    expect(problemOf(tidyCues(cue(1, 2, 1000)))).toBeNull()
    expect(problemOf(tidyCues(cue(1, 2, 1001)))).toBe(
      'Caption 1: its text is longer than 1,000 characters.',
    )
  })

  test('two that begin together', () => {
    expect(problemOf(tidyCues([...cue(1, 3), ...cue(1, 2)]))).toBeNull()
  })

  test('10,000 captions, of a megabyte as they are written and as they are read', () => {
    const many = (count: number) => Array.from({ length: count }, () => cue(1, 2)[0]!)
    expect(problemOf(tidyCues(many(10_000)))).toBeNull()
    expect(problemOf(tidyCues(many(10_001)))).toBe(captionProblems.tooMany)
    const file = '00:01 --> 00:02\nHi'.padEnd(1_048_576, '\n')
    expect(problemOf(parseCaptions(file))).toBeNull()
    expect(problemOf(parseCaptions(`${file}\n`))).toBe(captionProblems.tooLarge)
    const full = (last: number) => [
      ...Array.from({ length: 1016 }, () => cue(1, 2, 1000)[0]!),
      ...cue(1, 2, last),
    ]
    expect(toWebVtt(full(25))).toHaveLength(1_048_576)
    expect(problemOf(tidyCues(full(25)))).toBeNull()
    expect(problemOf(tidyCues(full(26)))).toBe(captionProblems.tooLarge)
  })

  test('and whatever may not is said in words of its own', () => {
    const words = Object.values(captionProblems)
    for (const sentence of words) expect(sentence).toMatch(/^[A-Z](?:\S* ){4}.+\.$/)
    expect(new Set(words).size).toBe(5)
  })
})

describe('marks of captions', () => {
  test.each(['b', 'i', 'u', 's', 'c', 'v', 'lang', 'ruby', 'rt', 'font'])('are <%s>', (tag) => {
    for (const mark of [
      `<${tag}>`,
      `</${tag}>`,
      `<${tag.toUpperCase()}>`,
      `<${tag}.a.b>`,
      `<${tag} a="1">`,
      `<${tag}\tx>`,
    ]) {
      expect(textOf(`A${mark}B`), mark).toBe('AB')
    }
    for (const words of [
      `<${tag}x>`,
      `<${tag}-a>`,
      `< ${tag}>`,
      `<//${tag}>`,
      `<x${tag}>`,
      `<${tag} `,
      `<${tag} a<>`,
    ]) {
      expect(textOf(`A${words}B`), words).toBe(`A${words}B`)
    }
  })

  test('are moments within them', () => {
    for (const mark of [
      '<00:01.000>',
      '<000:01.000>',
      '<1:01.000>',
      '<00:00:01.000>',
      '<100:00:01.000>',
    ]) {
      expect(textOf(`A${mark}B`), mark).toBe('AB')
    }
    for (const words of [
      '<00:01>',
      '<01.000>',
      '<00:1.000>',
      '<00:001.000>',
      '<0001:01.000>',
      '<00:00:00:01.000>',
      '<00:01.00>',
      '<00:01.0000>',
      '<00:01x000>',
    ]) {
      expect(textOf(`A${words}B`), words).toBe(`A${words}B`)
    }
  })

  test('are places of other players, in .srt alone', () => {
    for (const mark of ['{\\an8}', '{\\a1}', '{\\POSX1234}']) {
      expect(textOf(`A${mark}B${mark}`), mark).toBe('AB')
      expect(parseCaptions(`WEBVTT\n\n00:01 --> 00:02\nA${mark}B`)).toEqual({
        cues: [{ start: 1, end: 2, text: `A${mark}B` }],
      })
    }
    for (const words of [
      '{an8}',
      '{\\an}',
      '{\\8}',
      '{\\abcde1}',
      '{\\an12345}',
      '{\\an8',
      '{\\an8 }',
    ]) {
      expect(textOf(`A${words}B`), words).toBe(`A${words}B`)
    }
  })

  test('are letters that are written with others', () => {
    const read = {
      '&amp;&lt;&gt;&quot;&apos;': `&<>"'`,
      '&AMP;&Lt;': '&<',
      'A&nbsp;B&lrm;C&rlm;D': 'A\u00a0B\u200eC\u200fD',
      '&#65;&#x42;&#X43;': 'ABC',
      '&#1114111;': '\u{10ffff}',
      '&#0000065;': 'A',
      '&#x00041;': 'A',
    }
    for (const [written, words] of Object.entries(read)) expect(textOf(written)).toBe(words)
    for (const words of [
      '&#1114112;',
      '&#00000065;',
      '&#x0000041;',
      '&#x0;',
      '&a;',
      '&nothing;',
      '&toolong;',
      '&#;',
      '&#x;',
      '&amp',
      '& amp;',
      '&hello;',
    ]) {
      expect(textOf(words), words).toBe(words)
    }
  })
})

describe('in a file', () => {
  const read = (file: string) => {
    const parsed = parseCaptions(file)
    return 'problem' in parsed ? parsed.problem : parsed.cues.map(({ text }) => text)
  }

  test('times with another arrow are taken for a slip, other lines for words', () => {
    for (const line of [
      '00:03 - 00:04',
      '  00:03,5->00:04',
      '100:00:03.000 => x',
      '0:3 – x',
      '00:03 — x',
      '00:03 → x',
      '00:03\t>x',
    ]) {
      expect(read(`1\n${line}\nHi`), line).toBe(
        `Line 2: “${line.trim()}” should be times such as 00:00:01.000 --> 00:00:04.000.`,
      )
    }
    for (const line of [
      'At 00:03 - now',
      '00:03 is a time',
      '1234:00 - x',
      '00 - 03',
      '00:03 x -',
      ':03 - x',
    ]) {
      expect(read(`1\n${line}\nHi`), line).toBe(captionProblems.none)
    }
  })

  test('a long line is quoted by its beginning', () => {
    expect(read(`00:01 --> ${'x'.repeat(100)}`)).toBe(
      `Line 1: “00:01 --> ${'x'.repeat(50)}” are no times. They look like 00:00:01.000 --> 00:00:04.000.`,
    )
  })

  test('what stands behind the times is no words, and times may stand close together', () => {
    expect(read('00:01-->00:02 X1:40 X2:600\nHi')).toEqual(['Hi'])
    expect(read('00:01 -->\t00:02\tline:0\nHi')).toEqual(['Hi'])
  })

  test('a .vtt says that it is one, and what is a note in it is none in an .srt', () => {
    const cue = '00:01 --> 00:02\nHi'
    for (const word of ['NOTE', 'STYLE', 'REGION', 'NOTE a', 'NOTE\ta']) {
      expect(read(`WEBVTT\n\n${word}\n${cue}`), word).toBe(captionProblems.none)
      expect(read(`${word}\n${cue}`), word).toEqual(['Hi'])
      expect(read(`WEBVTT\n\n${word.replace(/\b(?=$|\s)/, 'S')}\n${cue}`), word).toEqual(['Hi'])
    }
    for (const beginning of ['WEBVTT', 'WEBVTT a', 'WEBVTT\ta', '\ufeffWEBVTT']) {
      expect(read(`${beginning}\n\nNOTE\n${cue}`), beginning).toBe(captionProblems.none)
      expect(read(`${beginning}\r\r${cue}`), beginning).toEqual(['Hi'])
    }
    for (const beginning of ['WEBVTTX', 'webvtt', ' WEBVTT']) {
      expect(read(`${beginning}\n\nNOTE\n${cue}`), beginning).toEqual(['Hi'])
    }
    // Its first lines are its own, whatever they hold.
    expect(read(`WEBVTT\n${cue}\n\n00:03 --> 00:04\nHo`)).toEqual(['Ho'])
    expect(read(`${cue}\n\n00:03 --> 00:04\nHo`)).toEqual(['Hi', 'Ho'])
    // An empty line within a caption ends it there.
    expect(read(`WEBVTT\n\n${cue}\n\nand on\n\n00:03 --> 00:04\nHo`)).toEqual(['Hi', 'Ho'])
  })

  test('words before the first times belong to nothing, numbers between captions to none', () => {
    expect(read('A title\n\n1\n00:01 --> 00:02\nHi\n 2 \n00:03 --> 00:04\nHo')).toEqual([
      'Hi',
      'Ho',
    ])
    expect(read('00:01 --> 00:02\nHi\nwe are 2\n00:03 --> 00:04\nHo')).toEqual([
      'Hi\nwe are 2',
      'Ho',
    ])
    expect(read('00:01 --> 00:02\nHi\n\nand\non\n2\n00:03 --> 00:04\nHo')).toEqual([
      'Hi\nand\non',
      'Ho',
    ])
    expect(read('00:01 --> 00:02\n\tA\tB \n')).toEqual(['A\tB'])
  })
})

test('captions that begin after the end are told with how many they are', () => {
  const late = (count: number) =>
    captionsBeyond(
      Array.from({ length: count }, (_, at) => ({ start: 2 + at, end: 3 + at, text: 'x' })),
      2,
    )
  expect(late(0)).toBeNull()
  expect(late(1)).toBe(
    '1 caption starts after the end of the video (00:00:02.000), so nobody will see it. Are these the captions of this video?',
  )
  expect(late(1234)).toBe(
    '1,234 captions start after the end of the video (00:00:02.000), so nobody will see them. Are these the captions of this video?',
  )
})

test('a language has the tag and the name that the world gives it', () => {
  const names = new Intl.DisplayNames('en', { type: 'language', languageDisplay: 'standard' })
  const ours: Record<string, string> = {
    bn: 'Bengali',
    'zh-Hans': 'Chinese (Simplified)',
    'zh-Hant': 'Chinese (Traditional)',
  }
  for (const { tag, label } of captionLanguages) {
    expect(Intl.getCanonicalLocales(tag)).toEqual([tag])
    expect(label).toBe(ours[tag] ?? names.of(tag))
    expect([isCaptionLanguage(tag), languageLabel(tag)]).toEqual([true, label])
  }
  expect(isCaptionLanguage('xx')).toBe(false)
  expect(languageLabel('xx')).toBe('xx')
})
