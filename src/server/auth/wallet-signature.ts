import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'

const text = new TextEncoder()

/** A limit that cannot be read would limit nothing (ERC-4361: both are RFC 3339 times). */
export const hasReadableTimes = (message: string): boolean =>
  [...message.matchAll(/^(?:Expiration Time|Not Before): (.*)$/gm)].every(
    ([, time = '']) => !Number.isNaN(Date.parse(time)),
  )

/**
 * Whether this Ethereum address signed this message (EIP-191 "personal_sign"). Wallets that are contracts
 * (EIP-1271) would need a node of the chain, and are refused.
 */
export function isSignedByWallet(message: string, signature: string, address: string): boolean {
  if (!/^0x[0-9a-f]{130}$/i.test(signature)) return false
  const bytes = Buffer.from(signature.slice(2), 'hex')
  const recovery = (bytes[64] ?? 0) % 27
  if (recovery > 1) return false
  const body = text.encode(message)
  const prefix = text.encode(`\x19Ethereum Signed Message:\n${body.length}`)
  const hash = keccak_256(Buffer.concat([prefix, body]))
  try {
    const publicKey = secp256k1.Signature.fromBytes(bytes.subarray(0, 64), 'compact')
      .addRecoveryBit(recovery)
      .recoverPublicKey(hash)
      .toBytes(false)
    const signer = Buffer.from(keccak_256(publicKey.subarray(1)).subarray(-20)).toString('hex')
    return `0x${signer}` === address.toLowerCase()
  } catch {
    // Not a point of the curve: nobody signed this.
    return false
  }
}
