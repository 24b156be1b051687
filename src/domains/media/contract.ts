import * as z from 'zod'
import { row } from '../../contract-row.ts'
import { uuid } from '../../fields.ts'
import { lessonVideo, thumbnail } from '../courses/schema.ts'

// The bytes travel outside this contract: up through tus at /storage/v1/uploads, down from
// /storage/v1/videos/{mediaId} and /storage/v1/images/{mediaId}/{width}.webp (docs/architecture.md).
export const media = {
  getMedia: row('signedIn', 'GET', '/rest/v1/media/{mediaId}', 'State of a file that I uploaded')
    .input(z.object({ mediaId: uuid('The file') }))
    .output(lessonVideo.extend({ thumbnail })),
}
