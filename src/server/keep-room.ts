import { statfs } from 'node:fs/promises'

/** Bytes of a disk that files leave alone: a database without room would take everybody's work down. */
const keptFree = 100 * 1024 * 1024

/** Bytes from one look at the room to the next. */
const lookEvery = 4 * 1024 * 1024

/** What a disk says that is full. */
const full = () =>
  Object.assign(new Error('less than 100 MB are left on its disk'), { code: 'ENOSPC' })

/**
 * Passes on what is written to a disk, as long as it leaves enough of it free. However many write at once, they look
 * together: each may be small, and all of them are not.
 */
export function keepRoom(room: () => Promise<number>) {
  let unseen = 0
  async function look() {
    unseen = 0
    if ((await room()) < keptFree) throw full()
  }
  return async function* (chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>) {
    await look()
    for await (const chunk of chunks) {
      if (unseen >= lookEvery) await look()
      unseen += chunk.length
      yield chunk
    }
  }
}

/** Bytes that still fit on the disk of a folder. */
export async function roomOf(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

/** Whether so many bytes fit and leave enough of the disk free. */
export const hasRoomFor = async ({ room }: { room(): Promise<number> }, bytes: number) =>
  (await room()) >= bytes + keptFree
