// Whatever else somebody may call a course file: refused with a sentence, without a trace.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { courseJson, film, lesson, movie, small, withVideo } from '../../../test/course-files.ts'
import {
  type Caller,
  imported,
  jobsAreDone,
  openUpload,
  someone,
  storedFiles,
  uploadZip,
} from '../../../test/course-transfers.ts'
import { watchStalls } from '../../../test/attacks/stalls.ts'
import { zipByHand } from '../../../test/zip-by-hand.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ VIDEO_MAX_MB: '2', IMPORT_MAX_MB: '20' })
})
afterAll(() => app?.stop())

const english = { language: 'en', file: 'captions/1.en.vtt' }
const withCaptions = (data: string | Buffer, captions: object[] = [english]) =>
  zipByHand([
    courseJson(withVideo('media/1-a.mp4', captions)),
    movie,
    { name: 'captions/1.en.vtt', data },
  ])

describe('refused with a sentence, and nothing stays behind:', () => {
  let person: Caller
  beforeAll(async () => {
    person = await someone(app)
  })

  const cases: [what: string, zip: () => Buffer, sentence: RegExp][] = [
    [
      'nothing but the beginning of a ZIP',
      () => Buffer.from('PK\x03\x04 and so on', 'latin1'),
      /^This is no course file, or it is incomplete\./,
    ],
    [
      'a ZIP that was cut off',
      () => zipByHand([courseJson(withVideo()), movie]).subarray(0, -30),
      /^This is no course file, or it is incomplete\./,
    ],
    ['a ZIP of something else', () => zipByHand([movie]), /^This is no course file/],
    ...[
      '../evil.mp4',
      'media/../../evil.mp4',
      '/etc/passwd',
      'media\\1-a.mp4',
      'C:/evil.mp4',
      'media/1-a/../../x.mp4',
      'media/1-a..mp4',
      'media/',
      'Media/1-a.mp4',
      'media/1-a.mp4\0.txt',
      'media/1-ä.mp4',
      'course.json/',
      '',
    ].map((name): (typeof cases)[number] => [
      `an entry called ${JSON.stringify(name)}`,
      () => zipByHand([courseJson(small), { name, data: film }]),
      /which does not belong into a course file\.$/,
    ]),
    [
      'a link to a file of the server',
      () =>
        zipByHand([
          courseJson(withVideo()),
          { name: 'media/1-a.mp4', data: '/etc/passwd', mode: 0o120777 },
        ]),
      /^“media\/1-a.mp4” is not a plain file\.$/,
    ],
    [
      'an entry that is there twice',
      () => zipByHand([courseJson(withVideo()), movie, movie]),
      /holds “media\/1-a.mp4” twice\.$/,
    ],
    [
      'a ZIP with a password',
      () =>
        zipByHand([
          courseJson(withVideo()),
          { ...movie, flags: 1, says: { size: film.length - 12 } },
        ]),
      /^This file is locked with a password\./,
    ],
    [
      'a way to pack that is not known',
      () => zipByHand([courseJson(withVideo()), { ...movie, method: 12 }]),
      /is packed in a way that is not understood\.$/,
    ],
    [
      'what unpacks to 100 GB',
      () =>
        zipByHand([
          courseJson(withVideo()),
          {
            name: 'media/1-a.mp4',
            data: Buffer.alloc(9),
            method: 8,
            says: { size: 100 * 1024 ** 3 },
          },
        ]),
      /^This course file unpacks to more than 20 MB/,
    ],
    [
      'what unpacks to more than it says',
      () =>
        zipByHand([
          courseJson(withVideo()),
          {
            name: 'media/1-a.mp4',
            data: Buffer.alloc(50_000_000),
            method: 8,
            says: { size: 1000 },
          },
        ]),
      /^This course file is damaged\./,
    ],
    [
      'a course.json that unpacks to more than it says',
      () =>
        zipByHand([
          { ...courseJson(small), data: ' '.repeat(50_000_000), method: 8, says: { size: 10 } },
        ]),
      /^This course file is damaged\./,
    ],
    [
      'many files that are small only by themselves',
      () => {
        const names = Array.from({ length: 20 }, (_, index) => `media/${index + 1}-a.mp4`)
        const zeros = Buffer.alloc(1_200_000)
        return zipByHand([
          courseJson(small),
          ...names.map((name) => ({ name, data: zeros, method: 8 })),
        ])
      },
      /^This course file unpacks to more than 20 MB/,
    ],
    [
      'more files than a course can have',
      () =>
        zipByHand([
          courseJson(small),
          ...Array.from({ length: 10_001 }, (_, index) => ({ name: `media/${index}-a.mp4` })),
        ]),
      /^This file holds more than 10,001 files/,
    ],
    [
      'other bytes than were packed',
      () => zipByHand([courseJson(withVideo()), { ...movie, says: { crc: 7 } }]),
      /^This course file is damaged\./,
    ],
    [
      'bytes that cannot be unpacked',
      () =>
        zipByHand([
          courseJson(withVideo()),
          { name: 'media/1-a.mp4', data: film, method: 8, says: { packedSize: 1000 } },
        ]),
      /^This course file is damaged\.|^This is no course file/,
    ],
    [
      'captions with broken times',
      () => withCaptions('WEBVTT\n\n00:01.000 --> soon\nHi'),
      /^“captions\/1\.en\.vtt”: Line 3: “00:01\.000 --> soon” are no times/,
    ],
    [
      'captions that are no text',
      () => withCaptions(Buffer.from([0xff, 0xfe, 0x80])),
      /^“captions\/1\.en\.vtt”: This is no captions file/,
    ],
    [
      'captions with a letter that is none',
      () => withCaptions(Buffer.from('WEBVTT\n\n00:00.000 --> 00:01.000\nHi \xff', 'latin1')),
      /^“captions\/1\.en\.vtt”: This is no captions file/,
    ],
    [
      'captions of more than 1 MB',
      () => withCaptions('a'.repeat(1024 * 1024 + 1)),
      /^“captions\/1\.en\.vtt”: A captions file can have at most 1 MB/,
    ],
    [
      'captions that are not there',
      () => zipByHand([courseJson(withVideo('media/1-a.mp4', [english])), movie]),
      /^This ZIP lacks “captions\/1\.en\.vtt”/,
    ],
    [
      'captions that no video has',
      () => withCaptions('WEBVTT', []),
      /^This ZIP holds “captions\/1\.en\.vtt”, which the course does not show/,
    ],
    [
      'captions in no language',
      () => withCaptions('WEBVTT', [{ language: 'xx', file: 'captions/1.en.vtt' }]),
      /Chapter 1, lesson 1: There are captions in a language that is not known$/,
    ],
    [
      'a link to a video that is none',
      () =>
        zipByHand([
          courseJson({
            ...small,
            chapters: [
              { title: 'Chapter', lessons: [{ ...lesson, videoUrl: 'javascript:alert(1)' }] },
            ],
          }),
        ]),
      /Chapter 1, lesson 1: Video address must be a web address/,
    ],
    [
      'what a version of before did not have',
      () => zipByHand([courseJson({ ...small, version: 1 })]),
      /There is no “videoUrl” in this version of the format$/,
    ],
    [
      'a newer version',
      () => zipByHand([courseJson({ ...small, version: 3, chapters: 'elsewhere' })]),
      /^This file was made by a newer version of Thunder\./,
    ],
    ['another format', () => zipByHand([courseJson({ hello: 1 })]), /^This ZIP holds no course/],
    [
      'no JSON',
      () => zipByHand([{ name: 'course.json', data: '{"format": ' }]),
      /^course\.json in this file is not readable\.$/,
    ],
    [
      'no UTF-8',
      () => zipByHand([{ name: 'course.json', data: Buffer.from([0x7b, 0xff, 0xfe]) }]),
      /^course\.json in this file is not readable\.$/,
    ],
    [
      'JSON a million levels deep',
      () => zipByHand([{ name: 'course.json', data: '['.repeat(1_000_000), method: 8 }]),
      /^course\.json in this file is not readable\.$/,
    ],
    [
      'a field that nobody knows',
      () => zipByHand([courseJson({ ...small, students: 5 })]),
      /There is no “students” in this version of the format$/,
    ],
    [
      'a field that is missing',
      () => zipByHand([courseJson({ ...small, title: undefined })]),
      /^course\.json does not fit\. title is missing$/,
    ],
    [
      'a field of another kind',
      () => zipByHand([courseJson({ ...small, chapters: 'many' })]),
      /^course\.json does not fit\. chapters must be a list$/,
    ],
    [
      'a title that is too long',
      () => zipByHand([courseJson({ ...small, title: 'x'.repeat(121) })]),
      /Course title can have at most 120 characters$/,
    ],
    [
      'a category that there is not',
      () => zipByHand([courseJson({ ...small, category: 'Alchemy' })]),
      /Please choose a category$/,
    ],
    [
      'a price of a cent',
      () =>
        zipByHand([
          courseJson({ ...small, pricing: { type: 'one_time', amount: 1, currency: 'usd' } }),
        ]),
      /Price must be at least \$1$/,
    ],
    [
      '101 chapters',
      () =>
        zipByHand([
          courseJson({ ...small, chapters: Array.from({ length: 101 }, () => small.chapters[0]) }),
        ]),
      /A course can have at most 100 chapters$/,
    ],
    [
      '1,001 lessons',
      () =>
        zipByHand([
          courseJson({
            ...small,
            chapters: [{ title: 'x', lessons: Array.from({ length: 1001 }, () => lesson) }],
          }),
        ]),
      /A course can have at most 1,000 lessons$/,
    ],
    [
      '21 links of a lesson',
      () => {
        const links = Array.from({ length: 21 }, () => ({ title: 'x', url: '', description: '' }))
        return zipByHand([
          courseJson({ ...small, chapters: [{ title: 'x', lessons: [{ ...lesson, links }] }] }),
        ])
      },
      /A lesson can have at most 20 links$/,
    ],
    [
      '21 questions for applicants',
      () => {
        const questions = Array.from({ length: 21 }, () => ({ question: 'Why?', required: true }))
        return zipByHand([
          courseJson({ ...small, application: { ...small.application, questions } }),
        ])
      },
      /There can be at most 20 application questions$/,
    ],
    [
      'a lesson with a script',
      () =>
        zipByHand([
          courseJson({
            ...small,
            chapters: [
              small.chapters[0],
              {
                title: 'x',
                lessons: [
                  lesson,
                  { ...lesson, content: { type: 'doc', content: [{ type: 'script' }] } },
                ],
              },
            ],
          }),
        ]),
      /^course\.json does not fit\. Chapter 2, lesson 2: Lesson text has a part that is not allowed$/,
    ],
    [
      'a link that runs a script',
      () =>
        zipByHand([
          courseJson({
            ...small,
            chapters: [
              {
                title: 'x',
                lessons: [
                  {
                    ...lesson,
                    links: [{ title: 'x', url: 'javascript:alert(1)', description: '' }],
                  },
                ],
              },
            ],
          }),
        ]),
      /needs a web or mail address/,
    ],
    [
      'a reference out of the folder',
      () => zipByHand([courseJson(withVideo('media/../../../etc/passwd'))]),
      /Chapter 1, lesson 1: A file of a course must lie in the folder media$/,
    ],
    [
      'a video that is not there',
      () => zipByHand([courseJson(withVideo())]),
      /^This ZIP lacks “media\/1-a/,
    ],
    [
      'a file that the course does not show',
      () => zipByHand([courseJson(small), movie]),
      /which the course does not show\.$/,
    ],
    [
      'a video over the limit of this Thunder',
      () =>
        zipByHand([
          courseJson(withVideo()),
          { ...movie, data: Buffer.concat([film, Buffer.alloc(2_200_000)]) },
        ]),
      /^“a\.mp4” is too large\. A video can have at most 2 MB here\.$/,
    ],
    [
      'a video that is none',
      () => zipByHand([courseJson(withVideo()), { ...movie, data: '<script>alert(1)</script>' }]),
      /^“a\.mp4”: Please upload a valid video file/,
    ],
    [
      'a picture that is none',
      () =>
        zipByHand([
          courseJson({ ...small, thumbnail: 'media/0-thumbnail.webp' }),
          { name: 'media/0-thumbnail.webp', data: '<svg xmlns="http://www.w3.org/2000/svg"/>' },
        ]),
      /^“thumbnail\.webp”: /,
    ],
    [
      'a good video before a bad picture',
      () =>
        zipByHand([
          courseJson({ ...withVideo(), thumbnail: 'media/0-thumbnail.webp' }),
          movie,
          { name: 'media/0-thumbnail.webp', data: film },
        ]),
      /^“thumbnail\.webp”: /,
    ],
  ]

  test.each(cases)('%s', async (_what, zip, sentence) => {
    const before = await storedFiles(app)
    const outcome = await imported(app, person, zip())
    expect(outcome).toMatchObject({ status: 'failed', course: null, canRetry: false })
    expect(outcome.problem).toMatch(sentence)
    expect(outcome.problem.length).toBeLessThan(300)
    await jobsAreDone(app)
    expect(await storedFiles(app)).toEqual(before)
    const { rows } = await app.services.pool.query(
      `select id from courses where instructor_id = $1
        union all select id from media_files where owner_id = $1`,
      [person.id],
    )
    expect(rows).toEqual([])
  })

  const many = Buffer.from(
    `${JSON.stringify({ ...small, chapters: [] }).slice(0, -2)}{"title":"a","lessons":[${'{"title":"a"},'.repeat(400_000)}{}]}]}`,
  )
  test.each([
    [
      '400,000 lessons',
      many,
      /^course\.json does not fit\. A course can have at most 1,000 lessons$/,
    ],
    [
      'nothing but brackets',
      Buffer.from(`[${'[],'.repeat(2_500_000)}[]]`),
      /^This ZIP holds no course/,
    ],
  ])('%s, packed in little, keep nobody waiting', async (_what, data, sentence) => {
    const zip = zipByHand([{ ...courseJson(small), data, method: 8 }])
    expect(zip.length).toBeLessThan(200_000)
    // What the machine does beside this test is no part of it: the shortest of some tries counts.
    let longest = Infinity
    for (let tries = 0; tries < 3 && longest > 100; tries += 1) {
      const stalls = watchStalls()
      const outcome = await imported(app, person, zip)
      stalls.stop()
      longest = Math.min(longest, stalls.longest())
      expect(outcome.problem).toMatch(sentence)
    }
    expect(longest).toBeLessThan(100)
  })

  test.each([
    [
      'brackets nine million deep',
      () => Buffer.from('['.repeat(9_000_000) + ']'.repeat(9_000_000)),
      /^course\.json in this file is not readable\.$/,
    ],
    [
      'nine million numbers',
      () => Buffer.from(`[${'1,'.repeat(9_000_000)}1]`),
      /^The text of this course is too long: course\.json has too many parts\.$/,
    ],
  ])(
    '%s, packed in little, take no more memory than their bytes',
    async (_what, data, sentence) => {
      const zip = zipByHand([{ ...courseJson(small), data: data(), method: 8 }])
      expect(zip.length).toBeLessThan(100_000)
      const before = process.memoryUsage().rss
      let most = 0
      const watch = setInterval(() => {
        most = Math.max(most, process.memoryUsage().rss - before)
      }, 5)
      const outcome = await imported(app, person, zip)
      clearInterval(watch)
      expect(outcome.problem).toMatch(sentence)
      // As read, as one piece, and as the thread has them: parsed they were several times as much.
      expect(most).toBeLessThan(192 * 1024 * 1024)
    },
  )

  test('what is no ZIP is refused when its last byte arrives', async () => {
    const { status, text } = await uploadZip(app, person, Buffer.from('Not a ZIP at all'))
    expect(status).toBe(415)
    expect(text).toBe('Please choose a course file: the ZIP that “Export” gave you.')
  })

  test('a ZIP over the limit is refused before its first byte', async () => {
    const refused = await openUpload(app, person, 21 * 1024 * 1024, {
      purpose: 'import',
      filename: 'course.zip',
    })
    expect([refused.status, await refused.text()]).toEqual([
      413,
      'Course file is too large. Please upload a file smaller than 20MB.',
    ])
  })
})
