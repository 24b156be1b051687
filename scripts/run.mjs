// Runs a program and waits for it. Signals go to it; it decides when to end.
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))
const bin = fileURLToPath(new URL('../node_modules/.bin', import.meta.url))
const separator = process.platform === 'win32' ? ';' : ':'

// Whoever reads what we say may end before us (`npm start | tee log`).
for (const output of [process.stdout, process.stderr]) output.on('error', () => {})

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']

/** The environment in which `node` is the pinned one. */
export const environment = { ...process.env, PATH: `${bin}${separator}${process.env.PATH}` }

/** @returns {Promise<number>} the exit code */
export function run(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: root,
      stdio: 'inherit',
      shell: process.platform === 'win32',
      ...options,
      env: { ...environment, ...options.env },
    })
    const forward = (signal) => child.kill(signal)
    // Ctrl-C reaches the child from the terminal too: each of ours takes the second signal for the first.
    for (const signal of signals) process.on(signal, forward)
    child.on('error', reject)
    child.on('exit', (code, endedBy) => {
      for (const signal of signals) process.off(signal, forward)
      resolve(code ?? (endedBy ? 1 : 0))
    })
  })
}

/** Like `run`, but a failure ends this process with the same code. */
export async function must(command, args, options) {
  const code = await run(command, args, options)
  if (code !== 0) process.exit(code)
}
