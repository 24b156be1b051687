// For nginx's JavaScript; any place at the edge that can make an HMAC can do the same.
import crypto from 'crypto'

const hmac = (text) =>
  crypto.createHmac('sha256', process.env.CDN_SECRET).update(text).digest('base64url')

/** The path up to the last dot of its token is what was signed. */
function secondsLeft(request) {
  const address =
    /^(\/storage\/v1\/streams\/[0-9a-f-]{36}\/(\d{10})\.[\w-]{16})\.([\w-]{43})\//.exec(request.uri)
  if (!address) return ''
  const seconds = Number(address[2]) - Math.floor(Date.now() / 1000)
  // Hashed once more: how long the comparison takes then says nothing.
  const isOurs = hmac(address[3]) === hmac(hmac(address[1]))
  return isOurs && seconds > 0 ? String(seconds) : ''
}

export default { secondsLeft }
