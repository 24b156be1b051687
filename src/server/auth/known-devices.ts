import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'

/**
 * A browser that has logged in to an account before is known by a signed cookie. Its attempts are counted
 * by themselves, so that nobody else's wrong guesses keep the owner out.
 */
export function createKnownDevices({ secret, secure }: { secret: string; secure: boolean }) {
  const cookieName = `${secure ? '__Secure-' : ''}thunder.device`
  const signatureOf = (device: string, account: string) =>
    createHmac('sha256', secret).update(`device ${device} ${account}`).digest('base64url')

  return {
    /** The device that these headers prove to be one of the account's; null for any other. */
    find(headers: Headers, account: string): string | null {
      const cookies = (headers.get('cookie') ?? '').split(';').map((part) => part.trim())
      const value = cookies.find((part) => part.startsWith(`${cookieName}=`))?.split('=')[1]
      const [device, signature] = value?.split('.') ?? []
      if (!device || !signature) return null
      const given = Buffer.from(signature)
      const right = Buffer.from(signatureOf(device, account))
      return given.length === right.length && timingSafeEqual(given, right) ? device : null
    },

    /** Adds the cookie of a new device: for a year, or until the browser closes. */
    remember(headers: Headers, account: string, lasting: boolean): void {
      const device = randomUUID()
      const value = `${cookieName}=${device}.${signatureOf(device, account)}`
      const lifetime = lasting ? '; Max-Age=31536000' : ''
      const overTls = secure ? '; Secure' : ''
      headers.append('set-cookie', `${value}${lifetime}; Path=/; HttpOnly; SameSite=Lax${overTls}`)
    },
  }
}
