import { buffer } from 'node:stream/consumers'
import type { Storage } from '../../server/storage.ts'

/** Answers as many bytes from there as the file has, at most those asked for. */
export type ReadAt = (start: number, length: number) => Promise<Buffer>

/** Small reads that follow each other come from one piece: each may be a request to another machine. */
const piece = 64 * 1024

export function readerOf(storage: Storage, key: string, size: number): ReadAt {
  let [at, held] = [0, Buffer.alloc(0)]
  return async (start, length) => {
    const wanted = Math.min(length, size - start)
    if (wanted <= 0) return Buffer.alloc(0)
    if (start < at || start + wanted > at + held.length) {
      const end = Math.min(start + Math.max(piece, wanted), size) - 1
      ;[at, held] = [start, await buffer(storage.read(key, { start, end }))]
    }
    return held.subarray(start - at, start - at + wanted)
  }
}
