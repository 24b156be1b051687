import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { PaymentMode } from '../server/stripe.ts'

const usage = `Say what:
  npm run backup -- a-new-folder                copies database, files and secret while Thunder runs
  npm run restore -- a-backup                   fills an empty DATA_DIR or DATABASE_URL (--without-secret)
  npm run doctor                                says what is wrong and what to do (--files, --json)
  npm run payment-mode -- sandbox|test|live     says which money is in a database, whatever it was before
  npm run sql -- "select 1"                     does one statement in the database, and shows the rows`

const modes: Record<PaymentMode, true> = { sandbox: true, test: true, live: true }
const isMode = (typed: string | undefined): typed is PaymentMode =>
  typed !== undefined && Object.hasOwn(modes, typed)

/** @throws {Error} with how it is used */
export function readCommand(typed: string[]) {
  const options = {
    files: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    'without-secret': { type: 'boolean', default: false },
  } as const
  const { positionals, values } = parseArgs({ args: typed, allowPositionals: true, options })
  const [command, named, ...more] = positionals
  if (more.length === 0) {
    if (command === 'doctor' && named === undefined) return { command, values } as const
    if (command === 'sql' && named !== undefined) return { command, statement: named } as const
    if (command === 'payment-mode' && isMode(named)) return { command, mode: named } as const
    if ((command === 'backup' || command === 'restore') && named !== undefined) {
      return { command, folder: resolve(named), values } as const
    }
  }
  throw new Error(usage)
}
