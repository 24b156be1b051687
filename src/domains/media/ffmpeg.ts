import { execFile } from 'node:child_process'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { Log } from '../../server/log.ts'

/** The two programs that look at and convert videos, as names or paths. */
export interface Ffmpeg {
  ffmpeg: string
  ffprobe: string
  /** From before 5.1, in which an option got a new name. */
  isOld?: boolean
}

const run = promisify(execFile)

/** The word that turns conversion off. */
const off = 'off'

/** ffprobe comes with ffmpeg, and lies beside it. */
function pathsOf(setting: string): Ffmpeg {
  const probe = basename(setting).replace('ffmpeg', 'ffprobe')
  const isName = !/[/\\]/.test(setting)
  return { ffmpeg: setting, ffprobe: isName ? probe : join(dirname(setting), probe) }
}

async function answer(program: string, ...args: string[]): Promise<string> {
  const { stdout } = await run(program, args, { timeout: 60_000, maxBuffer: 4_000_000 })
  return stdout
}

/** Looks once, at the start, for programs that can do the work; null where they are not there. */
export async function findFfmpeg(setting: string, log: Log): Promise<Ffmpeg | null> {
  if (setting === off) return null
  const paths = pathsOf(setting)
  try {
    const [encoders, version] = await Promise.all([
      answer(paths.ffmpeg, '-hide_banner', '-encoders'),
      answer(paths.ffprobe, '-version'),
    ])
    if (!/\blibx264\b/.test(encoders) || !/\baac\b/.test(encoders)) {
      log.warn(`${paths.ffmpeg} lacks H.264 (libx264) or AAC: videos play as they were uploaded`)
      return null
    }
    const number = /version (\S+)/.exec(version)?.[1] ?? ''
    log.info(`videos are converted by ffmpeg ${number}`.trimEnd())
    return { ...paths, isOld: /^n?(?:[0-4]\.|5\.0)/.test(number) }
  } catch {
    const isChosen = setting !== 'ffmpeg'
    const found = `${isChosen ? `FFMPEG_PATH (${setting})` : 'ffmpeg'} was not found or does not run`
    log[isChosen ? 'warn' : 'info'](`${found}: videos play as they were uploaded`)
    return null
  }
}
