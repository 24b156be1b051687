import { redirect } from 'react-router'

function statusOf(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null || !('init' in error)) return undefined
  return (error.init as ResponseInit | null)?.status
}

/** For a loader's refused call: who has not joined yet goes to the page where that is possible. */
export function toPublicPage(slug: string) {
  return (error: unknown): never => {
    throw statusOf(error) === 403 ? redirect(`/course/${encodeURIComponent(slug)}`) : error
  }
}
