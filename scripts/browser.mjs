// Which Chromium the tests and screenshots use.
import { existsSync } from 'node:fs'

/** The shell first: it has no windows to draw, and needs half the time. */
const known = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
]

/** @returns {Promise<string | undefined>} the path of an installed browser */
export async function findBrowser() {
  const chosen = process.env.CHROMIUM_PATH ?? known.find((path) => existsSync(path))
  if (chosen) return chosen
  const { chromium } = await import('@playwright/test')
  const own = chromium.executablePath()
  return existsSync(own) ? own : undefined
}

/** Chromium refuses its sandbox to root; the rest keeps it from calling home. */
export const browserArguments = [
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
]
