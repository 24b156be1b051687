/** Pages whose addresses hold names in small letters only; elsewhere an address may hold a code. */
const smallOnly = new Set(['course', 'user', 'blog', 'help'])

/** What is no page: calls, files and tools have exact addresses. */
const exact =
  /^\/(?:auth|rest|rpc|storage|webhooks|sandbox|outbox|assets|api|brand|og|sitemaps|\.well-known|__manifest)(?:\/|$)|\.data$/

/** What is escaped means the same either way, and stays. */
const inSmall = (part: string) =>
  part.replace(/%.{0,2}|[A-Z]+/g, (found) => (found.startsWith('%') ? found : found.toLowerCase()))

/**
 * Where a page is when it was asked for in capitals, with a slash at its end, or with several in a row: an address
 * of this site, whatever the path looks like; null when it is right as it is.
 */
export function canonicalAddress({ pathname, search }: URL): string | null {
  if (exact.test(pathname)) return null
  const [first = '', ...rest] = pathname.split('/').filter(Boolean)
  const small = inSmall(first)
  const others = smallOnly.has(small) ? rest.map(inSmall) : rest
  const canonical = `/${[small, ...others].join('/')}`
  return canonical === pathname ? null : canonical + search
}
