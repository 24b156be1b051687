import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { PostVideo } from './post-video.tsx'

test.each([true, false])('says that it is still being processed: %s', (isProcessing) => {
  const video = {
    kind: 'video' as const,
    mediaId: 'a',
    filename: 'waves.mp4',
    url: '/original',
    streamUrl: null,
    posterUrl: null,
    width: null,
    height: null,
    isProcessing,
  }
  const html = renderToStaticMarkup(<PostVideo video={video} author="Ben" />)
  expect(html).toContain('Play the video by Ben')
  expect(html.includes('Still being processed')).toBe(isProcessing)
})
