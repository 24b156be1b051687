import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { inTurns } from '../turns.ts'

/** More than there are cores gain nothing, and one of Node's four helping threads stays free for files. */
const turns = inTurns(Math.min(availableParallelism(), 3))

async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  const done = await turns.take('password')
  try {
    return await work()
  } finally {
    done()
  }
}

/** OWASP's first choice: argon2id, 19 MiB, two passes, one lane (the library's default algorithm). */
export const hashPassword = (password: string) =>
  inTurn(() => hash(password, { memoryCost: 19_456, timeCost: 2, parallelism: 1 }))

export const isPassword = (stored: string, password: string) =>
  inTurn(() => verify(stored, password))
