import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { requestsBegun } from '../requests-begun.ts'
import { createPasswordLine } from './password-line.ts'

/** More than there are cores gain nothing, and one of Node's four helping threads stays free for files. */
const inLine = createPasswordLine({ atOnce: Math.min(availableParallelism(), 3), requestsBegun })

/** OWASP's first choice: argon2id, 19 MiB, two passes, one lane (the library's default algorithm). */
export const hashPassword = (password: string) =>
  inLine(() => hash(password, { memoryCost: 19_456, timeCost: 2, parallelism: 1 }))

export const isPassword = (stored: string, password: string) =>
  inLine(() => verify(stored, password))
