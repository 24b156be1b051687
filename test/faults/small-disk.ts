// A disk of its own, of a few megabytes, that can be full or read-only. It needs root, as mounting does.
import { execFile, execFileSync } from 'node:child_process'
import { mkdtempSync, rmdirSync } from 'node:fs'
import { mkdir, mkdtemp, open, rm, rmdir, truncate } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { onTestFinished, vi } from 'vitest'
import { patience } from '../patience.ts'

const run = promisify(execFile)

/** Why there can be none here; null when there can. */
export function whyNoSmallDisk(): string | null {
  const folder = mkdtempSync(join(tmpdir(), 'thunder-disk-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'none', folder], { stdio: 'ignore' })
    execFileSync('umount', [folder])
    return null
  } catch {
    return 'only root may mount a disk, and not in every container'
  } finally {
    rmdirSync(folder)
  }
}

/** Gone after the test. */
export async function mountSmallDisk(megabytes: number) {
  const folder = await mkdtemp(join(tmpdir(), 'thunder-disk-'))
  await run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=755`, 'none', folder])
  onTestFinished(async () => {
    await run('umount', ['--lazy', folder])
    await rmdir(folder)
  })
  const ballast = join(folder, 'ballast')
  return {
    folder,
    /** To the last byte, unless some are to be left. */
    async fill(left = 0) {
      const file = await open(ballast, 'a')
      // Somebody else may write at the same time, so there is no asking first.
      const fillBy = async (bytes: number): Promise<void> => {
        const block = Buffer.alloc(bytes)
        for (;;) await file.write(block)
      }
      const isFull = (error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOSPC') throw error
      }
      await fillBy(1024 * 1024).catch(isFull)
      await fillBy(4096).catch(isFull)
      if (left > 0) await file.truncate((await file.stat()).size - left)
      await file.close()
    },
    free: () => rm(ballast),
    /** As soon as nobody has a file open there to write. */
    readOnly: (isSo: boolean) =>
      vi.waitFor(() => run('mount', ['-o', `remount,${isSo ? 'ro' : 'rw'}`, folder]), patience),
  }
}

const imageIn = (folder: string) => join(folder, 'image')

/** A file system in a file, as a disk has one. */
async function makeFileSystem(folder: string, megabytes: number): Promise<string> {
  const image = imageIn(folder)
  await (await open(image, 'w')).close()
  await truncate(image, megabytes * 1024 * 1024)
  await run('mkfs.ext4', ['-q', '-F', image])
  const mounted = join(folder, 'mounted')
  await mkdir(mounted)
  await run('mount', ['-o', 'loop', image, mounted])
  return mounted
}

/** Why there can be no disk that breaks here; null when there can. */
export async function whyNoBreakingDisk(): Promise<string | null> {
  const folder = await mkdtemp(join(tmpdir(), 'thunder-disk-'))
  try {
    await run('umount', [await makeFileSystem(folder, 8)])
    return null
  } catch {
    return 'only root may mount a file as a disk, and not in every container'
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** One that the kernel makes read-only in the middle of everything, as it does after an error of the disk. */
export async function mountBreakingDisk(megabytes: number) {
  const folder = await mkdtemp(join(tmpdir(), 'thunder-disk-'))
  const mounted = await makeFileSystem(folder, megabytes)
  onTestFinished(async () => {
    await run('umount', ['--lazy', mounted]).catch(() => {})
    await rm(folder, { recursive: true, force: true })
  })
  return {
    folder: mounted,
    break: () => run('mount', ['-o', 'remount,abort', mounted]),
    /** What an operator does when nothing uses it any more. */
    async repair() {
      await vi.waitFor(() => run('umount', [mounted]), patience)
      // 1: it was repaired.
      await run('e2fsck', ['-f', '-y', imageIn(folder)]).catch((error: { code?: number }) => {
        if (error.code !== 1) throw error
      })
      await run('mount', ['-o', 'loop', imageIn(folder), mounted])
    },
  }
}
