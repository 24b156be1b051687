import { redirect } from 'react-router'
import { noAccessHeader } from '../../offline/kept-lesson.ts'

function statusOf(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null || !('init' in error)) return undefined
  return (error.init as ResponseInit | null)?.status
}

/** For a loader's refused call: who has not joined yet goes to the page where that is possible. */
export function toPublicPage(slug: string) {
  return (error: unknown): never => {
    if (statusOf(error) !== 403) throw error
    throw redirect(`/course/${encodeURIComponent(slug)}`, { headers: { [noAccessHeader]: 'yes' } })
  }
}
