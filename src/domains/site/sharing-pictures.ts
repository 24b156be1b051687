// The pictures that messengers show of a course or a person, drawn when they are asked for.
import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { LRUCache } from 'lru-cache'
import type { Services } from '../../server/services.ts'
import { inTurns } from '../../server/turns.ts'
import { countLabel } from '../courses/ui/count-label.ts'
import { type PricingType, priceLabel, withoutLightning } from '../courses/rules.ts'
import { imageKey } from '../media/store-image.ts'
import { drawSharingPicture, type SharingPicture } from './draw-sharing-picture.ts'

/** What is on a picture; the file is read when it is drawn. */
type Facts = Omit<SharingPicture, 'picture'> & { file: { key: string; round: boolean } | null }

interface CourseRow {
  title: string
  category: string
  pricingType: PricingType
  priceAmount: number
  thumbnailId: string | null
  creator: string
}

interface PersonRow {
  name: string
  username: string
  avatarUrl: string | null
  created: number
}

const maxKept = 48 * 1024 * 1024

/** How many may wait: each takes some tenths of a second. */
const mostWaiting = 40

export function createSharingPictures(services: Services, maxWaiting = mostWaiting) {
  const { pool, storage, brandPictures } = services
  const { brand } = brandPictures
  const kept = new LRUCache<string, Buffer<ArrayBuffer>>({
    maxSize: maxKept,
    sizeCalculation: (png) => png.length + 200,
  })
  // Whoever asks for many pictures waits; everybody else has the processor.
  const turns = inTurns(1)
  let waiting = 0

  async function course(slug: string): Promise<Facts | null> {
    const { rows } = await pool.query<CourseRow>({
      name: 'course-sharing-picture',
      text: `select c.title, c.category, c.pricing_type as "pricingType", c.price_amount as "priceAmount",
                    c.thumbnail_id as "thumbnailId", u.name as "creator"
               from courses c join users u on u.id = c.instructor_id
              where c.slug = $1 and c.status = 'published'`,
      values: [slug],
    })
    const row = rows[0]
    if (!row) return null
    return {
      title: withoutLightning(row.title),
      instead: `A course in ${row.category}`,
      over: row.category,
      under: `by ${row.creator}`,
      tag: priceLabel(row, 'month'),
      file: row.thumbnailId ? { key: imageKey(row.thumbnailId, 640), round: false } : null,
    }
  }

  async function person(username: string): Promise<Facts | null> {
    const { rows } = await pool.query<PersonRow>({
      name: 'person-sharing-picture',
      text: `select u.name, u.username, u.avatar_url as "avatarUrl",
                    (select count(*)::int from courses c
                      where c.instructor_id = u.id and c.status = 'published') as "created"
               from users u where u.username = $1 and u.suspended_at is null`,
      values: [username],
    })
    const row = rows[0]
    if (!row) return null
    const key = row.avatarUrl?.match(/^\/storage\/v1\/(images\/[\da-f-]+\/\d+\.webp)$/)?.[1]
    return {
      title: row.name,
      instead: row.username,
      over: '',
      under:
        row.created > 0
          ? `${countLabel(row.created, 'course')} on ${brand.name}`
          : `on ${brand.name}`,
      tag: null,
      file: key ? { key, round: true } : null,
    }
  }

  const site = (): Facts => ({
    title: 'Make a course, finish a course',
    instead: '',
    over: '',
    under: new URL(brand.appUrl).host,
    tag: null,
    file: null,
  })

  async function draw({ file, ...facts }: Facts): Promise<Buffer<ArrayBuffer>> {
    // A file that is gone is a picture less; one that cannot be read is there again soon.
    const isFileThere = file && (await storage.size(file.key)) !== null
    const bytes = isFileThere ? await buffer(storage.read(file.key)) : null
    const picture = file && bytes ? { bytes, round: file.round } : null
    return Buffer.from(await drawSharingPicture(brandPictures, { ...facts, picture }))
  }

  async function pictureOf(version: string, facts: Facts) {
    const found = kept.get(version)
    if (found) return found
    if (waiting >= maxWaiting) return null
    waiting += 1
    const done = await turns.take('')
    try {
      const png = kept.get(version) ?? (await draw(facts))
      kept.set(version, png)
      return png
    } finally {
      waiting -= 1
      done()
    }
  }

  async function factsOf(kind: string, name: string) {
    if (kind === 'site') return site()
    // Also keeps out what no statement takes, such as zero bytes.
    if (!/^[a-z0-9-]{1,200}$/.test(name)) return null
    return kind === 'course' ? course(name) : person(name)
  }

  return async function sharingPicture(
    request: Request,
    kind: 'site' | 'course' | 'user',
    name: string,
  ): Promise<Response> {
    const facts = await factsOf(kind, name)
    if (!facts) return new Response('There is no such picture.', { status: 404 })
    const version = createHash('sha256')
      .update(JSON.stringify([facts, brand.name, brand.version]))
      .digest('base64url')
      .slice(0, 22)
    const headers: Record<string, string> = {
      'content-type': 'image/png',
      // Messengers ask once; who looks again within the hour sees a change a little later.
      'cache-control': 'public, max-age=3600',
      etag: `"${version}"`,
    }
    if (request.headers.get('if-none-match') === headers.etag) {
      return new Response(null, { status: 304, headers })
    }
    const png = await pictureOf(version, facts)
    if (!png) {
      return new Response('Too many pictures are being drawn. Please try again in a moment.', {
        status: 503,
        headers: { 'retry-after': '5' },
      })
    }
    headers['content-length'] = String(png.length)
    return new Response(request.method === 'HEAD' ? null : png, { headers })
  }
}
