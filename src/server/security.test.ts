import { describe, expect, test } from 'vitest'
import { videoLink } from '../domains/media/video-link.ts'
import { contentSecurityPolicy, isForeignOrigin, secureAnswer } from './security.ts'

const appUrl = 'https://thunder.example'

const sent = (method: string, headers: Record<string, string>) =>
  isForeignOrigin(new Request(`${appUrl}/somewhere`, { method, headers }), appUrl)

describe('a request that changes something', () => {
  test.each([
    ['from a page of this site', { origin: appUrl, host: 'thunder.example' }],
    [
      'from a page of this site, by a proxy with a name of its own',
      { origin: appUrl, host: 'app:3000' },
    ],
    ['from a program, which sends no origin', { host: 'thunder.example' }],
    [
      'from a page of this site under another name',
      { origin: 'http://192.168.1.5:3000', host: '192.168.1.5:3000' },
    ],
  ])('passes %s', (_from, headers) => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      expect(sent(method, headers), method).toBe(false)
    }
  })

  test.each([
    ['another site', 'https://evil.example'],
    ['a name that ends like this site', 'https://evilthunder.example'],
    ['a name that begins like this site', 'https://thunder.example.evil.example'],
    ['a part of this site with a name of its own', 'https://other.thunder.example'],
    ['another port', 'https://thunder.example:8443'],
    ['a page without an origin of its own', 'null'],
    ['something that is no address', 'thunder.example'],
    ['nowhere', ''],
  ])('is refused from %s', (_from, origin) => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      expect(sent(method, { origin, host: 'thunder.example' }), method).toBe(true)
    }
  })
})

test('reading is open to pages of other sites: it changes nothing', () => {
  for (const method of ['GET', 'HEAD']) {
    expect(sent(method, { origin: 'https://evil.example', host: 'thunder.example' })).toBe(false)
  }
})

describe('every answer', () => {
  const secured = (url: string, headers = new Headers()) => {
    secureAnswer(headers, url)
    return headers
  }

  test('allows no script that is not ours, no frame around it and no guessing of types', () => {
    const headers = secured('http://localhost:3000')
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy.split('; ')).toEqual(
      expect.arrayContaining([
        "default-src 'self'",
        "img-src 'self' data: blob:",
        "style-src 'self' 'unsafe-inline'",
        "script-src 'self'",
        "connect-src 'self'",
        "object-src 'none'",
        "base-uri 'none'",
        // Forms that end on the payment provider's pages.
        "form-action 'self' https://checkout.stripe.com https://billing.stripe.com https://connect.stripe.com",
        "frame-ancestors 'none'",
      ]),
    )
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('referrer-policy')).toBe('strict-origin-when-cross-origin')
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin')
    expect(headers.get('permissions-policy')).toBe(
      'camera=(), microphone=(), geolocation=(), payment=()',
    )
  })

  test('allows frames of the four providers of videos, files of others only as media', () => {
    const policy = secured(appUrl).get('content-security-policy')?.split('; ')
    expect(policy).toContain(
      'frame-src https://www.youtube-nocookie.com https://player.vimeo.com https://www.loom.com https://fast.wistia.net',
    )
    expect(policy).toContain("media-src 'self' blob: https:")
    // Whatever `videoLink` puts into a frame is among them.
    for (const address of [
      'https://youtu.be/aqz-KE-bpKQ',
      'https://vimeo.com/76979871',
      'https://www.loom.com/share/0123456789abcdef0123456789abcdef',
      'https://home.wistia.com/medias/0123456789',
    ]) {
      const link = videoLink(address)
      const origin = link?.kind === 'embed' && new URL(link.embedUrl).origin
      expect(policy?.find((rule) => rule.startsWith('frame-src'))?.split(' ')).toContain(origin)
    }
  })

  test('asks for https where it is https, and only there', () => {
    expect(secured(appUrl).get('strict-transport-security')).toMatch(/^max-age=31536000/)
    expect(secured('http://localhost:3000').get('strict-transport-security')).toBeNull()
  })

  test('keeps the policy that a page has set', () => {
    const own = contentSecurityPolicy(["'nonce-abc'"])
    expect(own).toContain("script-src 'self' 'nonce-abc'")
    const headers = secured(appUrl, new Headers({ 'content-security-policy': own }))
    expect(headers.get('content-security-policy')).toBe(own)
  })
})

test('scripts may speak to who is named, and nothing else changes', () => {
  const policy = contentSecurityPolicy([])
  expect(contentSecurityPolicy([], ['https://api.stripe.com', 'ws:'])).toBe(
    policy.replace("connect-src 'self'", "connect-src 'self' https://api.stripe.com ws:"),
  )
})
