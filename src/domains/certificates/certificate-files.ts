// What stands beside a certificate's page: as PDF, as badge, and what badges are verified with. GET and HEAD.
import { decodeJwt } from 'jose'
import { LRUCache } from 'lru-cache'
import sharp from 'sharp'
import type { Services } from '../../server/services.ts'
import { inTurns } from '../../server/turns.ts'
import { isUuid } from '../courses/access.ts'
import { certificatePdf } from './certificate-pdf.ts'
import { issuerProfile, revocationList } from './credential.ts'
import { publishedKeys } from './credential-keys.ts'
import { certificateById, certificateVersion, credentialById, revokedIds } from './queries.ts'

const answer = (body: BodyInit, type: string, headers: Record<string, string> = {}) =>
  new Response(body, {
    headers: { 'content-type': type, 'cache-control': 'no-cache', ...headers },
  })

/** For machines of other sites, too: nothing in it is anybody's secret. */
const json = (value: unknown, type = 'application/json') =>
  answer(JSON.stringify(value), type, { 'access-control-allow-origin': '*' })

const refusal = (status: number, code: string, message: string) =>
  Response.json(
    { code, status, message },
    { status, headers: { 'cache-control': 'no-cache', 'x-robots-tag': 'noindex' } },
  )

const notFound = () => refusal(404, 'NOT_FOUND', 'Certificate not found')
const revoked = () => refusal(410, 'REVOKED', 'This certificate was revoked.')

const attached = (name: string) => ({
  'content-disposition': `attachment; filename="${name}"`,
  'x-robots-tag': 'noindex',
})

export function createCertificateFiles(services: Services) {
  const { pool, db, storage, config } = services
  /** A drawing takes a tenth of a second, and anybody may ask for it: it is kept, and one is made at a time. */
  const drawn = new LRUCache<string, Uint8Array<ArrayBuffer>>({ max: 100 })
  const turns = inTurns(1)

  /** As PNG: a PDF holds no WebP. */
  async function logoOf(url: string | null): Promise<Buffer | null> {
    if (url === null) return null
    const key = url.replace('/storage/v1/', '')
    if ((await storage.size(key)) === null) return null
    const webp = await new Response(storage.read(key)).arrayBuffer()
    return sharp(new Uint8Array(webp)).png().toBuffer()
  }

  async function drawing(id: string): Promise<Uint8Array<ArrayBuffer> | null> {
    const key = `${id} ${await certificateVersion(pool, id)}`
    const done = await turns.take('drawing')
    try {
      const known = drawn.get(key)
      if (known) return known
      const certificate = await certificateById(pool, id)
      if (!certificate) return null
      const pdf = await certificatePdf(certificate, {
        logo: await logoOf(certificate.look.logoUrl),
        mark: (await services.brandPictures.picture('icon-192.png'))!.bytes,
        colour: services.brandPictures.colour,
      })
      drawn.set(key, pdf)
      return pdf
    } finally {
      done()
    }
  }

  async function fileOf(id: string, name: string): Promise<Response | null> {
    if (!['certificate.pdf', 'badge.jwt', 'badge.json'].includes(name)) return null
    const known = isUuid(id) ? await credentialById(db, id) : null
    if (!known) return notFound()
    if (known.revokedAt) return revoked()
    if (name === 'certificate.pdf') {
      const pdf = await drawing(id)
      return pdf ? answer(pdf, 'application/pdf', attached(`certificate-${id}.pdf`)) : notFound()
    }
    if (name === 'badge.jwt') {
      return answer(known.credential, 'application/vc+jwt', attached(`badge-${id}.jwt`))
    }
    const { iss: _iss, jti: _jti, nbf: _nbf, ...credential } = decodeJwt(known.credential)
    return json(credential, 'application/ld+json')
  }

  /** Null where the address is none of these. */
  return async function certificateFiles(path: string): Promise<Response | null> {
    const [, , first = '', second, ...rest] = path.split('/')
    if (rest.length > 0) return null
    if (second === undefined) {
      if (first === 'issuer.json') return json(issuerProfile(config.appUrl), 'application/ld+json')
      if (first === 'keys.json') {
        return json({ keys: (await publishedKeys(db)).map(({ jwk }) => jwk) })
      }
      if (first === 'revocations.json') {
        return json(revocationList(config.appUrl, await revokedIds(db)))
      }
      return null
    }
    if (first !== 'keys') return fileOf(first, second)
    const key = (await publishedKeys(db)).find(({ id }) => id === second)
    return key ? json(key.jwk) : refusal(404, 'NOT_FOUND', 'Key not found')
  }
}
