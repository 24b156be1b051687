import * as z from 'zod'
import { row } from '../../contract-row.ts'
import { uuid } from '../../fields.ts'
import { lessonVideo, thumbnail } from '../courses/schema.ts'
import {
  byCaptions,
  byVideo,
  captionCues,
  captionsInfo,
  captionsList,
  captionsRemoval,
  captionsSave,
  captionsSaved,
} from './caption-schema.ts'

// The bytes travel outside this contract: up through tus at /storage/v1/uploads, down from
// /storage/v1/videos/{mediaId}/{token}/… and /storage/v1/images/{mediaId}/{width}.webp (docs/architecture.md).
export const media = {
  getMedia: row('signedIn', 'GET', '/rest/v1/media/{mediaId}', 'State of a file that I uploaded', {
    scope: 'courses:read',
  })
    .input(z.object({ mediaId: uuid('The file') }))
    .output(lessonVideo.extend({ thumbnail })),

  processVideo: row(
    'signedIn',
    'POST',
    '/rest/v1/media/{mediaId}/processing',
    'Convert a video of mine again after that failed',
    { scope: 'courses:write' },
  )
    .input(z.object({ mediaId: uuid('The file') }))
    .output(lessonVideo.pick({ processing: true })),

  listCaptions: row(
    'instructor',
    'GET',
    '/rest/v1/media/{mediaId}/captions',
    'The languages in which a video has captions',
    { scope: 'courses:read' },
  )
    .input(byVideo)
    .output(captionsList),

  getCaptions: row(
    'instructor',
    'GET',
    '/rest/v1/media/{mediaId}/captions/{language}',
    'The captions of a video in one language, to edit',
    { scope: 'courses:read' },
  )
    .input(byCaptions)
    .output(captionCues),

  saveCaptions: row(
    'instructor',
    'PUT',
    '/rest/v1/media/{mediaId}/captions/{language}',
    'Save the captions of a video in one language',
    {
      scope: 'courses:write',
      maxBody: 4 * 1024 * 1024,
      description:
        'Of an .srt or .vtt file, or of captions that were edited. They take the place of those that the video has in this language, which are deleted. With the updatedAt of what was opened (null of none), newer ones stay, and the answer is 409.',
    },
  )
    .errors({
      CAPTIONS_CHANGED: {
        status: 409,
        message:
          'These captions were changed in another tab or by somebody else meanwhile. Yours are not saved.',
      },
    })
    .input(captionsSave)
    .output(captionsSaved),

  deleteCaptions: row(
    'instructor',
    'DELETE',
    '/rest/v1/media/{mediaId}/captions/{language}',
    'Remove the captions of a video in one language',
    {
      scope: 'courses:write',
      description:
        'With the updatedAt of those that you mean, newer ones stay, and the answer is 409.',
    },
  )
    .errors({
      CAPTIONS_CHANGED: {
        status: 409,
        message:
          'These captions were changed in another tab or by somebody else meanwhile. They are not removed.',
      },
    })
    .input(captionsRemoval)
    .output(captionsInfo.pick({ language: true })),
}
