import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { pathOf } from './back-up-files.ts'
import { type Manifest, type Part, readManifest, storedFile, type StoredFile } from './manifest.ts'
import { whatIsWrong } from './write-part.ts'

/** Parts that are named when many are wrong. */
const mostNamed = 10

export interface WholeBackup {
  folder: string
  manifest: Manifest
  files: StoredFile[]
}

/** The files of a backup, from its list. */
async function filesOf(folder: string, { files }: Manifest): Promise<StoredFile[]> {
  const lines = createInterface({ input: createReadStream(join(folder, files.path)) })
  const stored: StoredFile[] = []
  for await (const line of lines) stored.push(storedFile.parse(JSON.parse(line)))
  return stored
}

/**
 * Reads the whole backup and compares every part with what was written.
 * @throws {Error} with sentences for people, when a part is damaged, cut or missing
 */
export async function verifyBackup(folder: string): Promise<WholeBackup> {
  const manifest = await readManifest(folder)
  const wrong: string[] = []
  const look = async (part: Part) => {
    const problem = await whatIsWrong(folder, part)
    if (problem) wrong.push(problem)
  }
  for (const table of manifest.tables) await look(table)
  if (manifest.secret.part) await look(manifest.secret.part)
  await look(manifest.files)
  // A list that is damaged says nothing about the files.
  const files = wrong.length === 0 ? await filesOf(folder, manifest) : []
  for (const { key, ...file } of files) await look({ ...file, path: pathOf(key) })
  if (wrong.length > 0) {
    const named = wrong.slice(0, mostNamed).join(', ')
    const more = wrong.length > mostNamed ? ` and ${wrong.length - mostNamed} more` : ''
    throw new Error(
      `This backup cannot be used: ${named}${more}. Nothing was restored. Take another one.`,
    )
  }
  return { folder, manifest, files }
}
