import { api } from '../../server/api.ts'
import { thumbnailUrls } from '../courses/rules.ts'
import { captionLanguagesOf, captionsToEdit } from './caption-queries.ts'
import { captionsBeyond, parseCaptions, tidyCues } from './caption-format.ts'
import { languageLabel } from './caption-languages.ts'
import { removeCaptions, saveCaptions, videoOfCourse } from './keep-captions.ts'
import { retryProcessing } from './processing-queue.ts'
import { ownMediaFile, processingOfFile } from './queries.ts'
import { isVideo } from './rules.ts'
import { ownVideoUrl } from './video-address.ts'

const noVideo = { message: 'This video was not found. It may have been removed.' }
const noConversion = {
  message: 'Videos are not converted here. They play as they were uploaded.',
}
const noCaptions = { message: 'There are no captions in this language.' }

export const media = {
  getMedia: api.media.getMedia.handler(async ({ input, context: { viewer, services }, errors }) => {
    const file = await ownMediaFile(services.db, viewer.id, input.mediaId)
    if (!file) throw errors.NOT_FOUND()
    const isPicture = file.purpose === 'thumbnail' && file.status === 'ready'
    return {
      ...file,
      url: isVideo(file.purpose) ? ownVideoUrl(file, viewer.id, services.secret) : null,
      processing: await processingOfFile(services.db, file.id),
      thumbnail: isPicture ? thumbnailUrls(file.id) : null,
    }
  }),

  processVideo: api.media.processVideo.handler(async ({ input, context, errors }) => {
    const { viewer, services } = context
    const { db, ffmpeg } = services
    const file = await ownMediaFile(db, viewer.id, input.mediaId)
    if (!file || !isVideo(file.purpose) || file.status !== 'ready') throw errors.NOT_FOUND()
    if (ffmpeg) await retryProcessing(services, file)
    const processing = await processingOfFile(db, file.id)
    if (!ffmpeg && processing?.status === 'failed') throw errors.CONFLICT(noConversion)
    return { processing }
  }),

  listCaptions: api.media.listCaptions.handler(async ({ input, context, errors }) => {
    const { services, course } = context
    const { courseId } = course
    const video = await videoOfCourse(services.db, { courseId, mediaId: input.mediaId })
    if (!video) throw errors.NOT_FOUND(noVideo)
    const captions = await captionLanguagesOf(services.db, input.mediaId)
    return {
      ...video,
      captions: captions.map((one) => ({ ...one, label: languageLabel(one.language) })),
    }
  }),

  getCaptions: api.media.getCaptions.handler(async ({ input, context, errors }) => {
    const { services, course } = context
    const { mediaId, language } = input
    const video = await videoOfCourse(services.db, { courseId: course.courseId, mediaId })
    if (!video) throw errors.NOT_FOUND(noVideo)
    const captions = await captionsToEdit(services.db, mediaId, language)
    if (!captions) throw errors.NOT_FOUND(noCaptions)
    return { language, label: languageLabel(language), ...captions }
  }),

  saveCaptions: api.media.saveCaptions.handler(async ({ input, context, errors }) => {
    const { services, course } = context
    const { mediaId, language, file, cues = [], updatedAt } = input
    const place = { courseId: course.courseId, mediaId, language }
    const video = await videoOfCourse(services.db, place)
    if (!video) throw errors.NOT_FOUND(noVideo)
    const tidy = file === undefined ? tidyCues(cues) : parseCaptions(file)
    if ('problem' in tidy) throw errors.BAD_REQUEST({ message: tidy.problem })
    const saved = await saveCaptions(services.db, place, tidy.cues, updatedAt)
    if (!saved && updatedAt !== undefined && (await videoOfCourse(services.db, place))) {
      throw errors.CAPTIONS_CHANGED()
    }
    if (!saved) throw errors.NOT_FOUND(noVideo)
    return {
      ...saved,
      language,
      label: languageLabel(language),
      cuesCount: tidy.cues.length,
      warning: captionsBeyond(tidy.cues, video.durationSeconds),
    }
  }),

  deleteCaptions: api.media.deleteCaptions.handler(async ({ input, context, errors }) => {
    const { services, course } = context
    const { mediaId, language, updatedAt } = input
    const place = { courseId: course.courseId, mediaId, language }
    if (await removeCaptions(services.db, place, updatedAt)) return { language }
    const isTheirs = await videoOfCourse(services.db, place)
    if (isTheirs && (await captionsToEdit(services.db, mediaId, language))) {
      throw errors.CAPTIONS_CHANGED()
    }
    throw errors.NOT_FOUND(noCaptions)
  }),
}
