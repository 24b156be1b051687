// What stands in place of a JSON body: broken texts, wrong encodings and other kinds of content.
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import type { Random } from './random.ts'

export interface HostileBody {
  body: Buffer
  headers: Record<string, string>
}

const json = { 'content-type': 'application/json' }

const whole = [
  '',
  ' ',
  '{',
  '}',
  '[]',
  '"text"',
  '5',
  '-',
  '1e999',
  'null',
  'true',
  '{}',
  '{"a":1,}',
  "{'a':1}",
  '{a:1}',
  '{"a":undefined}',
  '{"a":NaN}',
  '{"a":\t1}\0',
  '// comment\n{}',
  '{"a":"\\ud800"}',
  '{"a":"\\u"}',
  '{"a":"\n"}',
  '{"__proto__":{"polluted":"yes"},"constructor":{"prototype":{"polluted":"yes"}}}',
  '\ufeff{}',
  '\0',
  '{"a":1}{"a":2}',
  `${'['.repeat(5000)}${']'.repeat(5000)}`,
  `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`,
  '['.repeat(100_000),
  `[${'0,'.repeat(20_000)}0]`,
  `{${Array.from({ length: 3000 }, (_, index) => `"k${index}":1`).join(',')}}`,
]

function spoiledText(text: string, random: Random): string {
  const at = random.below(text.length + 1)
  const piece = random.pick([
    '"',
    '{',
    '}',
    ',',
    ':',
    '\\',
    '\0',
    '\n',
    '[',
    'e',
    '-',
    '\ufeff',
    '/**/',
  ])
  switch (random.below(7)) {
    case 0:
      return text.slice(0, at)
    case 1:
      return text.slice(0, at) + piece + text.slice(at)
    case 2:
      return text.slice(0, at) + text.slice(at + 1 + random.below(5))
    case 3:
      // The same name twice: which one counts?
      return text.replace('{"', '{"courseId":null,"courseId":{"__proto__":null},"')
    case 4:
      return text.replace(/\d+/, random.pick(['1e400', '-0', '0x10', '00', '1E+9999', '.5', '+1']))
    case 5:
      return text.replace(/:"/, random.pick([':"\\u0000', ':"\\ud800', ':"\\x00', ':"\u0007']))
    default:
      return text + text
  }
}

/** Half a megabyte of text that nobody meant to send. */
const bomb = gzipSync(Buffer.alloc(5_000_000, 0x20))

const multipart = (text: string) =>
  `--x\r\ncontent-disposition: form-data; name="__proto__[a]"\r\n\r\n1\r\n--x\r\n` +
  `content-disposition: form-data; name="courseId"; filename="../../x"\r\ncontent-type: application/json\r\n\r\n${text}\r\n--x--\r\n`

export function hostileBody(valid: unknown, random: Random): HostileBody {
  const text = JSON.stringify(valid) ?? 'null'
  const bytes = Buffer.from(text)
  const typed = (type: string, body: Buffer | string = bytes): HostileBody => ({
    body: Buffer.from(body),
    headers: { 'content-type': type },
  })
  const encoded = (encoding: string, body: Buffer): HostileBody => ({
    body,
    headers: { ...json, 'content-encoding': encoding },
  })
  switch (random.below(24)) {
    case 0:
      return typed('application/json; charset=utf-16', Buffer.from(text, 'utf16le'))
    case 1:
      return typed('application/json', Buffer.from(text, 'utf16le'))
    case 2:
      return typed('application/json; charset=iso-8859-1', Buffer.from(text, 'latin1'))
    case 3:
      return encoded('gzip', gzipSync(bytes))
    case 4:
      return encoded(random.pick(['gzip', 'br', 'deflate']), bomb)
    case 5:
      return encoded(random.pick(['br', 'x', 'gzip, gzip', 'identity']), brotliCompressSync(bytes))
    case 6:
      return encoded('deflate', deflateSync(bytes))
    case 7:
      return typed('multipart/form-data; boundary=x', multipart(text))
    case 8:
      return typed(
        random.pick(['multipart/form-data', 'multipart/form-data; boundary=']),
        multipart(text),
      )
    case 9:
      return typed(
        'application/x-www-form-urlencoded',
        `__proto__[a]=1&courseId[]=x&a[b][c]=d&${'a[0]'.repeat(50)}=1&%=%ff`,
      )
    case 10:
      return typed(
        random.pick([
          'text/plain',
          'application/xml',
          'text/html',
          'nonsense',
          '',
          '*/*',
          'application/octet-stream',
          'image/png',
          'text/event-stream',
          'application/json;;;',
        ]),
      )
    case 11:
      return { body: bytes, headers: {} }
    case 12: {
      const noise = Buffer.from(Array.from({ length: random.below(300) }, () => random.below(256)))
      return typed('application/json', noise)
    }
    case 13: {
      const flipped = Buffer.from(bytes)
      if (flipped.length > 0) flipped[random.below(flipped.length)]! ^= 1 << random.below(8)
      return typed('application/json', flipped)
    }
    case 14:
      // Overlong and broken UTF-8 within a text.
      return typed(
        'application/json',
        Buffer.concat([
          Buffer.from('{"a":"'),
          Buffer.from([0xc0, 0x80, 0xff, 0xed, 0xa0, 0x80]),
          Buffer.from('"}'),
        ]),
      )
    case 15:
      return { body: bytes, headers: { ...json, 'transfer-encoding': 'chunked' } }
    case 16:
    case 17:
    case 18:
    case 19:
      return typed('application/json', random.pick(whole))
    default:
      return typed('application/json', spoiledText(text, random))
  }
}
