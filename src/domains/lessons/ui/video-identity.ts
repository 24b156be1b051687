import type { LessonVideo } from '../schema.ts'

/** What tells one video of a lesson from the one that replaces it: addresses of the same file change. */
export const videoIdentity = (video: LessonVideo): string =>
  video.kind === 'file' ? video.mediaId : video.url
