const [quote, backslash, comma] = [0x22, 0x5c, 0x2c]
const isOpening = (byte: number) => byte === 0x5b || byte === 0x7b
const isClosing = (byte: number) => byte === 0x5d || byte === 0x7d

/**
 * How deep JSON is nested, and how many parts it has at most: lists, objects, and what stands in them. Nothing is kept of it:
 * what a parser has open lies outside the memory that a thread is allowed. Ends early when either is more than it may be.
 */
export function jsonExtent(
  bytes: Uint8Array,
  most: { depth: number; parts: number },
): { depth: number; parts: number } {
  let [open, depth, parts] = [0, 0, 0]
  let isText = false
  for (let at = 0; at < bytes.length && depth <= most.depth && parts <= most.parts; at += 1) {
    const byte = bytes[at]!
    if (isText) {
      if (byte === backslash) at += 1
      else if (byte === quote) isText = false
    } else if (byte === quote) {
      isText = true
    } else if (isOpening(byte)) {
      parts += 1
      open += 1
      depth = Math.max(depth, open)
    } else if (isClosing(byte)) {
      open -= 1
    } else if (byte === comma) {
      parts += 1
    }
  }
  return { depth, parts }
}
