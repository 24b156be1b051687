// The format of course files: how its parts are named, what may be in course.json, and what a ZIP has to hold.
import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { checkCourse, partsOf, understandCourse } from './check-course-file.ts'
import {
  captionsEntry,
  captionsIn,
  type CourseFile,
  isCaptionsEntry,
  isMediaEntry,
  mediaEntry,
  mediaOf,
} from './course-file.ts'
import { titleOfCopy } from './duplicate-course.ts'
import { checkCaptions } from './unpack-captions.ts'
import { type ArchivedFile, checkExtras, checkMedia } from './unpack-media.ts'

const mb = 1024 * 1024
const long = (length: number) => 'x'.repeat(length)
const text = {
  type: 'doc',
  content: [{ type: 'paragraph', content: [{ type: 'text', text: 'Words.' }] }],
}

const video = (more: object = {}) => ({
  file: 'media/1-a.mp4',
  filename: 'A.mp4',
  captions: [{ language: 'en', file: 'captions/1.en.vtt' }],
  ...more,
})
const lesson = (more: object = {}) => ({
  title: 'A lesson',
  content: text,
  durationMinutes: null,
  video: null,
  videoUrl: null,
  isPreview: false,
  links: [],
  ...more,
})
const course = (more: object = {}, lessons: object[] = [lesson()]) => ({
  format: 'thunder-course',
  version: 2,
  title: 'A course',
  shortDescription: '',
  description: text,
  category: 'Tech',
  level: 'Beginner',
  pricing: { type: 'free', amount: 0, currency: 'usd' },
  application: { required: false, instructions: '', questions: [] },
  thumbnail: null,
  chapters: [{ title: 'A chapter', lessons }],
  ...more,
})

const refusalOf = (work: () => unknown) => {
  try {
    work()
  } catch (error) {
    return (error as Error).message
  }
  return null
}

describe('a name', () => {
  test('of a file is one that no system has trouble with', () => {
    const good = ['media/0-a', 'media/1-a.mp4', 'media/9999-0.b-c', `media/1-${long(80)}`]
    expect(good.filter(isMediaEntry)).toEqual(good)
    const bad = [
      'media/01-a',
      'media/10000-a',
      'media/-a',
      'media/1-',
      'media/1-.a',
      'media/1-A',
      'media/1-a..b',
      'media/1-a.',
      'media/1-a/b',
      `media/1-${long(81)}`,
      'xmedia/1-a',
      'media/1-a\n',
      '',
    ]
    expect(bad.filter(isMediaEntry)).toEqual([])
  })

  test('of captions says of which video and in which language', () => {
    expect(captionsEntry(7, 'pt-BR')).toBe('captions/7.pt-BR.vtt')
    const good = ['captions/1.en.vtt', 'captions/9999.pt-BR.vtt', `captions/1.${long(20)}.vtt`]
    expect(good.filter(isCaptionsEntry)).toEqual(good)
    const bad = [
      'captions/0.en.vtt',
      'captions/10000.en.vtt',
      'captions/1.e.vtt',
      `captions/1.${long(21)}.vtt`,
      'captions/1.e_n.vtt',
      'captions/1.en.srt',
      'captions/1.enxvtt',
      'xcaptions/1.en.vtt',
      'captions/1.en.vttx',
    ]
    expect(bad.filter(isCaptionsEntry)).toEqual([])
  })

  test.each([
    ['Mischen & Kneten (1).mp4', 'media/1-mischen-kneten-1-.mp4'],
    ['..', 'media/1-file'],
    ['.hidden...mp4', 'media/1-hidden.mp4'],
    ['-a-', 'media/1-a'],
    [' .a. ', 'media/1-a'],
    ['パン.mp4', 'media/1-mp4'],
    [`${long(90)}.mp4`, `media/1-${long(76)}.mp4`],
  ])('%s is kept as far as it can be', (filename, entry) => {
    expect(mediaEntry(1, filename)).toBe(entry)
    expect(isMediaEntry(entry)).toBe(true)
  })

  test('of a copy says what it is of, and is no longer than a title', () => {
    expect(titleOfCopy('Knots')).toBe('Copy of Knots')
    expect(titleOfCopy(long(112))).toBe(`Copy of ${long(112)}`)
    expect(titleOfCopy(long(113))).toBe(`Copy of ${long(111)}…`)
    expect(titleOfCopy(`${long(110)} ${long(10)}`)).toBe(`Copy of ${long(110)}…`)
    expect(titleOfCopy(`${long(110)}\u{1f600}${long(10)}`)).toBe(`Copy of ${long(110)}…`)
  })
})

describe('course.json', () => {
  test('is understood as it is', () => {
    const whole = course(
      {
        thumbnail: 'media/0-thumbnail.webp',
        application: {
          required: true,
          instructions: 'Why?',
          questions: [{ question: 'Who?', required: true }],
        },
        pricing: { type: 'monthly', amount: 900, currency: 'usd' },
      },
      [lesson({ video: video() }), lesson({ videoUrl: 'https://vimeo.com/1', isPreview: true })],
    )
    expect(understandCourse(whole)).toEqual(whole)
  })

  test('of version 1 knows less, and is understood as one of today', () => {
    const { videoUrl: _url, isPreview: _preview, ...first } = lesson()
    const { captions: _captions, ...file } = video()
    const understood = understandCourse(course({ version: 1 }, [{ ...first, video: file }, first]))
    expect(understood).toEqual(course({}, [lesson({ video: { ...file, captions: [] } }), lesson()]))
    const newer = () => understandCourse(course({ version: 1 }))
    expect(refusalOf(newer)).toContain('There is no “videoUrl” in this version of the format')
  })

  test.each([
    [{ format: 'another' }, 'This ZIP holds no course of a Thunder.'],
    [{ version: 0 }, 'This ZIP holds no course of a Thunder.'],
    [{ version: 1.5 }, 'This ZIP holds no course of a Thunder.'],
    [{ version: 3 }, 'This file was made by a newer version of Thunder.'],
    [{ [long(90)]: 1 }, `There is no “${long(80)}” in this version of the format`],
    [{ thumbnail: 'thumbnail.webp' }, 'A file of a course must lie in the folder media'],
    [{ pricing: { type: 'free', amount: -1, currency: 'usd' } }, 'course.json does not fit. '],
    [{ pricing: { type: 'free', amount: 0, currency: 'eur' } }, 'course.json does not fit. '],
    [{ chapters: [{ title: 7, lessons: [] }] }, 'course.json does not fit. Chapter 1: '],
  ])('is refused with %o', (change, sentence) => {
    expect(refusalOf(() => understandCourse(course(change)))).toContain(sentence)
  })

  test.each([
    [{ title: null }, 'Chapter 1, lesson 2: '],
    [{ video: video({ filename: ' \u0007 ' }) }, 'Chapter 1, lesson 2: A video needs a filename'],
    [
      { video: video({ filename: long(256) }) },
      'Chapter 1, lesson 2: A filename can have at most 255 characters',
    ],
    [
      { video: video({ captions: [{ language: 'xx-none', file: 'captions/1.en.vtt' }] }) },
      'There are captions in a language that is not known',
    ],
    [
      { video: video({ captions: [{ language: 'en', file: 'media/1-a.vtt' }] }) },
      'A file of captions must lie in the folder captions',
    ],
  ])('is refused with a lesson of %o', (change, sentence) => {
    const wrong = course({}, [lesson(), lesson(change)])
    expect(refusalOf(() => understandCourse(wrong))).toContain(sentence)
  })

  test('of nothing is no course', () => {
    for (const nothing of [null, 7, 'course', [], {}]) {
      expect(refusalOf(() => understandCourse(nothing))).toBe(
        'This ZIP holds no course of a Thunder.',
      )
    }
  })

  test('has its files and captions each once, in their order', () => {
    const second = video({ file: 'media/2-b.mp4', filename: 'B.mp4', captions: [] })
    const german = { language: 'de', file: 'captions/1.de.vtt' }
    const read = understandCourse(
      course({ thumbnail: 'media/0-t.webp' }, [
        lesson({ video: video({ captions: [german, ...video().captions] }) }),
        lesson({ video: second }),
        lesson({ video: video() }),
        lesson(),
      ]),
    )
    expect(mediaOf(read)).toEqual([
      { entry: 'media/0-t.webp', isVideo: false, filename: 'thumbnail.webp' },
      { entry: 'media/1-a.mp4', isVideo: true, filename: 'A.mp4' },
      { entry: 'media/2-b.mp4', isVideo: true, filename: 'B.mp4' },
    ])
    expect(captionsIn(read)).toEqual([
      { entry: 'captions/1.de.vtt', video: 'media/1-a.mp4', language: 'de' },
      { entry: 'captions/1.en.vtt', video: 'media/1-a.mp4', language: 'en' },
    ])
  })
})

describe('a course that is made of it', () => {
  const idOf = (entry: string) => `id of ${entry}`
  const read = (more: object = {}, lessons?: object[]) =>
    understandCourse(course(more, lessons)) as CourseFile

  test('has what the form and the editor would send', () => {
    const parts = partsOf(
      read(
        {
          thumbnail: 'media/0-t.webp',
          application: {
            required: true,
            instructions: 'Why?',
            questions: [{ question: 'Who?', required: true }],
          },
        },
        [lesson({ video: video() }), lesson()],
      ),
      idOf,
    )
    expect(parts.form).toEqual({
      title: 'A course',
      shortDescription: '',
      description: text,
      category: 'Tech',
      level: 'Beginner',
      thumbnailId: 'id of media/0-t.webp',
      pricingType: 'free',
      priceAmount: 0,
      applicationRequired: true,
      applicationInstructions: 'Why?',
      applicationQuestions: [{ question: 'Who?', required: true }],
    })
    const { video: _video, ...rest } = lesson()
    expect(parts.chapters).toEqual([
      {
        title: 'A chapter',
        lessons: [
          { ...rest, videoId: 'id of media/1-a.mp4' },
          { ...rest, videoId: null },
        ],
      },
    ])
    expect(partsOf(read(), idOf).form).toMatchObject({
      thumbnailId: null,
      applicationQuestions: undefined,
    })
  })

  test('follows the rules of the form and of the editor', () => {
    const check = (more: object, lessons?: object[]) =>
      refusalOf(() => checkCourse(read(more, lessons), () => null))
    expect(check({})).toBeNull()
    expect(check({ chapters: [] })).toBeNull()
    // It becomes a draft, which may have chapters without lessons.
    expect(check({}, [])).toBeNull()
    expect(check({ title: '' })).toBe('course.json does not fit. Course title is required')
    const questions = [{ question: long(5000), required: true }]
    expect(check({ application: { required: true, instructions: '', questions } })).toBe(
      'course.json does not fit. A question can have at most 300 characters',
    )
    expect(check({}, [lesson({ video: video() })])).toBeNull()
    const both = lesson({ video: video(), videoUrl: 'https://vimeo.com/1' })
    expect(refusalOf(() => checkCourse(read({}, [both]), () => randomUUID()))).toBe(
      'course.json does not fit. “A lesson” has an uploaded video and a link to one. Please keep one of them.',
    )
    expect(check({}, [lesson({ title: long(500) })])).toMatch(
      /^course\.json does not fit\. Chapter 1, lesson 1: .* at most /,
    )
  })
})

describe('a ZIP', () => {
  const file = (more: Partial<ArchivedFile> = {}): ArchivedFile => ({
    id: 'x',
    entry: 'media/1-a.mp4',
    isVideo: true,
    filename: 'A.mp4',
    ...more,
  })
  const picture = file({ entry: 'media/0-t.webp', isVideo: false, filename: 'thumbnail.webp' })
  const checked = (one: ArchivedFile, size?: number) =>
    refusalOf(() => checkMedia([one], new Map(size === undefined ? [] : [[one.entry, size]]), 1200))

  test('holds every file of its course, neither empty nor too large', () => {
    expect(checked(file())).toBe('This ZIP lacks “media/1-a.mp4”.')
    expect(checked(file(), 0)).toBe('“media/1-a.mp4” is empty.')
    expect(checked(file(), 1)).toBeNull()
    expect(checked(file(), 1200 * mb)).toBeNull()
    expect(checked(file(), 1200 * mb + 1)).toBe(
      '“A.mp4” is too large. A video can have at most 1,200 MB here.',
    )
    expect(checked(picture, 10 * mb)).toBeNull()
    expect(checked(picture, 10 * mb + 1)).toBe(
      '“thumbnail.webp” is too large. The picture of a course can have at most 10 MB here.',
    )
  })

  test('holds nothing else', () => {
    const sizes = new Map([
      ['media/1-a.mp4', 1],
      ['media/2-b.mp4', 1],
    ])
    expect(refusalOf(() => checkExtras([file()], sizes))).toBe(
      'This ZIP holds “media/2-b.mp4”, which the course does not show.',
    )
    const both = [file(), file({ entry: 'media/2-b.mp4' })]
    expect(refusalOf(() => checkExtras(both, sizes))).toBeNull()
  })

  test('holds captions that fit', () => {
    const entries = Array.from({ length: 200 }, (_, at) => `captions/${at + 1}.en.vtt`)
    const captions = entries.map((entry) => ({ entry, video: 'media/1-a.mp4', language: 'en' }))
    const check = (count: number, size: number) =>
      refusalOf(() =>
        checkCaptions(
          captions.slice(0, count),
          new Map(entries.slice(0, count).map((entry) => [entry, size])),
        ),
      )
    expect(check(1, 0)).toBeNull()
    expect(refusalOf(() => checkCaptions(captions.slice(0, 1), new Map()))).toBe(
      'This ZIP lacks “captions/1.en.vtt”.',
    )
    expect(check(64, mb)).toBeNull()
    expect(check(65, mb)).toBe('The captions of a course can have at most 64 MB together.')
    expect(check(1, 3 * mb)).toMatch(/^“captions\/1\.en\.vtt”: /)
  })
})
