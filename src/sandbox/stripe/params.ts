import { Refusal, wrong } from './refusal.ts'

/** What a form's body or a query says: text, and lists and groups of it. */
type Given = string | Given[] | { [field: string]: Given }
export type Group = { [field: string]: Given }

interface Kinds {
  text: string
  integer: number
  yesNo: boolean
  metadata: Record<string, string>
  texts: string[]
  group: Group
  groups: Group[]
}

type Kind = keyof Kinds
type Fields = Record<string, Kind | `${Kind}!`>

type Read<Spec extends Fields> = {
  [Field in keyof Spec]: Spec[Field] extends `${infer Name extends Kind}!`
    ? Kinds[Name]
    : Spec[Field] extends Kind
      ? Kinds[Spec[Field]] | undefined
      : never
}

const placeOf = (path: string, field: string) => (path ? `${path}[${field}]` : field)

function isGroup(value: Given | undefined): value is Group {
  return typeof value === 'object' && !Array.isArray(value)
}

function listOf(value: Given): Given[] | null {
  if (Array.isArray(value)) return value
  // An empty list is sent as an empty text; more than the parser's limit arrives as a group.
  if (value === '') return []
  if (!isGroup(value) || !Object.keys(value).every((key) => /^\d+$/.test(key))) return null
  return Object.values(value)
}

function convert(kind: Kind, value: Given, place: string): Kinds[Kind] {
  switch (kind) {
    case 'text':
      if (typeof value === 'string') return value
      throw wrong(`Invalid string: ${place}`, place)
    case 'integer':
      if (typeof value === 'string' && /^-?\d{1,15}$/.test(value)) return Number(value)
      throw wrong(`Invalid integer: ${String(value)}`, place, 'parameter_invalid_integer')
    case 'yesNo':
      if (value === 'true' || value === 'false') return value === 'true'
      throw wrong(`Invalid boolean: ${String(value)}`, place)
    case 'metadata': {
      if (value === '') return {}
      if (!isGroup(value)) throw wrong('Invalid hash', place)
      const pairs = Object.entries(value)
      if (pairs.length > 50) throw wrong('Metadata can have at most 50 keys', place)
      for (const [key, content] of pairs) {
        if (typeof content !== 'string' || content.length > 500 || key.length > 40) {
          throw wrong('Metadata values can have up to 500 characters', placeOf(place, key))
        }
      }
      return Object.fromEntries(pairs) as Record<string, string>
    }
    case 'group':
      if (isGroup(value)) return value
      if (value === '') return {}
      throw wrong('Invalid hash', place)
    case 'texts':
    case 'groups': {
      const list = listOf(value)
      const fits = (entry: Given) => (kind === 'texts' ? typeof entry === 'string' : isGroup(entry))
      if (!list?.every(fits)) throw wrong('Invalid array', place)
      return list as string[] | Group[]
    }
  }
}

/**
 * Reads the parameters that are known; like Stripe it refuses all others.
 * @throws Refusal parameter_unknown, parameter_missing or what is wrong with a value
 */
export function readParams<const Spec extends Fields>(
  given: Group,
  spec: Spec,
  path = '',
): Read<Spec> {
  for (const field of Object.keys(given)) {
    if (field in spec) continue
    const place = placeOf(path, field)
    throw wrong(`Received unknown parameter: ${place}`, place, 'parameter_unknown')
  }
  const read: Record<string, unknown> = {}
  for (const [field, wanted] of Object.entries(spec)) {
    const kind = wanted.replace('!', '') as Kind
    const value = given[field]
    const place = placeOf(path, field)
    if (value === undefined) {
      if (!wanted.endsWith('!')) continue
      throw new Refusal(400, `Missing required param: ${place}.`, {
        type: 'invalid_request_error',
        code: 'parameter_missing',
        param: place,
      })
    }
    read[field] = convert(kind, value, place)
  }
  return read as Read<Spec>
}

/** Of every list. */
export const pageFields = {
  limit: 'integer',
  starting_after: 'text',
  ending_before: 'text',
  created: 'group',
} as const

/** Metadata after a change: an empty value removes its key. */
export function mergedMetadata(
  before: Record<string, string>,
  change: Record<string, string> | undefined,
): Record<string, string> {
  const merged = { ...before, ...change }
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== ''))
}
