// One hostile request to a call or a door: what is wrong with it is the values, the bytes, the address or the headers.
import { hostileBody } from './hostile-bodies.ts'
import {
  hostileHeaders,
  hostileQuery,
  hostileSegment,
  hostileValue,
  spoiled,
  valueOf,
} from './hostile-values.ts'
import type { Random } from './random.ts'

/** Something that answers requests: a call of the contract, or a door beside it. */
export interface Attacked {
  name: string
  method: string
  /** With `{name}` for the parts that the input names. */
  path: string
  /** JSON Schema of its input. */
  schema?: { properties?: Record<string, object> }
  /** Form fields instead of JSON. */
  isForm?: boolean
  /** Sent with every request, before what spoils it. */
  headers?: Record<string, string>
}

export interface HostileRequest {
  method: string
  /** As it goes over the wire: percent-encoded, maybe wrongly. */
  path: string
  headers: Record<string, string>
  body?: Buffer
  /** Closes the connection in the middle of it. */
  isCut?: boolean
}

/** An address has room for text only, and for whole characters. */
const asText = (value: unknown) =>
  (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).toWellFormed()

/** Characters of a field of a form: more than any of them takes. */
const mostField = 200_000

/** Node's parser refuses longer ones for all of us, and says so. */
const longest = 12_000

function place(attacked: Attacked, input: Record<string, unknown>): HostileRequest {
  const rest = { ...input }
  const path = attacked.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest[name]
    delete rest[name]
    return encodeURIComponent(asText(value)).slice(0, longest / 3)
  })
  const { method, headers = {} } = attacked
  if (method === 'GET' || method === 'HEAD' || attacked.isForm) {
    const fields = new URLSearchParams(
      Object.entries(rest).map(([key, value]) => [key, asText(value).slice(0, mostField)]),
    )
    if (!attacked.isForm) {
      const query = String(fields).slice(0, longest / 2)
      return { method, headers, path: query ? `${path}?${query}` : path }
    }
    const type = 'application/x-www-form-urlencoded'
    return {
      method,
      path,
      headers: { 'content-type': type, ...headers },
      body: Buffer.from(String(fields)),
    }
  }
  return {
    method,
    path,
    headers: { 'content-type': 'application/json', ...headers },
    body: Buffer.from(JSON.stringify(rest)),
  }
}

const otherMethods = [
  'GET',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'HEAD',
  'OPTIONS',
  'PROPFIND',
  'TRACE',
]

export function hostileRequest(
  attacked: Attacked,
  valid: Record<string, unknown>,
  random: Random,
): HostileRequest {
  const names = Object.keys(attacked.schema?.properties ?? {})
  const request = place(attacked, valid)
  switch (random.below(20)) {
    case 0: {
      const parts = [...attacked.path.matchAll(/\{\w+\}/g)].map(([part]) => part)
      if (parts.length === 0)
        return { ...request, path: `${request.path}/${hostileSegment(random)}` }
      const path = attacked.path.replace(random.pick(parts), () => hostileSegment(random))
      return place({ ...attacked, path }, valid)
    }
    case 1:
    case 2: {
      const path = `${request.path.split('?')[0]}?${hostileQuery(names, random)}`
      return { ...request, path: path.slice(0, longest) }
    }
    case 3:
      return { ...request, headers: { ...request.headers, ...hostileHeaders(random) } }
    case 4:
      return { ...request, method: random.pick(otherMethods) }
    case 5:
    case 6:
    case 7:
    case 8: {
      if (request.body === undefined) break
      const { body, headers } = hostileBody(valid, random)
      const { 'content-type': _, ...others } = request.headers
      return { ...request, body, headers: { ...others, ...headers } }
    }
    case 9:
      if (request.body === undefined || !random.chance(20)) break
      return { ...request, isCut: true }
    case 10:
    case 11:
    case 12: {
      const made = valueOf({ type: 'object', ...attacked.schema }, random)
      const isObject = typeof made === 'object' && made !== null && !Array.isArray(made)
      // What opens the door stays: behind it is more.
      if (isObject)
        return place(attacked, {
          ...(made as object),
          ...(random.chance(70) ? partsOf(attacked, valid) : {}),
        })
      return request.body ? { ...request, body: Buffer.from(JSON.stringify(made) ?? '') } : request
    }
    default:
  }
  if (Object.keys(valid).length === 0) {
    const name = names.length > 0 ? random.pick(names) : 'x'
    return place(attacked, { [name]: hostileValue(random) })
  }
  return place(attacked, spoiled(valid, names, random))
}

/** What the address says. */
function partsOf({ path }: Attacked, valid: Record<string, unknown>) {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)
  return Object.fromEntries(names.map((name) => [name, valid[name]]))
}

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

/** To be sent again by hand. */
export function asCurl(
  origin: string,
  { method, path, headers, body, isCut }: HostileRequest,
): string {
  const lines = Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`)
  const binary = body && body.length > 0 ? `echo ${body.toString('base64')} | base64 -d | ` : ''
  const data = binary ? ['--data-binary @-'] : []
  const cut = isCut ? ' # cut in the middle' : ''
  return `${binary}curl -iX ${method} --path-as-is ${[...lines, ...data].join(' ')} ${quoted(origin + path)}${cut}`
}
