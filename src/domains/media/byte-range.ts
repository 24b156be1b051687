/** Both ends included. */
export type ByteRange = { start: number; end: number }

/**
 * What a Range header asks of a file of `size` bytes (RFC 9110, section 14): one range; 'all' when there
 * is no header, when it makes no sense, or when it names several ranges; 'none' when it lies outside.
 */
export function requestedRange(header: string | null, size: number): ByteRange | 'all' | 'none' {
  const match = /^bytes=\s*(\d*)\s*-\s*(\d*)\s*$/i.exec(header ?? '')
  if (!match) return 'all'
  const [first, last] = [match[1] ?? '', match[2] ?? '']
  if (first === '' && last === '') return 'all'
  if (first === '') {
    const length = Math.min(Number(last), size)
    return length === 0 ? 'none' : { start: size - length, end: size - 1 }
  }
  const start = Number(first)
  if (last !== '' && Number(last) < start) return 'all'
  if (start >= size) return 'none'
  return { start, end: last === '' ? size - 1 : Math.min(Number(last), size - 1) }
}
