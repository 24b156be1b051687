import { describe, expect, test } from 'vitest'
import { videoLink } from './video-link.ts'

const embedOf = (address: string) => {
  const link = videoLink(address)
  return link?.kind === 'embed' ? `${link.provider} ${link.embedUrl}` : link
}
const pageOf = (address: string) => {
  const link = videoLink(address)
  return link?.kind === 'embed' ? link.pageUrl : link
}

describe('YouTube, by the 11 characters of its id', () => {
  test.each([
    'https://www.youtube.com/watch?v=dQw4w9WgXcQ',
    'http://youtube.com/watch?v=dQw4w9WgXcQ',
    'https://m.youtube.com/watch?app=desktop&v=dQw4w9WgXcQ&list=PL123&index=2',
    'https://music.youtube.com/watch?v=dQw4w9WgXcQ',
    'https://youtu.be/dQw4w9WgXcQ',
    'https://youtu.be/dQw4w9WgXcQ?si=abcdefgh',
    'https://www.youtube.com/shorts/dQw4w9WgXcQ',
    'https://www.youtube.com/live/dQw4w9WgXcQ?feature=share',
    'https://www.youtube.com/embed/dQw4w9WgXcQ?autoplay=1',
    'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ',
    'https://www.youtube.com/v/dQw4w9WgXcQ',
    'https://www.youtube.com/e/dQw4w9WgXcQ',
    'https://www.youtube.com/shorts/dQw4w9WgXcQ?v=anotherFilm',
    'HTTPS://WWW.YOUTUBE.COM/watch?v=dQw4w9WgXcQ',
    '  youtube.com/watch?v=dQw4w9WgXcQ ',
    'youtu.be/dQw4w9WgXcQ',
  ])('%s', (address) => {
    expect(videoLink(address)).toEqual({
      kind: 'embed',
      provider: 'YouTube',
      embedUrl: 'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ',
      pageUrl: 'https://www.youtube.com/watch?v=dQw4w9WgXcQ',
    })
  })

  test.each([
    ['https://youtu.be/dQw4w9WgXcQ?t=43', 43],
    ['https://youtu.be/dQw4w9WgXcQ?t=43s', 43],
    ['https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=1h2m3s', 3723],
    ['https://www.youtube.com/embed/dQw4w9WgXcQ?start=90', 90],
    ['https://www.youtube.com/watch?v=dQw4w9WgXcQ#t=2m', 120],
    ['https://youtu.be/dQw4w9WgXcQ?t=12m34s', 754],
    ['https://youtu.be/dQw4w9WgXcQ?t=12h', 43_200],
    ['https://youtu.be/dQw4w9WgXcQ?t=123456m', 7_407_360],
    ['https://www.youtube.com/embed/dQw4w9WgXcQ?t=7&start=90', 7],
  ])('%s starts at %i', (address, seconds) => {
    expect(embedOf(address)).toBe(
      `YouTube https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ?start=${seconds}`,
    )
    expect(pageOf(address)).toBe(`https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=${seconds}s`)
  })

  test.each([
    'https://youtu.be/dQw4w9WgXcQ?t=',
    'https://youtu.be/dQw4w9WgXcQ?t=soon',
    'https://youtu.be/dQw4w9WgXcQ?t=-5',
    'https://youtu.be/dQw4w9WgXcQ?t=x43s',
    'https://youtu.be/dQw4w9WgXcQ?t=43sx',
    'https://youtu.be/dQw4w9WgXcQ?t=1234567',
    'https://www.youtube.com/watch?v=dQw4w9WgXcQ#at=2m',
    'https://www.youtube.com/watch?v=dQw4w9WgXcQ#a#t=2m',
    'https://youtu.be/dQw4w9WgXcQ?t="><script>',
  ])('%s starts at its beginning', (address) => {
    expect(embedOf(address)).toBe('YouTube https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ')
  })

  test.each([
    'https://www.youtube.com/watch?v=tooshort',
    'https://www.youtube.com/watch?v=dQw4w9WgXcQmore',
    'https://www.youtube.com/watch?v=dQw4w9WgXc"',
    'https://www.youtube.com/@channel',
    'https://www.youtube.com/results/dQw4w9WgXcQ',
    'https://ywww.outube.com/watch?v=dQw4w9WgXcQ',
    'https://www.youtube.com/playlist?list=PLdQw4w9WgXcQ',
    'https://youtube.com.evil.example/watch?v=dQw4w9WgXcQ',
    'https://evil.example/?u=https://youtu.be/dQw4w9WgXcQ',
    'https://notyoutu.be/dQw4w9WgXcQ',
  ])('not %s', (address) => {
    expect(videoLink(address)?.kind).toBe('file')
  })
})

describe('Vimeo', () => {
  test.each([
    ['https://vimeo.com/76979871', '76979871?dnt=1'],
    ['https://www.vimeo.com/76979871?share=copy', '76979871?dnt=1'],
    ['https://vimeo.com/76979871/8272103f6e', '76979871?h=8272103f6e&dnt=1'],
    ['https://player.vimeo.com/video/76979871?h=8272103f6e', '76979871?h=8272103f6e&dnt=1'],
    ['https://vimeo.com/channels/staffpicks/76979871', '76979871?dnt=1'],
    ['https://vimeo.com/groups/shortfilms/videos/76979871', '76979871?dnt=1'],
    ['https://vimeo.com/showcase/7008490/video/407943692', '407943692?dnt=1'],
    ['https://vimeo.com/76979871#t=1m5s', '76979871?dnt=1#t=65s'],
    ['https://vimeo.com/76979871/', '76979871?dnt=1'],
    ['https://vimeo.com/ondemand/some-film/76979871', '76979871?dnt=1'],
    ['https://vimeo.com/album/123/video/76979871', '76979871?dnt=1'],
    ['https://vimeo.com/123456', '123456?dnt=1'],
    ['https://player.vimeo.com/video/76979871?h=UPPER', '76979871?dnt=1'],
    ['https://player.vimeo.com/video/76979871?h=x8272103f6e', '76979871?dnt=1'],
    ['https://player.vimeo.com/video/76979871?h=8272103f6ex', '76979871?dnt=1'],
    ['https://vimeo.com/76979871#at=1m5s', '76979871?dnt=1'],
    ['https://vimeo.com/76979871#a#t=1m5s', '76979871?dnt=1'],
    ['https://vimeo.com./76979871', '76979871?dnt=1'],
  ])('%s', (address, end) => {
    expect(embedOf(address)).toBe(`Vimeo https://player.vimeo.com/video/${end}`)
  })

  test('keeps the hash of a video that is not listed in its page as well', () => {
    expect(pageOf('https://vimeo.com/76979871/8272103f6e')).toBe(
      'https://vimeo.com/76979871/8272103f6e',
    )
  })

  test('leads to its page at the same moment', () => {
    expect(pageOf('https://vimeo.com/76979871#t=65')).toBe('https://vimeo.com/76979871#t=65s')
  })

  test.each([
    'https://vimeo.com/about',
    'https://vimeo.com/user123/76979871x',
    'https://vimeo.com/12345',
    'https://vimeo.com/1234567890123',
    'https://vimeo.com/76979871/abc',
    'https://vimeo.com/76979871/8272103f6e/more',
    'https://vimeo.com/a/ondemand/some/76979871',
    'https://notvimeo.com/76979871',
  ])('not %s', (address) => expect(videoLink(address)?.kind).toBe('file'))
})

const loomId = '0281766fa2d04bb788eaf19e65135184'

test.each([
  [`https://www.loom.com/share/${loomId}`, `Loom https://www.loom.com/embed/${loomId}`],
  [`https://loom.com/embed/${loomId}?sid=1`, `Loom https://www.loom.com/embed/${loomId}`],
  [`https://www.loom.com/share/Hello-You-${loomId}`, `Loom https://www.loom.com/embed/${loomId}`],
  [`https://www.loom.com/share/${loomId}?t=12`, `Loom https://www.loom.com/embed/${loomId}?t=12`],
  ['https://wi.st/medias/e4a27b971d/', 'Wistia https://fast.wistia.net/embed/iframe/e4a27b971d'],
  [
    'https://fast.wistia.com/embed/medias/e4a27b971d.json',
    'Wistia https://fast.wistia.net/embed/iframe/e4a27b971d',
  ],
  [
    'https://home.wistia.com/medias/e4a27b971d',
    'Wistia https://fast.wistia.net/embed/iframe/e4a27b971d',
  ],
  [
    'https://fast.wistia.net/embed/iframe/e4a27b971d?videoFoam=true',
    'Wistia https://fast.wistia.net/embed/iframe/e4a27b971d',
  ],
  [
    'https://fast.wistia.com/embed/medias/e4a27b971d.jsonp',
    'Wistia https://fast.wistia.net/embed/iframe/e4a27b971d',
  ],
])('%s', (address, embed) => {
  expect(embedOf(address)).toBe(embed)
})

test('the page of a Wistia video is the video alone', () => {
  expect(pageOf('https://home.wistia.com/medias/e4a27b971d')).toBe(
    'https://fast.wistia.net/embed/iframe/e4a27b971d',
  )
})

test('the page of a Loom video is at the same moment', () => {
  expect(pageOf(`https://www.loom.com/embed/${loomId}?t=1m`)).toBe(
    `https://www.loom.com/share/${loomId}?t=60`,
  )
})

test.each([
  `https://www.loom.com/share/${loomId}0`,
  `https://www.loom.com/share/${loomId}/more`,
  `https://www.loom.com/a/share/${loomId}`,
  `https://www.loom.com/looks/${loomId}`,
  `https://notloom.com/share/${loomId}`,
  'https://home.wistia.com/medias/e4a27b971',
  'https://home.wistia.com/medias/e4a27b971dd',
  'https://home.wistia.com/projects/e4a27b971d',
  'https://home.wistia.com/a/medias/e4a27b971d',
  'https://notwistia.com/medias/e4a27b971d',
  'https://wistia.com.evil.example/medias/e4a27b971d',
])('%s is no video of Loom or Wistia', (address) => {
  expect(videoLink(address)?.kind).toBe('file')
})

test.each([
  ['https://example.com/film.mp4', 'https://example.com/film.mp4'],
  ['http://example.com:8080/film.webm?x=1#t=3', 'http://example.com:8080/film.webm?x=1#t=3'],
  ['example.com/film.mp4', 'https://example.com/film.mp4'],
  ['example.com', 'https://example.com/'],
  ['example.com:8080/film.mp4', 'https://example.com:8080/film.mp4'],
  ['cdn.films.example2.com/film.mp4', 'https://cdn.films.example2.com/film.mp4'],
  ['https://example.com/mein film.mp4', 'https://example.com/mein%20film.mp4'],
  ['https://bücher.example/film.mp4', 'https://xn--bcher-kva.example/film.mp4'],
  ['http://localhost:3000/film.mp4', 'http://localhost:3000/film.mp4'],
])('%s plays as a file', (address, url) => {
  expect(videoLink(address)).toEqual({ kind: 'file', url })
})

test.each([
  '',
  ' ',
  'film',
  'film.mp4 in my folder',
  '/film.mp4',
  '//example.com/film.mp4',
  'javascript:alert(1)//youtu.be/dQw4w9WgXcQ',
  'JaVaScRiPt:alert(1)',
  'data:video/mp4;base64,AAAA',
  'blob:https://example.com/1',
  'file:///etc/passwd',
  'ftp://example.com/film.mp4',
  'mailto:me@example.com',
  'https://me:secret@example.com/film.mp4',
  'https://:secret@example.com/film.mp4',
  'https://youtube.com@evil.example/watch?v=dQw4w9WgXcQ',
  'https://',
])('“%s” is no address of a video', (address) => {
  expect(videoLink(address)).toBeNull()
})
