/** Both ends included. */
export type ByteRange = { start: number; end: number }

/**
 * What a Range header asks of a file of `size` bytes (RFC 9110, section 14): one range; 'all' when there
 * is no header, when it makes no sense, or when it names several ranges; 'none' when it lies outside.
 */
export function requestedRange(header: string | null, size: number): ByteRange | 'all' | 'none' {
  // One pattern for blanks and digits alike would try every way to tell them apart: minutes for a long header.
  const match = /^bytes=([^-]*)-([^-]*)$/i.exec(header ?? '')
  const [first = '', last = ''] = (match ?? []).slice(1).map((part) => part.trim())
  if (first === '' && last === '') return 'all'
  if (!/^\d*$/.test(first) || !/^\d*$/.test(last)) return 'all'
  if (first === '') {
    const length = Math.min(Number(last), size)
    return length === 0 ? 'none' : { start: size - length, end: size - 1 }
  }
  const start = Number(first)
  if (last !== '' && Number(last) < start) return 'all'
  if (start >= size) return 'none'
  return { start, end: last === '' ? size - 1 : Math.min(Number(last), size - 1) }
}
