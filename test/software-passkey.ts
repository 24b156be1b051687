// An authenticator without a device: makes a passkey and signs with it, as WebAuthn says.
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

const base64url = (bytes: Buffer) => bytes.toString('base64url')
const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest()

/** As much of CBOR (RFC 8949) as an attestation needs. */
function cbor(value: number | string | Buffer | Map<number | string, unknown>): Buffer {
  const head = (major: number, size: number) =>
    size < 24
      ? Buffer.from([(major << 5) | size])
      : size < 256
        ? Buffer.from([(major << 5) | 24, size])
        : Buffer.from([(major << 5) | 25, size >> 8, size & 255])
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') return Buffer.concat([head(3, value.length), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  const entries = [...value].flatMap(([key, part]) => [cbor(key), cbor(part as string)])
  return Buffer.concat([head(5, value.size), ...entries])
}

const flags = { userPresent: 1, userVerified: 4, hasKey: 64 }

interface Ceremony {
  challenge: string
  origin?: string
  rpId?: string
  /** Whether the authenticator has checked its owner, by finger, face or PIN. */
  checksOwner?: boolean
}

export function makePasskey() {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x, y } = publicKey.export({ format: 'jwk' })
  const credentialId = randomBytes(32)
  const id = base64url(credentialId)
  let counter = 0

  const clientData = (type: string, { challenge, origin = 'http://localhost:3000' }: Ceremony) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))

  const authenticatorData = (
    { rpId = 'localhost', checksOwner = true }: Ceremony,
    key = Buffer.alloc(0),
  ) => {
    const bits =
      flags.userPresent | (checksOwner ? flags.userVerified : 0) | (key.length ? flags.hasKey : 0)
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter++)
    return Buffer.concat([sha256(rpId), Buffer.from([bits]), count, key])
  }

  return {
    id,
    /** The answer to navigator.credentials.create. */
    register(ceremony: Ceremony) {
      const cose = cbor(
        new Map<number, number | Buffer>([
          [1, 2],
          [3, -7],
          [-1, 1],
          [-2, Buffer.from(x!, 'base64url')],
          [-3, Buffer.from(y!, 'base64url')],
        ]),
      )
      const size = Buffer.from([0, credentialId.length])
      const key = Buffer.concat([Buffer.alloc(16), size, credentialId, cose])
      const attestation = new Map<string, unknown>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', authenticatorData(ceremony, key)],
      ])
      return {
        id,
        rawId: id,
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: base64url(clientData('webauthn.create', ceremony)),
          attestationObject: base64url(cbor(attestation)),
          transports: ['internal'],
        },
      }
    },
    /** The answer to navigator.credentials.get. */
    logIn(ceremony: Ceremony) {
      const data = authenticatorData(ceremony)
      const client = clientData('webauthn.get', ceremony)
      const signature = sign('sha256', Buffer.concat([data, sha256(client)]), privateKey)
      return {
        id,
        rawId: id,
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: base64url(client),
          authenticatorData: base64url(data),
          signature: base64url(signature),
        },
      }
    },
  }
}
