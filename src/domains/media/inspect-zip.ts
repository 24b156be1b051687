import { buffer } from 'node:stream/consumers'
import type { Storage } from '../../server/storage.ts'
import { problems } from './rules.ts'
import { UnusableFile } from './unusable-file.ts'

/** Every ZIP with something in it begins so; the rest is for the import to look at. */
const signature = Buffer.from('PK\x03\x04', 'latin1')

/** @throws {UnusableFile} when the bytes do not begin like a ZIP. */
export async function inspectZip(storage: Storage, key: string) {
  // What is called ready must still be there after the machine lost its power.
  await storage.settle(key)
  const head = await buffer(storage.read(key, { start: 0, end: signature.length - 1 }))
  if (!head.equals(signature)) throw new UnusableFile(problems.importType)
  return { contentType: 'application/zip', durationSeconds: null, width: null, height: null }
}
