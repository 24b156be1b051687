// What stands in place of a value: texts, numbers and shapes that programs stumble over.
import type { Random } from './random.ts'

/** No host of ours: a redirect or a request there would be somebody else's. */
export const foreignHost = 'elsewhere.example'

const texts = [
  '',
  ' ',
  '\t\r\n',
  '\0',
  'before\0after',
  '\ud800',
  '\udfff\ud800',
  'lone \udc00 half',
  '\ufeff',
  '\uffff\ufffe',
  '\u202eright to left\u202c',
  '\u2066\u2067\u2068',
  '\u200b\u200d\u2060',
  '💩',
  '👩‍👩‍👧‍👦🏳️‍🌈',
  '𝕬𝖉𝖒𝖎𝖓',
  'аdmіn', // Cyrillic
  'ß ﬃ İ ı ǅ',
  'Z\u0351\u036b\u0343\u036a\u0302'.repeat(20),
  '\u0600\u06dd',
  `'; drop table users; --`,
  `' or '1'='1`,
  '") or 1=1 /*',
  '$1',
  '%s%n%x',
  '%',
  '_',
  '\\',
  '\\x00',
  '{{7*7}}',
  '${7*7}',
  '<%= 7*7 %>',
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  'javascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  '../../../../etc/passwd',
  '..\\..\\windows\\win.ini',
  '%2e%2e%2f%2e%2e%2f',
  '%00',
  '%c0%ae%c0%ae/',
  '/dev/zero',
  'a\r\nX-Injected: yes',
  'a\r\n\r\n<html>',
  `//${foreignHost}`,
  `https://${foreignHost}/`,
  `/\\${foreignHost}`,
  `https:${foreignHost}`,
  'http://127.0.0.1:1/',
  'http://169.254.169.254/latest/meta-data/',
  'file:/etc/passwd',
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  '__defineGetter__',
  'null',
  'undefined',
  'NaN',
  'Infinity',
  '-0',
  '0x10',
  '1e3',
  '1e999',
  '01',
  '1.5',
  '9007199254740993',
  '99999999999999999999999999',
  '-1',
  'true',
  '[]',
  '{}',
  '[object Object]',
  '0000-00-00',
  '2026-02-30T25:61:61Z',
  '+275760-09-13T00:00:00.001Z',
  '-271821-04-19T23:59:59Z',
  '9999-12-31T23:59:59.999999999Z',
  '294277-01-01T00:00:00Z',
  '0001-01-01T00:00:00Z',
  '2026-06-15T12:00:00+99:99',
  'infinity',
  'epoch',
  '00000000-0000-0000-0000-000000000000',
  'FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF',
  'urn:uuid:00000000-0000-4000-8000-000000000000',
  '1.00000000-0000-0000-0000-000000000000',
  '99999999999999999999.00000000-0000-0000-0000-000000000000',
  '-1_00000000-0000-0000-0000-000000000000',
  'NaN.00000000-0000-0000-0000-000000000000',
  'a@b',
  '"quoted @ local"@example.com',
  `${'a'.repeat(64)}@${'b'.repeat(250)}.example`,
  'a@example.com\r\nBcc: everybody@example.com',
  'a@[127.0.0.1]',
  '=cmd|calc!A1',
  '@SUM(1)',
  '#ffffff; } body { display: none',
  'url(//x)',
] as const

/** What gets long: a slow pattern shows only there. */
const repeated = [
  'a',
  ' ',
  '\n',
  '\t',
  '-',
  '.',
  '/',
  '@',
  '&',
  '<',
  '((',
  '](',
  '**',
  'https://',
  '@a ',
  'a,',
  '"',
  '\\',
  '💩',
  '\u0301',
  '\0',
  '%25',
  '0',
]

function hostileText(random: Random): string {
  if (random.chance(15)) {
    const times = random.pick([64, 129, 257, 1001, 5001, 10_001, 50_001])
    return random.pick(texts) + random.pick(repeated).repeat(times) + random.pick(texts)
  }
  if (random.chance(15)) return random.pick(texts) + random.pick(texts)
  if (random.chance(10)) {
    // Any sixteen bits, half a character or none.
    const units = Array.from({ length: 1 + random.below(40) }, () => random.below(0x10000))
    return String.fromCharCode(...units)
  }
  return random.pick(texts)
}

const numbers = [
  0,
  -0,
  1,
  -1,
  0.1,
  -0.5,
  1.5,
  4.9e-324,
  1e21,
  1e308,
  -1e308,
  2 ** 31 - 1,
  2 ** 31,
  -(2 ** 31) - 1,
  2 ** 32,
  2 ** 53,
  -(2 ** 53) - 2,
  2 ** 63,
  2 ** 64,
  99,
  32_768,
  8_640_000_000_000_001,
]

/** An own key of that name, as JSON can have it and a literal cannot. */
const withKey = (key: string, value: unknown) => Object.fromEntries([[key, value]])

const dangerousKeys = ['__proto__', 'constructor', 'prototype', 'toString', 'then', 'toJSON', '']

function hostileObject(random: Random): unknown {
  const key = random.pick(dangerousKeys)
  const polluting = { polluted: 'yes', access: 'public', role: 'admin', length: 1e9 }
  return withKey(key, random.pick<unknown>([polluting, withKey('prototype', polluting), null, 'x']))
}

function deepValue(random: Random): unknown {
  let value: unknown = random.pick<unknown>([null, 1, 'x', {}])
  const depth = random.pick([10, 100, 1000])
  const isArray = random.chance(50)
  for (let level = 0; level < depth; level += 1) value = isArray ? [value] : { content: value }
  return value
}

const richTexts = (random: Random): unknown => {
  const leaf = {
    type: random.pick(['text', 'hardBreak', 'image', 'video', '__proto__', 'script', 'doc']),
    text: hostileText(random),
    attrs: { src: hostileText(random), href: hostileText(random), level: random.pick(numbers) },
    marks: [
      { type: random.pick(['link', 'bold', 'constructor']), attrs: { href: hostileText(random) } },
    ],
  }
  const type = random.pick([
    'paragraph',
    'heading',
    'bulletList',
    'codeBlock',
    'blockquote',
    'text',
  ])
  return { type: 'doc', content: [{ type, attrs: leaf.attrs, content: [leaf] }] }
}

export function hostileValue(random: Random): unknown {
  switch (random.below(12)) {
    case 0:
      return random.pick([null, true, false])
    case 1:
    case 2:
      return random.pick(numbers)
    case 3:
      return hostileObject(random)
    case 4:
      return random.pick<unknown>([[], {}, [null], [[]], [[[[]]]], [{}], ['', '']])
    case 5:
      return deepValue(random)
    case 6:
      return Array.from({ length: random.pick([2, 51, 101, 1001]) }, () => random.pick(texts))
    case 7:
      return richTexts(random)
    default:
      return hostileText(random)
  }
}

/** Characters of what is repeated: twice what any call takes, and no more than we can hold ourselves. */
const mostText = 4_000_000

/** Like `value`, and yet not. */
function near(value: unknown, random: Random): unknown {
  if (typeof value === 'string') {
    const at = random.below(value.length + 1)
    const piece = hostileText(random)
    return random.pick([
      value.slice(0, at) + piece + value.slice(at),
      value.slice(0, at),
      value + value,
      value.toUpperCase(),
      ` ${value} `,
      [value],
      { [value.slice(0, 20)]: value },
      piece,
    ])
  }
  if (typeof value === 'number') {
    const other = random.pick(numbers)
    return random.pick([-value, value + 0.5, value * 1e9, String(value), [value], other, other])
  }
  if (Array.isArray(value)) {
    if (random.chance(30)) return { ...value }
    if (random.chance(30)) return [...value, hostileValue(random)]
    const length = random.pick([0, 2, 60, 1001])
    const most = mostText / ((JSON.stringify(value[0]) ?? '').length + 1)
    // Each one of its own: what is spoiled next in one of them would grow in all of them.
    return Array.from({ length: Math.min(length, Math.ceil(most)) }, () =>
      structuredClone(value[0]),
    )
  }
  if (typeof value === 'object' && value !== null) {
    if (random.chance(30)) return [value]
    if (random.chance(30)) return Object.values(value)
    return { ...value, ...(hostileObject(random) as object) }
  }
  return hostileValue(random)
}

type Node = Record<string, unknown>

/** Every place in `value` that holds something, as the object and the key in it. */
function placesIn(value: unknown, found: [Node, string][] = []): [Node, string][] {
  if (typeof value !== 'object' || value === null) return found
  for (const key of Object.keys(value)) {
    found.push([value as Node, key])
    placesIn((value as Node)[key], found)
  }
  return found
}

/** A copy of a valid input with some of it spoiled; `names` are what the input may have beside what it has. */
export function spoiled(
  valid: Record<string, unknown>,
  names: readonly string[],
  random: Random,
): Record<string, unknown> {
  const copy = structuredClone(valid)
  if (random.chance(10)) {
    const name =
      random.chance(50) && names.length > 0 ? random.pick(names) : random.pick(dangerousKeys)
    const value = hostileValue(random)
    Object.defineProperty(copy, name, {
      value,
      configurable: true,
      enumerable: true,
      writable: true,
    })
  }
  const times = random.pick([1, 1, 1, 1, 2, 3])
  for (let time = 0; time < times; time += 1) {
    const places = placesIn(copy)
    if (places.length === 0) return copy
    const [holder, key] = random.pick(places)
    if (random.chance(8)) delete holder[key]
    else holder[key] = random.chance(50) ? near(holder[key], random) : hostileValue(random)
  }
  return copy
}

interface JsonSchema {
  type?: string
  properties?: Record<string, JsonSchema>
  items?: JsonSchema
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  enum?: unknown[]
  const?: unknown
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
}

const edge = (random: Random, low: number, high: number) =>
  random.pick([low - 1, low, high, high + 1, Math.round((low + high) / 2)])

/** Something of the right kind at or over its limits, with hostile texts in it. */
export function valueOf(schema: JsonSchema, random: Random): unknown {
  if (random.chance(4)) return hostileValue(random)
  const either = schema.anyOf ?? schema.oneOf
  if (either) return valueOf(random.pick(either), random)
  if ('const' in schema) return schema.const
  if (schema.enum) return random.chance(85) ? random.pick(schema.enum) : hostileText(random)
  switch (schema.type) {
    case 'object': {
      const entries = Object.entries(schema.properties ?? {}).filter(() => random.chance(90))
      return Object.fromEntries(entries.map(([name, part]) => [name, valueOf(part, random)]))
    }
    case 'array': {
      const length = edge(random, schema.minItems ?? 0, Math.min(schema.maxItems ?? 3, 50))
      const { items = {} } = schema
      return Array.from({ length: Math.max(0, length) }, () => valueOf(items, random))
    }
    case 'string': {
      const length = edge(random, schema.minLength ?? 0, Math.min(schema.maxLength ?? 20, 20_000))
      const text = hostileText(random)
      return random.chance(50) ? text : text.padEnd(Math.max(0, length), 'ä')
    }
    case 'integer':
    case 'number':
      return random.chance(50)
        ? edge(random, schema.minimum ?? 0, schema.maximum ?? 100)
        : random.pick(numbers)
    case 'boolean':
      return random.chance(50)
    default:
      return hostileValue(random)
  }
}

/** For one part of an address, percent-encoded or broken as it may be. */
export function hostileSegment(random: Random): string {
  return random.pick([
    encodeURIComponent(hostileText(random).slice(0, 3000).toWellFormed()),
    '%',
    '%00',
    '%ff',
    '%E0%A4%A',
    '%ed%a0%80',
    '%25',
    '%2500',
    '.',
    '..',
    '%2e%2e',
    '%2e%2e%2f%2e%2e%2fetc%2fpasswd',
    '..%5c..%5c',
    '%F0%9F%92%A9',
    '-',
    '*',
    ':id',
    '{id}',
    '',
    '00000000-0000-0000-0000-000000000000',
    'undefined',
    '[object%20Object]',
    'x'.repeat(6000),
    ';a=b',
    '%3f',
    '%23',
    '%0d%0aX-Injected:%20yes',
  ])
}

/** For the query of an address, with the names that the call knows. */
export function hostileQuery(names: readonly string[], random: Random): string {
  const known = ['cursor', 'search', 'sort', 'show', 'page', 'to', 'q', 'tab', 'days', 'token']
  const parts = Array.from({ length: 1 + random.below(4) }, () => {
    const name = random.chance(60) && names.length > 0 ? random.pick(names) : random.pick(known)
    const suffix = random.pick([
      '',
      '',
      '',
      '[]',
      '[0]',
      '[x]',
      '[__proto__]',
      '[constructor][prototype]',
      '[',
      ']',
      '[100000000]',
      '[a][b][c][d][e]',
      '.x',
    ])
    return `${name}${suffix}=${hostileSegment(random).slice(0, 4000)}`
  })
  if (random.chance(5)) parts.push('a[0]'.repeat(random.pick([50, 300])))
  if (random.chance(5)) parts.push('__proto__[polluted]=yes&constructor[prototype][polluted]=yes')
  if (random.chance(5)) parts.push('x=1&'.repeat(random.pick([50, 2000])))
  if (random.chance(5)) parts.push(random.pick(['%', '&&&&', '=', '?', '#', '%ed%a0%80=%ff']))
  return parts.join('&')
}

export function hostileHeaders(random: Random): Record<string, string> {
  const long = 'x'.repeat(random.pick([100, 4000, 12_000]))
  const text = Buffer.from(hostileText(random).slice(0, 2000))
    .toString('latin1')
    // Node's own client refuses to send these.
    .replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, '')
  const any = () => random.pick([text, long, '', ',', ';', '=', '%00', '-1', '\xff\xfe', '*'])
  const makers: (() => Record<string, string>)[] = [
    () => ({
      host: random.pick([foreignHost, `${foreignHost}:80`, 'localhost:3000@x', '[::1', '', text]),
    }),
    () => ({ 'x-forwarded-for': random.pick(['127.0.0.1', '::1', `${long}, 1.2.3.4`, text]) }),
    () => ({ 'x-forwarded-host': foreignHost, 'x-forwarded-proto': random.pick(['https', 'x']) }),
    () => ({ forwarded: `for="[::1]";host=${foreignHost};proto=https` }),
    () => ({ 'x-original-url': '/admin', 'x-rewrite-url': '/admin' }),
    () => ({ 'x-http-method-override': random.pick(['DELETE', 'PUT', text]) }),
    () => ({
      range: random.pick([
        'bytes=0-',
        'bytes=-1',
        'bytes=9-1',
        `bytes=${'0-0,'.repeat(2000)}`,
        'bytes=1e9-',
        'x=0-1',
        any(),
      ]),
    }),
    () => ({ 'if-none-match': random.pick(['*', 'W/""', '"', any()]), 'if-modified-since': any() }),
    () => ({ 'accept-language': random.pick([any(), `${'en;q=0.1,'.repeat(1000)}`]) }),
    () => ({ accept: random.pick([any(), 'text/event-stream', 'application/xml', '*/*;q=x']) }),
    () => ({ 'accept-encoding': random.pick([any(), 'gzip;q=NaN', 'identity;q=0, *;q=0', 'br']) }),
    () => ({
      cookie: random.pick([
        any(),
        'thunder.session_token=',
        'thunder.session_token=a.b; thunder.session_token=c',
        `${'a=b; '.repeat(800)}`,
        '__proto__=x; constructor=y',
        'thunder.session_token=%',
        'theme=%00',
      ]),
    }),
    () => ({ origin: random.pick(['null', `https://${foreignHost}`, 'http://', any()]) }),
    () => ({ referer: random.pick([`https://${foreignHost}/`, any()]) }),
    () => ({ authorization: random.pick([any(), 'Bearer ', 'Basic Og==', 'Bearer a.b.c']) }),
    () => ({ 'user-agent': any() }),
    () => ({ 'last-event-id': random.pick([any(), '-1', '99999999999999999999', '0']) }),
    () => ({ 'stripe-signature': random.pick([any(), 't=1,v1=0', `t=${'9'.repeat(300)},v1=x`]) }),
    () => ({
      'tus-resumable': random.pick(['1.0.0', '0', any()]),
      'upload-length': random.pick(['-1', '1e9', 'NaN', '99999999999999999999', '0', any()]),
    }),
    () => ({
      'tus-resumable': '1.0.0',
      'upload-length': '100',
      'upload-metadata': random.pick([
        'purpose',
        'purpose !!!',
        ',',
        any(),
        `purpose ${'A'.repeat(3000)}`,
        'purpose dmlkZW8=,courseId AAAA,filename Li4vLi4vYQ==',
      ]),
    }),
    () => ({
      'tus-resumable': '1.0.0',
      'upload-offset': random.pick(['0', '-1', '1e9', 'x', '99999999999999999999']),
      'content-type': 'application/offset+octet-stream',
    }),
    () => ({ 'x-request-id': any(), traceparent: any() }),
    () => ({ expect: random.pick(['100-continue', 'nonsense']) }),
    () => ({
      connection: random.pick(['close', 'upgrade', 'keep-alive, te']),
      upgrade: 'websocket',
    }),
  ]
  return Object.assign(
    {},
    ...Array.from({ length: random.pick([1, 1, 2, 3]) }, () => random.pick(makers)()),
  )
}
