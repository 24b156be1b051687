import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'

export interface SigningKey {
  privateKey: KeyObject
  /** PEM, self-signed. */
  certificate: string
}

// DER, as much of it as a certificate takes (X.690).
function der(tag: number, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts)
  const size = body.length
  const length = size < 128 ? [size] : size < 256 ? [0x81, size] : [0x82, size >> 8, size & 255]
  return Buffer.concat([Buffer.from([tag, ...length]), body])
}
const sequence = (...parts: Buffer[]) => der(0x30, ...parts)
const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'))
const bits = (content: Buffer) => der(0x03, Buffer.from([0]), content)
const time = (at: Date) =>
  der(0x17, Buffer.from(`${at.toISOString().slice(2, 19).replace(/[-T:]/g, '')}Z`))

/** An RSA key and its certificate, as identity providers put them into their metadata. */
export function makeSigningKey(commonName: string): SigningKey {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const algorithm = sequence(oid('2a864886f70d01010b'), der(0x05))
  const name = sequence(der(0x31, sequence(oid('550403'), der(0x0c, Buffer.from(commonName)))))
  const day = 24 * 60 * 60 * 1000
  const content = sequence(
    der(0x02, Buffer.from([1])),
    algorithm,
    name,
    sequence(time(new Date(Date.now() - day)), time(new Date(Date.now() + 365 * day))),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
  )
  const certificate = sequence(content, algorithm, bits(sign('sha256', content, privateKey)))
  const lines = certificate.toString('base64').match(/.{1,64}/g)!
  return {
    privateKey,
    certificate: `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`,
  }
}
