import type { ServerBuild } from 'react-router'
import type { KeptBuilds } from './kept-builds.ts'

/** Which code each route of a build needs, by the route. */
type Routes = Record<string, ServerBuild['assets']['routes'][string]>

const beginning = 'window.__reactRouterManifest='

/**
 * What React Router wrote down for the browser when it made the build of a version; null where that is not known.
 * Routes are asked for by pages of other builds now and then only, so it is read anew each time.
 */
export async function routesOfBuild(builds: KeptBuilds, version: string): Promise<Routes | null> {
  if (!/^[\da-f]{8}$/.test(version)) return null
  // Without the store the page is loaded anew, which is better than none.
  const found = await builds.read(`manifest-${version}.js`).catch(() => null)
  const script = found?.bytes.toString() ?? ''
  if (!script.startsWith(beginning)) return null
  return JSON.parse(script.slice(beginning.length).replace(/;\s*$/, '')).routes
}
