import { videoLink } from '../../media/video-link.ts'
import type { LessonVideo } from '../schema.ts'

/** What tells one video of a lesson from the one that replaces it: addresses of the same file change. */
export const videoIdentity = (video: LessonVideo): string =>
  video.kind === 'file' ? video.mediaId : video.url

/** A provider's frame does not say where its video is or that it ended, and hears of no key. */
export const tellsItsTime = (video: LessonVideo | null) =>
  video?.kind === 'file' || (video?.kind === 'link' && videoLink(video.url)?.kind === 'file')
