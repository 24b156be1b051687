// What a viewer is given of each kind of attachment.
import { expect, test } from 'vitest'
import { videoAddress } from '../media/video-address.ts'
import { type AttachmentRow, presentAttachment } from './present-attachment.ts'

const mediaId = '0198f0a2-7b1c-7e2d-9d41-3a5b6c7d8e9f'
const viewer = { viewerId: '0198f0a2-7b1c-7e2d-9d41-000000000001', secret: 'secret' }
const row: AttachmentRow = {
  kind: 'image',
  mediaId,
  url: null,
  filename: 'a.png',
  width: 1000,
  height: 500,
  hasPoster: false,
  hasHls: false,
  isProcessing: false,
}
const shown = (more: Partial<AttachmentRow>) => presentAttachment({ ...row, ...more }, viewer)

test('a link is its address', () => {
  const url = 'https://vimeo.com/123456'
  expect(shown({ kind: 'link', mediaId: null, url })).toEqual({ kind: 'link', url })
  // What has no file any more, too.
  expect(shown({ kind: 'video', mediaId: null, url })).toEqual({ kind: 'link', url })
  expect(shown({ kind: 'link', mediaId: null })).toEqual({ kind: 'link', url: '' })
})

test('an image is its size and its versions', () => {
  const at = (width: number) => `/storage/v1/post-images/${mediaId}/${width}.webp`
  expect(shown({})).toEqual({
    kind: 'image',
    mediaId,
    width: 1000,
    height: 500,
    versions: [
      { url: at(480), width: 480 },
      { url: at(960), width: 960 },
      { url: at(1920), width: 1000 },
    ],
  })
  expect(shown({ width: null, height: null })).toEqual({
    kind: 'image',
    mediaId,
    width: 1,
    height: 1,
    versions: [{ url: at(480), width: 1 }],
  })
})

test('a video is where this viewer finds what there is of it', () => {
  const base = videoAddress({ mediaId, ...viewer, of: 'post' })
  const video = {
    kind: 'video',
    mediaId,
    filename: 'a.mp4',
    url: `${base}/original`,
    streamUrl: null,
    posterUrl: null,
    width: 1000,
    height: 500,
    isProcessing: false,
  }
  expect(shown({ kind: 'video', filename: 'a.mp4' })).toEqual(video)
  expect(shown({ kind: 'video', filename: 'a.mp4', isProcessing: true })).toEqual({
    ...video,
    isProcessing: true,
  })
  expect(shown({ kind: 'video', filename: 'a.mp4', hasPoster: true })).toEqual({
    ...video,
    posterUrl: `${base}/poster.jpg`,
  })
  expect(shown({ kind: 'video', filename: null, hasHls: true, width: null, height: null })).toEqual(
    {
      ...video,
      filename: '',
      streamUrl: `${base}/hls/main.m3u8`,
      width: null,
      height: null,
    },
  )
})
