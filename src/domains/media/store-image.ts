import sharp from 'sharp'
import type { Storage } from '../../server/storage.ts'
import { imageMaxPixels, type PicturePurpose, pictureShapes, problems } from './rules.ts'
import { UnusableFile } from './unusable-file.ts'

const formats = new Set(['jpeg', 'png', 'gif', 'webp'])

export const imagesFolder = (mediaId: string) => `images/${mediaId}`
export const imageKey = (mediaId: string, width: number) => `${imagesFolder(mediaId)}/${width}.webp`

/** The picture cut to its shape in each width, and its own size as a person sees it. */
async function render(bytes: Uint8Array, purpose: PicturePurpose) {
  const { widths, ratio } = pictureShapes[purpose]
  const largest = Math.max(...widths)
  const heightOf = (width: number) => Math.round(width / ratio)
  // A GIF that moves is shown by its first frame: sharp reads no more unless told to.
  const picture = sharp(bytes, { limitInputPixels: imageMaxPixels, failOn: 'error' })
  const { format, autoOrient } = await picture.metadata()
  if (!formats.has(format)) throw new UnusableFile(problems.imageType)
  if (autoOrient.width * autoOrient.height > imageMaxPixels)
    throw new UnusableFile(problems.imagePixels)
  const { data, info } = await picture
    .autoOrient()
    .resize(largest, heightOf(largest), { fit: 'cover' })
    .raw()
    .toBuffer({ resolveWithObject: true })
  const versions = []
  for (const width of widths) {
    const raw = { width: info.width, height: info.height, channels: info.channels }
    const webp = sharp(data, { raw }).resize(width, heightOf(width)).webp({ quality: 80 })
    versions.push({ width, webp: await webp.toBuffer() })
  }
  return { size: { width: autoOrient.width, height: autoOrient.height }, versions }
}

/** One picture at a time in this process: a decoded one may take more than 100 MB of memory. */
let before: Promise<unknown> = Promise.resolve()
function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  const mine = before.then(work)
  before = mine.catch(() => {})
  return mine
}

/**
 * Stores a picture as WebP at `images/{mediaId}/{width}.webp`, cut to the shape of its purpose and without
 * whatever else was in its file. Doing it again replaces the files. Answers the picture's own width and
 * height in pixels.
 * @throws {UnusableFile} when the bytes are no picture of a known format, damaged, or over 40 megapixels.
 */
export async function storeImage(
  storage: Storage,
  mediaId: string,
  purpose: PicturePurpose,
  bytes: Uint8Array,
): Promise<{ width: number; height: number }> {
  const { size, versions } = await inTurn(() =>
    render(bytes, purpose).catch((error: unknown) => {
      if (error instanceof UnusableFile) throw error
      const tooLarge = error instanceof Error && error.message.includes('pixel limit')
      throw new UnusableFile(tooLarge ? problems.imagePixels : problems.imageDamaged, {
        cause: error,
      })
    }),
  )
  for (const { width, webp } of versions) await storage.put(imageKey(mediaId, width), webp)
  return size
}
