import { api } from '../../server/api.ts'
import { thumbnailUrls } from '../courses/rules.ts'
import { ownMediaFile } from './queries.ts'

export const media = {
  getMedia: api.media.getMedia.handler(async ({ input, context: { viewer, services }, errors }) => {
    const file = await ownMediaFile(services.db, viewer.id, input.mediaId)
    if (!file) throw errors.NOT_FOUND()
    const isPicture = file.purpose === 'thumbnail' && file.status === 'ready'
    return { ...file, thumbnail: isPicture ? thumbnailUrls(file.id) : null }
  }),
}
