import { describe, expect, test } from 'vitest'
import {
  acceptedFiles,
  avatarUrl,
  bytesPerMb,
  fileProblem,
  generalProblem,
  isPostPurpose,
  isVideo,
  pictureShapes,
  postFilesPerDay,
  postImageUrl,
  postImageVersions,
  problems,
  type Purpose,
} from './rules.ts'

const purposes: Purpose[] = [
  'video',
  'post_video',
  'thumbnail',
  'avatar',
  'course_logo',
  'course_cover',
  'post_image',
  'import',
]

test('what is a video, and what stands in a post', () => {
  expect(purposes.filter(isVideo)).toEqual(['video', 'post_video'])
  expect(purposes.filter(isPostPurpose)).toEqual(['post_video', 'post_image'])
})

describe('a file', () => {
  const kindOf = (purpose: Purpose, name: string, type: string, size = 1000, mb = 50) =>
    fileProblem(purpose, { name, type, size }, mb)?.kind ?? 'fine'

  test('may be of the kinds that are said, whatever else stands in its type', () => {
    expect(kindOf('video', 'a.mp4', 'video/mp4')).toBe('fine')
    expect(kindOf('post_video', 'a.mp4', 'Video/MP4; codecs=avc1')).toBe('fine')
    expect(kindOf('avatar', 'a.png', 'image/png')).toBe('fine')
    for (const type of ['application/zip', 'application/x-zip-compressed', 'application/x-zip']) {
      expect(kindOf('import', 'a.zip', type), type).toBe('fine')
    }
    for (const type of ['image/jpeg', 'image/gif', 'image/webp']) {
      expect(kindOf('thumbnail', 'a', type), type).toBe('fine')
    }
  })

  test('is known by its ending where the browser has no name for it', () => {
    for (const type of ['', 'application/octet-stream', ' ']) {
      expect(kindOf('video', 'Holiday.MOV', type), type).toBe('fine')
      expect(kindOf('video', 'a.b.wmv', type), type).toBe('fine')
      expect(kindOf('video', 'a.ogg', type), type).toBe('fine')
      expect(kindOf('course_logo', 'a.webp', type), type).toBe('fine')
      expect(kindOf('import', 'a.zip', type), type).toBe('fine')
      expect(kindOf('import', 'zip', type), type).toBe('fine')
      expect(kindOf('video', 'film', type), type).toBe('type')
    }
    // What browsers and systems call a few of them besides.
    for (const [name, type] of [
      ['film.ogg', 'audio/ogg'],
      ['film.ogg', 'application/ogg'],
      ['film.avi', 'video/vnd.avi'],
      ['film.m4v', 'video/x-m4v'],
    ] as const)
      expect(kindOf('video', name, type), type).toBe('fine')
    // A browser that knows better is believed.
    expect(kindOf('video', 'a.mp4', 'text/plain')).toBe('type')
  })

  test('of another kind is refused by what is wanted', () => {
    const text = { name: 'a.txt', type: 'text/plain', size: 1 }
    const wanted = (purpose: Purpose) => fileProblem(purpose, text, 50)?.message
    expect(wanted('video')).toBe(problems.videoType)
    expect(wanted('post_video')).toBe(problems.videoType)
    expect(wanted('import')).toBe(problems.importType)
    for (const purpose of ['thumbnail', 'avatar', 'course_logo', 'course_cover', 'post_image']) {
      expect(wanted(purpose as Purpose), purpose).toBe(problems.imageType)
    }
    expect(kindOf('thumbnail', 'a.mp4', 'video/mp4')).toBe('type')
    expect(kindOf('video', 'a.png', 'image/png')).toBe('type')
  })

  test.each([
    ['video', 'video/mp4', 50, 'Video'],
    ['post_video', 'video/mp4', 50, 'Video'],
    ['import', 'application/zip', 50, 'Course'],
    ['thumbnail', 'image/png', 10, 'Image'],
    ['avatar', 'image/png', 5, 'Image'],
    ['course_logo', 'image/png', 5, 'Image'],
    ['course_cover', 'image/png', 10, 'Image'],
    ['post_image', 'image/png', 10, 'Image'],
  ] as const)('%s has a size that it may have just so', (purpose, type, mb, what) => {
    const sized = (size: number) => fileProblem(purpose, { name: 'a', type, size }, 50)
    expect(sized(mb * bytesPerMb)).toBeNull()
    expect(sized(mb * bytesPerMb + 1)).toEqual({
      kind: 'size',
      message: `${what} file is too large. Please upload a file smaller than ${mb}MB.`,
    })
    expect(sized(0)).toEqual({ kind: 'empty', message: problems.empty })
    expect(sized(1)).toBeNull()
  })

  test('that failed for no known reason is told by what it was', () => {
    expect(generalProblem('post_video')).toBe(problems.videoFailed)
    expect(generalProblem('import')).toBe(problems.importFailed)
    expect(generalProblem('avatar')).toBe(problems.imageFailed)
  })
})

test('a file picker offers the types and the endings', () => {
  expect(acceptedFiles.video).toMatch(/^video\/mp4,.*,\.mp4,\.webm,.*\.wmv$/)
  expect(acceptedFiles.avatar).toBe(
    'image/png,image/jpeg,image/gif,image/webp,.png,.jpg,.jpeg,.gif,.webp',
  )
  expect(acceptedFiles.import).toMatch(/^application\/zip,.*,\.zip$/)
  for (const purpose of purposes) expect(acceptedFiles[purpose], purpose).not.toBe('')
})

describe('the versions of a picture in a post', () => {
  const versions = (width: number, height: number) =>
    postImageVersions({ width, height }).map((one) => `${one.name}: ${one.width}x${one.height}`)

  test('fit into three widths, and are never enlarged', () => {
    expect(versions(4000, 2000)).toEqual(['480: 480x240', '960: 960x480', '1920: 1920x960'])
    expect(versions(1000, 500)).toEqual(['480: 480x240', '960: 960x480', '1920: 1000x500'])
    expect(versions(960, 480)).toEqual(['480: 480x240', '960: 960x480'])
    expect(versions(480, 480)).toEqual(['480: 480x480'])
    expect(versions(20, 10)).toEqual(['480: 20x10'])
  })

  test('of a tall one are as high as WebP takes, and never without a pixel', () => {
    expect(versions(1000, 40_000)).toEqual(['480: 400x16000'])
    expect(versions(1, 40_000)).toEqual(['480: 1x16000'])
    expect(versions(40_000, 1)).toEqual(['480: 480x1', '960: 960x1', '1920: 1920x1'])
  })
})

test('a picture has the widths in which it is shown, and a shape', () => {
  expect(pictureShapes).toEqual({
    thumbnail: { widths: [320, 640, 1280], ratio: 16 / 9 },
    avatar: { widths: [96, 256], ratio: 1 },
    course_logo: { widths: [96, 256], ratio: 1 },
    course_cover: { widths: [640, 1280, 1920], ratio: 3 },
  })
})

test('whoever is refused reads what to do instead, and of each problem something else', () => {
  expect(postFilesPerDay).toEqual({ post_image: 100, post_video: 10 })
  expect(problems.postImages).toContain('100 images')
  expect(problems.postVideos).toContain('10 videos')
  expect(problems.imagePixels).toContain('40 megapixels')
  expect(problems.tooManyUnfinished).toMatch(
    /^You have 20 unfinished .* after 7 days is removed\.$/,
  )
  const words = Object.values(problems)
  for (const one of words) expect(one).toMatch(/^[A-Z](?:\S+ ){5}.+[\w.)]$/)
  expect(new Set(words).size).toBe(words.length)
})

test('pictures have addresses', () => {
  expect(postImageUrl('x')).toBe('/storage/v1/post-images/x/480.webp')
  expect(postImageUrl('x', 960)).toBe('/storage/v1/post-images/x/960.webp')
  expect(avatarUrl('x')).toBe('/storage/v1/images/x/256.webp')
})
