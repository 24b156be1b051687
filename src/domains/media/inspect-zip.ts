import { open } from 'node:fs/promises'
import { problems } from './rules.ts'
import { UnusableFile } from './unusable-file.ts'

/** Every ZIP with something in it begins so; the rest is for the import to look at. */
const signature = Buffer.from('PK\x03\x04', 'latin1')

/** @throws {UnusableFile} when the bytes do not begin like a ZIP. */
export async function inspectZip(path: string) {
  const file = await open(path, 'r+')
  try {
    // What is called ready must still be there after the machine lost its power.
    await file.sync()
    const head = Buffer.alloc(signature.length)
    await file.read(head, 0, head.length, 0)
    if (!head.equals(signature)) throw new UnusableFile(problems.importType)
  } finally {
    await file.close()
  }
  return { contentType: 'application/zip', durationSeconds: null, width: null, height: null }
}
