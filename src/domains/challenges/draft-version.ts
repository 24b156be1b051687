import { createHash } from 'node:crypto'
import type { NewChallenge } from './schema.ts'

/** Names what the form of a draft holds, and nothing else. */
export function draftVersion({ kind, title, prize, rules, opensAt, closesAt }: NewChallenge) {
  const facts = JSON.stringify([kind, title, prize, rules, opensAt, closesAt])
  return createHash('sha256').update(facts).digest('base64url').slice(0, 22)
}
