/** True for a state-changing request that a page of another site sent. */
export function isForeignOrigin(request: Request, appUrl: string): boolean {
  if (request.method === 'GET' || request.method === 'HEAD') return false
  const origin = request.headers.get('origin')
  if (origin === null || origin === appUrl) return false
  // The site may be reached by other names (an address, a LAN name): its own pages then carry that host.
  return !URL.canParse(origin) || new URL(origin).host !== request.headers.get('host')
}

const rules = {
  'default-src': "'self'",
  'img-src': "'self' data: blob:",
  // A lesson may play a file of another server, and show these providers' players in a frame.
  'media-src': "'self' blob: https:",
  'frame-src': [
    'https://www.youtube-nocookie.com',
    'https://player.vimeo.com',
    'https://www.loom.com',
    'https://fast.wistia.net',
  ].join(' '),
  // Components set positions and sizes through style attributes; scripts are what must be strict.
  'style-src': "'self' 'unsafe-inline'",
  'object-src': "'none'",
  'base-uri': "'none'",
  // A form may lead on to the payment provider's pages.
  'form-action':
    "'self' https://checkout.stripe.com https://billing.stripe.com https://connect.stripe.com",
  'frame-ancestors': "'none'",
}

/**
 * `scripts` are the sources beside 'self': the hash of the inline script, and a nonce when hydrated; `connects`
 * are the addresses beside 'self' that scripts may speak to.
 */
export function contentSecurityPolicy(
  scripts: readonly string[],
  connects: readonly string[] = [],
): string {
  return [
    ...Object.entries(rules),
    ['connect-src', ["'self'", ...connects].join(' ')],
    ['script-src', ["'self'", ...scripts].join(' ')],
  ]
    .map(([name, value]) => `${name} ${value}`)
    .join('; ')
}

const closed = contentSecurityPolicy([])

/** Headers that every answer carries. A page has set its own policy already. */
export function secureAnswer(headers: Headers, appUrl: string): void {
  if (!headers.has('content-security-policy')) headers.set('content-security-policy', closed)
  headers.set('x-content-type-options', 'nosniff')
  // 'no-referrer' would send `Origin: null` with forms, which then look foreign.
  headers.set('referrer-policy', 'strict-origin-when-cross-origin')
  headers.set('cross-origin-opener-policy', 'same-origin')
  headers.set('permissions-policy', 'camera=(), microphone=(), geolocation=(), payment=()')
  if (appUrl.startsWith('https:')) {
    headers.set('strict-transport-security', 'max-age=31536000; includeSubDomains')
  }
}
