import { readFile, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { runAs } from './runner.ts'

/** What a PostgreSQL server writes about itself into its folder. */
export interface PostmasterFile {
  pid: number
  port: number
}

export async function readPostmasterFile(folder: string): Promise<PostmasterFile | undefined> {
  const content = await readFile(postmasterFile(folder), 'utf8').catch(() => '')
  const [pid, , , port] = content.split('\n').map(Number)
  return pid && port ? { pid, port } : undefined
}

export function postmasterFile(folder: string): string {
  return join(folder, 'postmaster.pid')
}

/**
 * Whether the process is the PostgreSQL server of this very folder, and not another program that
 * was given the number of a dead one.
 */
export async function isServerOf(folder: string, pid: number): Promise<boolean> {
  if (!(await isAlive(pid))) return false
  if (process.platform === 'linux') {
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
    const [program = '', ...args] = command.split('\0')
    if (basename(program) !== 'postgres') return false
    // A server works inside its folder, also after that was renamed.
    const [here, there] = await Promise.all([
      stat(folder, { bigint: true }),
      stat(`/proc/${pid}/cwd`, { bigint: true }).catch(() => undefined),
    ])
    return there ? here.dev === there.dev && here.ino === there.ino : args.includes(folder)
  }
  if (process.platform === 'win32') {
    const { stdout } = await runAs({ prefix: [] }, 'tasklist', ['/nh', '/fi', `pid eq ${pid}`])
    return stdout.includes('postgres.exe')
  }
  const { stdout } = await runAs({ prefix: [] }, 'ps', ['-o', 'command=', '-p', String(pid)])
  return stdout.includes('postgres') && stdout.includes(folder)
}

export async function isAlive(pid: number): Promise<boolean> {
  if (!isTaken(pid)) return false
  if (process.platform !== 'linux') return true
  // A dead process whose parent never asks for it keeps its number; its state says Z.
  const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return !/\) [ZX] /.test(status)
}

/** Whether the system has this number in use, be it for a process that is already dead. */
export function isTaken(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** Resolves to whether the process is gone before `milliseconds` have passed. */
export async function isGoneWithin(pid: number, milliseconds: number): Promise<boolean> {
  for (const deadline = Date.now() + milliseconds; await isAlive(pid); await delay(20)) {
    if (Date.now() > deadline) return false
  }
  return true
}
