// What a backup says of itself. It is written last: a folder without it is no backup.
import { createHash, createHmac } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import { unlessMissing } from '../../server/unless-missing.ts'
import { writeWhole } from './write-whole.ts'

const manifestName = 'manifest.json'
export const secretPath = 'auth-secret'
export const filesListPath = 'files.jsonl'

const sha256 = z.string().regex(/^[0-9a-f]{64}$/)
const whole = z.number().int().min(0)
/** A path below the backup, or a key of the storage: nothing that leads elsewhere. */
const path = z
  .string()
  .refine(
    (text) =>
      !/[\\\0]/.test(text) &&
      text.split('/').every((part) => part !== '' && part !== '.' && part !== '..'),
    'leads out of its folder',
  )

const part = z.object({ path, bytes: whole, sha256 })
export type Part = z.output<typeof part>

const table = part.extend({
  schema: z.string(),
  name: z.string(),
  columns: z.array(z.string()),
  rows: whole,
})
export type TablePart = z.output<typeof table>

/** A key that nobody else has: numbers that a sequence gave are never given again. */
const sequence = z.object({
  schema: z.string(),
  name: z.string(),
  value: z.string().regex(/^-?\d+$/),
  isCalled: z.boolean(),
})
export type Sequence = z.output<typeof sequence>

const migration = z.object({ hash: z.string(), createdAt: z.number() })
export type Migration = z.output<typeof migration>

const manifest = z.object({
  format: z.literal(1),
  madeAt: z.iso.datetime(),
  finishedAt: z.iso.datetime(),
  postgres: z.string(),
  migrations: z.array(migration),
  tables: z.array(table),
  sequences: z.array(sequence),
  /** The list of files, a part itself, and what they come to. */
  files: part.extend({ count: whole, totalBytes: whole }),
  /** Of rows that were ready when the database was copied: files that were not there, or not any more. */
  missing: z.array(z.string()),
  /** `part` is null where the secret is AUTH_SECRET, which whoever runs it has to keep. */
  secret: z.object({ fingerprint: z.string(), part: part.nullable() }),
})
export type Manifest = z.output<typeof manifest>

export const storedFile = z.object({ key: path, bytes: whole, sha256 })
export type StoredFile = z.output<typeof storedFile>

const sealed = z.object({ sha256, manifest: z.unknown() })

const sealOf = (content: unknown) =>
  createHash('sha256').update(JSON.stringify(content)).digest('hex')

/** Says which secret it was, and nothing about it. */
export const fingerprintOf = (secret: string) =>
  createHmac('sha256', secret).update('which secret a backup belongs to').digest('hex').slice(0, 16)

export async function writeManifest(folder: string, content: Manifest): Promise<void> {
  const text = JSON.stringify({ sha256: sealOf(content), manifest: content }, null, 1)
  await writeWhole(join(folder, manifestName), `${text}\n`)
}

/** @throws {Error} with a sentence for people, when this is no whole backup */
export async function readManifest(folder: string): Promise<Manifest> {
  const file = join(folder, manifestName)
  const text = await unlessMissing(readFile(file, 'utf8'), null)
  if (text === null) {
    throw new Error(
      `${folder} is no whole backup: there is no ${manifestName}, which is written last. Take another one.`,
    )
  }
  const damaged = new Error(
    `${file} is damaged, so nothing in this backup can be relied on. Take another one.`,
  )
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    throw damaged
  }
  const outer = sealed.safeParse(json)
  if (!outer.success || sealOf(outer.data.manifest) !== outer.data.sha256) throw damaged
  const inner = manifest.safeParse(outer.data.manifest)
  if (!inner.success) {
    throw new Error(
      `${file} is of another format than this Thunder reads: use the one that made the backup.`,
    )
  }
  return inner.data
}
