// Verifies an Open Badges 3.0 credential without a network: node scripts/verify-badge.mjs <badge.jwt> <keys.json> [<revocations.json>]
// Needs nothing but Node. Ends with 0 when it is good, 1 when it is not, 2 when it was revoked, 64 when used wrongly.
import { createPublicKey, verify } from 'node:crypto'
import { readFileSync } from 'node:fs'

const [badgeFile, keysFile, revocationsFile] = process.argv.slice(2)
if (!badgeFile || !keysFile) {
  console.error(
    'Usage: node scripts/verify-badge.mjs <badge.jwt> <keys.json> [<revocations.json>]\n' +
      'The keys and the list of what was revoked are at /certificates/keys.json and\n' +
      '/certificates/revocations.json of the site that issued the badge.',
  )
  process.exit(64)
}

/** @param {string} why */
function refuse(why) {
  console.error(`NOT VALID: ${why}`)
  process.exit(1)
}

/** @param {string} file */
function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    return refuse(`${file} could not be read: ${error.message}`)
  }
}

const parts = readFileSync(badgeFile, 'utf8').trim().split('.')
if (parts.length !== 3) refuse('this is no signed badge')
const [head, body, signature] = parts
/** @param {string} part */
function decoded(part) {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString('utf8'))
  } catch {
    return refuse('this is no signed badge')
  }
}
const header = decoded(head)
// Never what the badge itself proposes: it could name an algorithm without a key.
if (header.alg !== 'RS256') refuse(`it is signed with ${header.alg}, not with RS256`)
const jwk = readJson(keysFile).keys?.find(({ kid }) => kid === header.kid)
if (!jwk) refuse('it is signed with a key that is not among the published ones')
const key = createPublicKey({ key: jwk, format: 'jwk' })
const good = verify(
  'sha256',
  Buffer.from(`${head}.${body}`),
  key,
  Buffer.from(signature, 'base64url'),
)
if (!good) refuse('its signature does not fit: something in it was changed')

const credential = decoded(body)
if (credential.iss !== credential.issuer?.id || credential.jti !== credential.id) {
  refuse('its claims contradict each other')
}
if (Date.parse(credential.validFrom) > Date.now()) refuse('it is not valid yet')
if (!credential.type?.includes('AchievementCredential')) refuse('it is no badge')
// Who holds the key is who issued: both are addresses of one site.
if (new URL(header.kid).origin !== new URL(credential.issuer.id).origin) {
  refuse('its key is not its issuer’s')
}

if (revocationsFile) {
  const list = readJson(revocationsFile)
  if (list.issuer !== credential.issuer.id) refuse('the list of revocations is another issuer’s')
  const entry = list.revokedCredential?.find(({ id }) => id === credential.id)
  if (entry && entry.revoked !== false) {
    console.error(`NOT VALID ANY MORE: ${credential.id} was revoked.`)
    process.exit(2)
  }
}

const { achievement, identifier } = credential.credentialSubject
console.log(`VALID: ${identifier?.[0]?.identityHash} completed “${achievement.name}”.`)
console.log(
  `Issued by ${credential.issuer.name} (${credential.issuer.url}) on ${credential.validFrom}.`,
)
console.log(
  revocationsFile
    ? 'It is not among the revoked ones.'
    : `Whether it was revoked is said at ${credential.credentialStatus.id}`,
)
