import type { DataStore } from '@tus/server'
import { databaseFull } from './database-problem.ts'

/** What is known of an upload that is under way; its row is all there is to know. */
export interface UploadRows {
  find(id: string): Promise<{ sizeBytes: number; createdAt: Date } | null>
  /** Milliseconds after which an unfinished upload cannot be continued. */
  keptFor: number
}

/**
 * Where uploaded bytes live: on this machine's disk, or in an object store that several nodes share. Keys are
 * made by the server, never by a person, and are paths: whatever begins with `folder/` is in that folder.
 */
export interface Storage {
  put(key: string, bytes: Uint8Array): Promise<void>
  /**
   * A file as long as what comes, of which `size` says how much to be ready for. When it ends with an error,
   * nothing is stored.
   */
  write(key: string, chunks: AsyncIterable<Uint8Array>, size: number): Promise<void>
  /** A file of this machine becomes the bytes of a key, and is gone from where it was. */
  adopt(key: string, file: string): Promise<void>
  /** The same bytes under another key; removing one leaves the other. Bytes never change once stored. */
  copy(from: string, to: string): Promise<void>
  /** Bytes; null when there is no such key. */
  size(key: string): Promise<number | null>
  /** Both ends included, as in an HTTP range. A key that is not there fails at the first byte. */
  read(key: string, range?: { start: number; end: number }): ReadableStream<Uint8Array>
  /** Runs work that needs a file of this machine, which may be gone afterwards and must not be changed. */
  withFile<Result>(
    key: string,
    work: (path: string) => Promise<Result>,
    signal?: AbortSignal,
  ): Promise<Result>
  /** From now on the bytes survive a loss of power. */
  settle(key: string): Promise<void>
  /** A key, or a folder with all that is in it; an upload under way as well. */
  remove(key: string): Promise<void>
  /** Names right under a folder, of files, folders and uploads under way. */
  names(folder: string): Promise<string[]>
  /** All files under a folder, as paths from there; '' is everything. */
  files(folder: string): Promise<string[]>
  /** When a key or something in a folder was last stored; null when there is nothing. */
  changedAt(key: string): Promise<Date | null>
  /** Bytes that still fit. */
  room(): Promise<number>
  /** Uploads that come in pieces, by tus; each ends as the key `uploads/{id}`. */
  uploads(rows: UploadRows): DataStore
}

/** The store did not do what was asked, or did not answer: no fault of whoever asked. */
export class StoreFailure extends Error {
  /** As of a disk that is full. */
  readonly code: 'ENOSPC' | 'ESTORE'

  constructor(message: string, { isFull, cause }: { isFull: boolean; cause?: unknown }) {
    super(message, { cause })
    this.code = isFull ? 'ENOSPC' : 'ESTORE'
  }
}

export const storeProblem = 'Files cannot be reached at the moment. Please try again in a minute.'

/** What a disk says of itself, as the system's codes: it takes nothing, is broken, or is gone. */
const ofDisk = new Set(['EROFS', 'EIO', 'EACCES', 'EPERM', 'ENODEV', 'ENXIO', 'ESTALE'])

/** The disk, or what this account may use of it, is full; or so is the object store. */
export const isOutOfRoom = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && ['ENOSPC', 'EDQUOT'].includes(String(error.code))

/** What to tell people when files could not be stored or read; null for any other error. */
export function storeProblemOf(error: unknown): string | null {
  if (isOutOfRoom(error)) return databaseFull
  if (error instanceof StoreFailure) return storeProblem
  const { code = '', syscall } = (error ?? {}) as NodeJS.ErrnoException
  return syscall !== undefined && ofDisk.has(code) ? storeProblem : null
}
