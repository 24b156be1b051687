import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

type Ending =
  /** It ended by itself and said no. */
  | 'refused'
  /** Something ended it: a signal, or no memory. */
  | 'killed'
  | 'stalled'
  | 'too slow'
  | 'too much'
  | 'disk full'

/** The message is for the log: it may name files of this machine. */
export class FfmpegFailed extends Error {
  readonly ending: Ending
  constructor(ending: Ending, said: string) {
    super(`${ending}: ${said.trim().slice(-800)}`)
    this.ending = ending
  }
}

export interface RunLimits {
  /** Seconds without any progress. */
  stallSeconds: number
  /** Seconds altogether. */
  wallSeconds: number
}

interface Run extends RunLimits {
  signal: AbortSignal
  cwd?: string
  onProgress?: (seconds: number) => void
}

/** What ffprobe may say: a file can have thousands of streams. */
const maxOutput = 2_000_000

/**
 * Runs the program at a low priority. Where Linux shares the processors between groups of processes, ours is a
 * group of its own, beside which `nice` alone changes nothing: so the group asks for a third of an equal share.
 * `cat` ends when we do, however that happens, and takes the program with it: nothing goes on converting for
 * a server that was killed.
 */
const guarded = `exec 3<&0
{ echo 5 >/proc/self/autogroup; } 2>/dev/null
nice -n 19 "$@" </dev/null 3<&- & program=$!
( cat <&3 >/dev/null; kill -9 "$program" ) >/dev/null 2>&1 & guard=$!
exec 3<&-
wait "$program"; code=$?
kill "$guard" 2>/dev/null
exit $code`

/** None of our secrets, and nothing that changes what the program does. */
function environment() {
  const kept = ['PATH', 'LD_LIBRARY_PATH', 'SystemRoot', 'TMPDIR']
  return Object.fromEntries(
    kept.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])),
  )
}

function start(program: string, args: string[], cwd: string | undefined) {
  const options = { cwd, env: environment(), windowsHide: true }
  if (process.platform === 'win32') return spawn(program, args, options)
  // A group of its own: it goes as a whole, and Ctrl-C in the terminal reaches us alone.
  return spawn('/bin/sh', ['-c', guarded, 'sh', program, ...args], { ...options, detached: true })
}

/** 128 and more: the shell's word for a signal. 255: ffmpeg's own, when it was asked to end. */
const wasKilled = (code: number | null, said: string) =>
  code === null || (code > 128 && code < 255) || (code === 255 && /received signal/.test(said))

/**
 * Runs ffmpeg or ffprobe to its end, and answers what it wrote to its standard output. Progress comes from
 * ffmpeg's `-progress pipe:1`.
 * @throws {FfmpegFailed}
 * @throws the signal's reason, as soon as nothing of it runs any more
 */
export function runFfmpeg(program: string, args: string[], run: Run): Promise<string> {
  return new Promise((resolve, reject) => {
    run.signal.throwIfAborted()
    const child = start(program, args, run.cwd)
    let output = ''
    let said = ''
    let reason: FfmpegFailed | null = null
    const last = new Map<string, string>()
    // Not by the clock, which may be set while it works.
    let alive = performance.now()

    const kill = () => {
      try {
        if (process.platform !== 'win32' && child.pid) process.kill(-child.pid, 'SIGKILL')
        else child.kill('SIGKILL')
      } catch {
        // It has ended meanwhile.
      }
    }
    const fail = (ending: Ending) => {
      reason ??= new FfmpegFailed(ending, said)
      kill()
    }
    const wall = setTimeout(() => fail('too slow'), run.wallSeconds * 1000)
    const watch = setInterval(
      () => {
        if (performance.now() - alive > run.stallSeconds * 1000) fail('stalled')
      },
      Math.min(1000, run.stallSeconds * 250),
    )
    run.signal.addEventListener('abort', kill)

    function hear(line: string) {
      const [key = '', value = ''] = line.split('=')
      if (key !== 'out_time_us' && key !== 'frame') return
      // The same again and again is no sign of life.
      if (last.get(key) !== value) alive = performance.now()
      last.set(key, value)
      const seconds = Number(value) / 1_000_000
      if (key === 'out_time_us' && seconds >= 0) run.onProgress?.(seconds)
    }
    createInterface(child.stdout).on('line', hear)
    child.stdout.on('data', (chunk: Buffer) => {
      if (run.onProgress) return
      output += String(chunk)
      if (output.length > maxOutput) fail('too much')
    })
    child.stderr.on('data', (chunk: Buffer) => (said = (said + String(chunk)).slice(-4000)))
    child.stdin.on('error', () => {})
    child.on('exit', () => child.stdin.destroy())
    child.on('error', (error) => {
      said += error.message
      reason ??= new FfmpegFailed('killed', said)
    })
    child.on('close', (code) => {
      clearTimeout(wall)
      clearInterval(watch)
      run.signal.removeEventListener('abort', kill)
      if (run.signal.aborted) reject(run.signal.reason)
      else if (reason) reject(reason)
      else if (code === 0) resolve(output)
      else if (/No space left on device/.test(said)) reject(new FfmpegFailed('disk full', said))
      else if (wasKilled(code, said) || code === 126 || code === 127) {
        reject(new FfmpegFailed('killed', said))
      } else reject(new FfmpegFailed('refused', said))
    })
  })
}
