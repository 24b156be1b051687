import { resolve } from 'node:path'
import { parseArgs } from 'node:util'

const usage = `Say what:
  npm run backup -- a-new-folder                copies database, files and secret while Thunder runs
  npm run restore -- a-backup                   fills an empty DATA_DIR or DATABASE_URL (--without-secret)
  npm run doctor                                says what is wrong and what to do (--files, --json)`

/** @throws {Error} with how it is used */
export function readCommand(typed: string[]) {
  const options = {
    files: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    'without-secret': { type: 'boolean', default: false },
  } as const
  const { positionals, values } = parseArgs({ args: typed, allowPositionals: true, options })
  const [command, folder, ...more] = positionals
  const takesFolder = command === 'backup' || command === 'restore'
  if (more.length > 0 || takesFolder !== (folder !== undefined)) throw new Error(usage)
  if (!takesFolder && command !== 'doctor') throw new Error(usage)
  return { command, folder: resolve(folder ?? ''), values }
}
