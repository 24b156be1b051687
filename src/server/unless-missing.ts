import { access } from 'node:fs/promises'

/** What stands for no such file; any other failure is one. */
const isMissing = (error: unknown) =>
  error instanceof Error &&
  'code' in error &&
  /^(?:ENOENT|ENOTDIR|ENAMETOOLONG)$/.test(`${error.code}`)

/** What was found; otherwise when there is nothing. What cannot be read may be there: that fails. */
export async function unlessMissing<Found, Otherwise>(
  found: Promise<Found>,
  otherwise: Otherwise,
): Promise<Found | Otherwise> {
  try {
    return await found
  } catch (error) {
    if (isMissing(error)) return otherwise
    throw error
  }
}

export const isThere = (path: string): Promise<boolean> =>
  unlessMissing(
    access(path).then(() => true),
    false,
  )
