// How a program that works on a video is run, watched and ended: with programs of the shell, which end as we like.
import { mkdtemp, readFile, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { FfmpegFailed, runFfmpeg } from './ffmpeg-run.ts'

let folder: string
beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'run-')))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const patient = { stallSeconds: 120, wallSeconds: 120 }

function run(script: string, more: Partial<Parameters<typeof runFfmpeg>[2]> = {}) {
  const { signal } = new AbortController()
  return runFfmpeg('/bin/sh', ['-c', script], { signal, ...patient, ...more })
}

const failureOf = async (work: Promise<unknown>) => {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(FfmpegFailed)
  const { ending, message } = error as FfmpegFailed
  return [ending, message]
}

describe('a program that ends well', () => {
  test('answers what it wrote, and nothing else', async () => {
    expect(await run('echo one; echo two; echo aside >&2')).toBe('one\ntwo\n')
  })

  test('works where it is told, at the lowest priority, and has nothing to read', async () => {
    expect(await run('pwd; nice; cat', { cwd: folder })).toBe(`${folder}\n19\n`)
  })

  test('knows nothing of what we are configured with', async () => {
    vi.stubEnv('AUTH_SECRET', 'hidden')
    vi.stubEnv('TMPDIR', folder)
    const names = (await run('env'))
      .split('\n')
      .filter(Boolean)
      .map((line) => line.split('=')[0]!)
      // What a shell adds by itself.
      .filter((name) => !['PWD', 'SHLVL', '_', 'OLDPWD'].includes(name))
    vi.unstubAllEnvs()
    expect(names).toContain('PATH')
    expect(names).toContain('TMPDIR')
    expect(['PATH', 'LD_LIBRARY_PATH', 'TMPDIR']).toEqual(expect.arrayContaining(names))
  })

  test('is followed by what it says about its progress', async () => {
    const seconds: number[] = []
    const script = [
      'frame=1',
      'out_time_us=N/A',
      'out_time_us=-20000',
      'out_time_us=0',
      'out_time_ms=7000000',
      'out_time_us=1500000',
      'progress=end',
    ]
    const said = await run(script.map((line) => `echo ${line}`).join('\n'), {
      onProgress: (at) => seconds.push(at),
    })
    expect([said, seconds]).toEqual(['', [0, 1.5]])
  })

  test('may go on for longer than it may be silent, as long as it gets on', async () => {
    let now = 0
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now)
    onTestFinished(() => clock.mockRestore())
    // Three tenths of a second pass with each look at how far it is, however long the machine takes for it.
    const onProgress = () => void (now += 300)
    for (const line of ['frame=$n; echo out_time_us=0', 'out_time_us=$n']) {
      const work = run(`for n in 1 2 3 4 5 6; do echo ${line}; sleep 0.1; done`, {
        stallSeconds: 0.4,
        onProgress,
      })
      await expect(work).resolves.toBe('')
    }
  })
})

describe('a program that fails', () => {
  test.each([
    ['refused', 'exit 1', ''],
    ['refused', 'exit 128', ''],
    ['refused', 'echo Invalid data >&2; exit 255', 'Invalid data'],
    [
      'killed',
      'echo Exiting normally, received signal 15. >&2; exit 255',
      'Exiting normally, received signal 15.',
    ],
    ['killed', 'exit 254', ''],
    ['killed', 'exit 129', ''],
    ['killed', 'exit 126', ''],
    ['killed', 'exit 127', ''],
    ['disk full', 'echo " No space left on device " >&2; exit 1', 'No space left on device'],
  ])('is %s after %s', async (ending, script, said) => {
    expect(await failureOf(run(script))).toEqual([ending, `${ending}: ${said}`])
  })

  test('is killed by whatever kills it', async () => {
    expect((await failureOf(run('kill -9 $$')))[0]).toBe('killed')
  })

  test('is quoted with its last words', async () => {
    const [, message] = await failureOf(
      run(`head -c 5000 /dev/zero | tr '\\0' 'a' >&2; echo end >&2; exit 1`),
    )
    expect(message).toBe(`refused: ${'a'.repeat(797)}end`)
  })

  test('is ended when it says nothing new', async () => {
    const quick = { stallSeconds: 0.4, onProgress: () => {} }
    const again = 'while true; do echo frame=7; echo speed=$((n=n+1)); sleep 0.05; done'
    for (const script of ['sleep 30', again]) {
      expect((await failureOf(run(script, quick)))[0]).toBe('stalled')
    }
  })

  test('is ended when it takes too long altogether', async () => {
    const busy = 'while true; do echo frame=$((n=n+1)); sleep 0.05; done'
    const limits = { wallSeconds: 0.4, stallSeconds: 10, onProgress: () => {} }
    expect(await failureOf(run(busy, limits))).toEqual(['too slow', 'too slow: '])
  })

  test('is ended when it writes too much', async () => {
    const writes = (bytes: number) => `head -c ${bytes} /dev/zero | tr '\\0' 'a'; sleep 0.2`
    await expect(run(writes(2_000_000))).resolves.toHaveLength(2_000_000)
    expect((await failureOf(run(writes(2_000_001))))[0]).toBe('too much')
    // What is said about progress is not kept.
    await expect(run(writes(3_000_000), { onProgress: () => {} })).resolves.toBe('')
  })

  test('cannot be begun in a place that is not there', async () => {
    const [ending] = await failureOf(run('true', { cwd: join(folder, 'nowhere') }))
    expect(ending).toBe('killed')
  })
})

describe('what we stop', () => {
  const isRunning = (id: number) => {
    try {
      return process.kill(id, 0)
    } catch {
      return false
    }
  }

  test('ends with all that it has begun, before we say so', async () => {
    const stop = new AbortController()
    const reason = new Error('the server stops')
    const file = join(folder, 'ids')
    const work = run(`sleep 60 & echo $$ $! > "${file}"; echo frame=1; wait`, {
      signal: stop.signal,
      onProgress: () => {},
    })
    const written = () => readFile(file, 'utf8').catch(() => '')
    await expect.poll(written).toMatch(/\d+ \d+\n/)
    stop.abort(reason)
    await expect(work).rejects.toBe(reason)
    const ids = (await written()).trim().split(' ').map(Number)
    await expect.poll(() => ids.some(isRunning)).toBe(false)
  })

  test('is not begun when it was stopped before', async () => {
    const stop = new AbortController()
    const reason = new Error('the server stops')
    stop.abort(reason)
    const file = join(folder, 'begun')
    await expect(run(`echo > "${file}"`, { signal: stop.signal })).rejects.toBe(reason)
    await expect(readFile(file)).rejects.toThrow('ENOENT')
  })
})
