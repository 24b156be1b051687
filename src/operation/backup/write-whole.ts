import { open, rename } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Beside its place first, then moved there when it is on the disk: half of it is never met, also when the power goes. */
export async function writeWhole(file: string, content: string | Uint8Array): Promise<void> {
  const draft = `${file}.unfinished`
  const handle = await open(draft, 'w', 0o600)
  try {
    await handle.writeFile(content)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(draft, file)
  // Windows cannot open a folder, and keeps its names on disk without being told.
  if (process.platform === 'win32') return
  const parent = await open(dirname(file), 'r')
  await parent.sync().finally(() => parent.close())
}
