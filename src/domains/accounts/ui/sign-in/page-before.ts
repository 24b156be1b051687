import { returnPath } from '../../rules.ts'

/** None to come back to: the front page, ways in, and what a mailed link opens once. */
const passedThrough =
  /^\/(?:|(?:login|auth)(?:\/.*)?|signup|logout|suspended|confirm-email|forgot-password|reset-password)$/

/** Characters; with more, the address it becomes a part of could be refused. */
const longest = 2000

/**
 * The page of this site on which somebody pressed a link to here: links in the header lead to the bare address, because
 * a kept page is the same for everybody who opens it, whatever else stood in their address.
 */
export function pageBefore(request: Request, appUrl: string): string | null {
  const referer = request.headers.get('referer') ?? ''
  if (referer.length > longest || !URL.canParse(referer)) return null
  const { origin, pathname, search } = new URL(referer)
  if (origin !== new URL(appUrl).origin || passedThrough.test(pathname)) return null
  return returnPath(pathname + search, '') || null
}
