import { symmetricDecrypt, symmetricEncrypt } from 'better-auth/crypto'
import { desc, sql } from 'drizzle-orm'
import { type CryptoKey, exportJWK, generateKeyPair, importJWK, type JWK, SignJWT } from 'jose'
import type { Executor, Transaction } from '../../server/db.ts'
import { type CredentialFacts, credentialOf, keyAddress } from './credential.ts'
import { credentialKeys } from './tables.ts'

/** Days after which a new key signs. The older ones stay published: what they signed stays good. */
const signsForDays = 365

const algorithm = 'RS256'

interface Installation {
  appUrl: string
  secret: string
}

interface SigningKey {
  address: string
  privateKey: CryptoKey
}

/** Null where there is none, where it is old, and where it was sealed with a secret that is gone. */
async function newestKey(executor: Executor, secret: string): Promise<SigningKey | null> {
  const [key] = await executor
    .select({
      publicJwk: credentialKeys.publicJwk,
      sealed: credentialKeys.sealedPrivateJwk,
      signs: sql<boolean>`${credentialKeys.createdAt} > now() - make_interval(days => ${signsForDays})`,
    })
    .from(credentialKeys)
    .orderBy(desc(credentialKeys.createdAt), desc(credentialKeys.id))
    .limit(1)
  if (!key?.signs) return null
  const opened = await symmetricDecrypt({ key: secret, data: key.sealed }).catch(() => null)
  if (opened === null) return null
  const privateKey = (await importJWK(JSON.parse(opened) as JWK, algorithm)) as CryptoKey
  return { address: String(key.publicJwk.kid), privateKey }
}

/** Made with the first certificate, and once a year; whoever needs it at the same moment waits. */
async function signingKey(
  transaction: Transaction,
  { appUrl, secret }: Installation,
): Promise<SigningKey> {
  const known = await newestKey(transaction, secret)
  if (known) return known
  await transaction.execute(sql`select pg_advisory_xact_lock(hashtext('credential-keys'))`)
  const madeMeanwhile = await newestKey(transaction, secret)
  if (madeMeanwhile) return madeMeanwhile
  const { publicKey, privateKey } = await generateKeyPair(algorithm, {
    extractable: true,
    modulusLength: 3072,
  })
  const { rows } = await transaction.execute<{ id: string }>(sql`select uuidv7() as id`)
  const id = rows[0]!.id
  const address = keyAddress(appUrl, id)
  const [publicJwk, privateJwk] = await Promise.all([exportJWK(publicKey), exportJWK(privateKey)])
  await transaction.insert(credentialKeys).values({
    id,
    publicJwk: { ...publicJwk, kid: address, alg: algorithm, use: 'sig' },
    // A copy of the database signs nothing.
    sealedPrivateJwk: await symmetricEncrypt({ key: secret, data: JSON.stringify(privateJwk) }),
    // Not the beginning of the transaction: the newest one is the one that was made last.
    createdAt: sql`clock_timestamp()`,
  })
  return { address, privateKey }
}

/** The credential of a certificate as a compact JWT. */
export async function signCredential(
  transaction: Transaction,
  installation: Installation,
  facts: CredentialFacts,
): Promise<string> {
  const key = await signingKey(transaction, installation)
  const credential = credentialOf(facts, installation.appUrl)
  return new SignJWT({
    ...credential,
    iss: credential.issuer.id,
    jti: credential.id,
    nbf: Math.floor(facts.issuedAt.getTime() / 1000),
  })
    .setProtectedHeader({ alg: algorithm, typ: 'JWT', kid: key.address })
    .sign(key.privateKey)
}

/** All that ever signed, newest first. */
export async function publishedKeys(executor: Executor) {
  const rows = await executor
    .select({ id: credentialKeys.id, jwk: credentialKeys.publicJwk })
    .from(credentialKeys)
    .orderBy(desc(credentialKeys.createdAt), desc(credentialKeys.id))
  return rows
}
