// Programs that tests and proofs need, from Debian where this is Debian and we are root.
import { existsSync } from 'node:fs'
import { run } from './run.mjs'

export const canInstall = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')

// Somebody else may install something at the moment: that is waited for, in seconds, not failed at.
const patience = ['-o', 'DPkg::Lock::Timeout=600']
// RUNLEVEL=1: packages of servers would start them.
const env = { DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' }

/**
 * Does nothing where it cannot: look whether what you need is there.
 * @param {string} what for people, as in "ffmpeg for the tests"
 * @param {string[]} packages
 */
export async function install(what, packages) {
  if (!canInstall) return
  console.log(`Installing ${what}...`)
  await run('apt-get', [...patience, 'update', '-qq'], { env })
  await run(
    'apt-get',
    [...patience, 'install', '-y', '-qq', '--no-install-recommends', ...packages],
    { env },
  )
}
