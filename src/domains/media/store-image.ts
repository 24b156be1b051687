import sharp from 'sharp'
import type { Storage } from '../../server/storage.ts'
import {
  imageMaxPixels,
  type PicturePurpose,
  pictureShapes,
  postImageVersions,
  problems,
} from './rules.ts'
import { UnusableFile } from './unusable-file.ts'

const formats = new Set(['jpeg', 'png', 'gif', 'webp'])

export const imagesFolder = (mediaId: string) => `images/${mediaId}`
export const imageKey = (mediaId: string, width: number) => `${imagesFolder(mediaId)}/${width}.webp`

/** Pictures of posts are for members only, so they lie where the open delivery never looks. */
export const postImagesFolder = (mediaId: string) => `post-images/${mediaId}`
export const postImageKey = (mediaId: string, name: number) =>
  `${postImagesFolder(mediaId)}/${name}.webp`

/** A thing to store for each version; the last one is the largest. */
interface Version {
  name: number
  width: number
  height: number
}

function versionsOf(purpose: PicturePurpose): Version[] {
  const { widths, ratio } = pictureShapes[purpose]
  return widths.map((width) => ({ name: width, width, height: Math.round(width / ratio) }))
}

/** The picture in each version, and its own size as a person sees it. */
async function render(bytes: Uint8Array, wanted: (size: Omit<Version, 'name'>) => Version[]) {
  // A GIF that moves is shown by its first frame: sharp reads no more unless told to.
  const picture = sharp(bytes, { limitInputPixels: imageMaxPixels, failOn: 'error' })
  const { format, autoOrient } = await picture.metadata()
  if (!formats.has(format)) throw new UnusableFile(problems.imageType)
  if (autoOrient.width * autoOrient.height > imageMaxPixels)
    throw new UnusableFile(problems.imagePixels)
  const size = { width: autoOrient.width, height: autoOrient.height }
  const sizes = wanted(size)
  const largest = sizes.at(-1)!
  const { data, info } = await picture
    .autoOrient()
    .resize(largest.width, largest.height, { fit: 'cover' })
    .raw()
    .toBuffer({ resolveWithObject: true })
  const versions = []
  for (const { name, width, height } of sizes) {
    const raw = { width: info.width, height: info.height, channels: info.channels }
    const webp = sharp(data, { raw }).resize(width, height).webp({ quality: 80 })
    versions.push({ name, webp: await webp.toBuffer() })
  }
  return { size, versions }
}

/** One picture at a time in this process: a decoded one may take more than 100 MB of memory. */
let before: Promise<unknown> = Promise.resolve()
function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  const mine = before.then(work)
  before = mine.catch(() => {})
  return mine
}

function renderInTurn(...of: Parameters<typeof render>) {
  return inTurn(() =>
    render(...of).catch((error: unknown) => {
      if (error instanceof UnusableFile) throw error
      const tooLarge = error instanceof Error && error.message.includes('pixel limit')
      throw new UnusableFile(tooLarge ? problems.imagePixels : problems.imageDamaged, {
        cause: error,
      })
    }),
  )
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
  const { size, versions } = await renderInTurn(bytes, () => versionsOf(purpose))
  for (const { name, webp } of versions) await storage.put(imageKey(mediaId, name), webp)
  return size
}

/**
 * The same for a picture of a post: whole, in the sizes of `postImageVersions`, at `post-images/{mediaId}/…`.
 * @throws {UnusableFile} as above.
 */
export async function storePostImage(
  storage: Storage,
  mediaId: string,
  bytes: Uint8Array,
): Promise<{ width: number; height: number }> {
  const { size, versions } = await renderInTurn(bytes, postImageVersions)
  for (const { name, webp } of versions) await storage.put(postImageKey(mediaId, name), webp)
  return size
}
