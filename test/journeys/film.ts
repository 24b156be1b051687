import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** A film that ffmpeg makes as it is told: sources, then how they are coded. */
export async function madeFilm(told: string): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'thunder-film-'))
  const path = join(folder, 'film.mp4')
  await promisify(execFile)('ffmpeg', ['-v', 'error', ...told.split(' '), path])
  const bytes = await readFile(path)
  await rm(folder, { recursive: true })
  return bytes
}
