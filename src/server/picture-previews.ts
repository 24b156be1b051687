import { LRUCache } from 'lru-cache'
import sharp from 'sharp'
import { imageKey } from '../domains/media/store-image.ts'
import type { Services } from './services.ts'

const firstPicture =
  /<img src="\/storage\/v1\/images\/([\da-f-]{36})\/640\.webp"(?=[^>]*fetchPriority="high")/

/** Pixels: not less than a phone shows it in, or the browser would count the picture itself as a larger one. */
const width = 400
/** What is more than this even when it is coarse would hold up the words after it. */
const maxBytes = 6 * 1024
/** Milliseconds: a store that is slow holds up no page for longer. */
const patience = 500

/**
 * Puts a coarse form of the largest picture of the first screen into a page, behind the picture itself: it
 * is seen with the first words instead of a round trip later. Costs about 3 KB of the page, and some
 * milliseconds when a picture is new to this node.
 */
export function createPicturePreviews({ storage, log }: Pick<Services, 'storage' | 'log'>) {
  // Bytes of a picture never change. '' where there is no use in one.
  const made = new LRUCache<string, string>({ max: 500 })

  async function drawFrom(path: string): Promise<string> {
    const picture = sharp(path)
    // It would be seen through the picture.
    if ((await picture.metadata()).hasAlpha) return ''
    const coarse = await picture.resize(width).webp({ quality: 20, effort: 6 }).toBuffer()
    return coarse.length > maxBytes ? '' : coarse.toString('base64')
  }

  async function previewOf(mediaId: string): Promise<string> {
    const known = made.get(mediaId)
    if (known !== undefined) return known
    const preview = await storage.withFile(
      imageKey(mediaId, 640),
      drawFrom,
      AbortSignal.timeout(patience),
    )
    made.set(mediaId, preview)
    return preview
  }

  return async (html: string): Promise<string> => {
    const [tag, mediaId] = firstPicture.exec(html) ?? []
    if (tag === undefined || mediaId === undefined) return html
    try {
      const preview = await previewOf(mediaId)
      if (preview === '') return html
      const style = `background:center/cover url(data:image/webp;base64,${preview})`
      return html.replace(tag, () => `${tag} style="${style}"`)
    } catch (error) {
      // The page does without it: the picture itself may come all the same.
      log.warn({ mediaId, err: error }, 'no preview of a picture')
      return html
    }
  }
}
