// What of an error may stand in a log: enough to find the fault, nothing of whom it was about.
import { cleanedError } from '../domains/administration/cleaned-error.ts'

/** Errors have causes, which have causes. */
const deepest = 4
const framesKept = 12

/** Names and numbers of the field's own, which say what happened and never to whom. */
const harmless = [
  'code',
  'syscall',
  'errno',
  'severity',
  'schema',
  'table',
  'column',
  'constraint',
  'routine',
  'command',
  'responseCode',
  'status',
  'statusCode',
  'type',
  'requestId',
  'decline_code',
  'param',
] as const

const harmlessValue = (value: unknown) =>
  typeof value === 'number' || (typeof value === 'string' && /^[\w.:[\] -]{1,100}$/.test(value))

/** Where it happened; never the first lines, which are the message. */
const framesOf = (stack: string) =>
  stack
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .slice(0, framesKept)
    .map((line) => line.trim())

/** Of an input or output that does not fit its schema: where, and how. */
function issuesOf(issues: unknown): string[] | undefined {
  if (!Array.isArray(issues)) return undefined
  return issues.slice(0, 10).map(({ path = [], code }: { path?: unknown[]; code?: string }) => {
    const parts = path.map((part) => (/^\w{1,40}$/.test(String(part)) ? String(part) : '…'))
    return `${parts.join('.')}: ${code ?? 'invalid'}`
  })
}

/**
 * An error for the log. PostgreSQL, mail servers and the payment provider repeat in messages and details what they
 * were given; of messages only plain words stay, of the rest what is on our list.
 */
export function tellError(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return { message: cleanedError(String(error)) }
  const facts = error as Error & Record<string, unknown>
  const told: Record<string, unknown> = {
    type: error.constructor?.name ?? error.name,
    message: cleanedError(error.message),
  }
  for (const key of harmless) {
    const value = facts[key]
    if (value === undefined) continue
    if (key === 'type') told.kind = harmlessValue(value) ? value : undefined
    else if (harmlessValue(value)) told[key] = value
  }
  // With $1 in place of values.
  if (typeof facts.query === 'string') told.query = facts.query
  const issues = issuesOf(facts.issues)
  if (issues) told.issues = issues
  told.stack = framesOf(error.stack ?? '')
  if (error.cause !== undefined && depth < deepest) told.cause = tellError(error.cause, depth + 1)
  if (error instanceof AggregateError && depth < deepest) {
    told.errors = error.errors.slice(0, 3).map((one) => tellError(one, depth + 1))
  }
  return told
}

// What repeats has a bound: a line holds what strangers sent.
const secrets: [RegExp, string][] = [
  [/\b(Bearer|Basic)\s+[\w.~+/=-]{8,}/gi, '$1 [secret]'],
  [/\b((?:sk|rk|pk)_(?:test|live)|whsec)_\w+/g, '$1_[secret]'],
  [/([?&](?:token|code|state|key|signature|email)=)[^&\s"\\]+/gi, '$1[secret]'],
  [/\beyJ[\w-]{1,500}\.[\w-]{1,4000}\.[\w-]+/g, '[secret]'],
  [/(Key \([^)]{0,300}\)=)\((?:[^()]|\([^()]{0,300}\)){0,4000}\)/g, '$1(…)'],
]
const mailAddress = /[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[\w-]+(?:\.[\w-]+)+/g
const networkAddress = /\b\d{1,3}(?:\.\d{1,3}){3}\b|\b(?:[0-9a-f]{1,4}:){3,7}[0-9a-f]{1,4}\b/gi

/** A whole line: whatever somebody puts into one, this does not come out. */
export function withoutSecrets(line: string): string {
  let clean = line.includes('@') ? line.replace(mailAddress, '[address]') : line
  for (const [pattern, instead] of secrets) clean = clean.replace(pattern, instead)
  return clean
}

/** What others put into words: also without the network's addresses. */
export const withoutPersonalData = (text: unknown): string =>
  withoutSecrets(String(text)).replace(networkAddress, '[ip]')
