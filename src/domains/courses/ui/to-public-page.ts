import { redirect, replace } from 'react-router'
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

function courseSlugOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('data' in error)) return undefined
  return (error.data as { courseSlug?: string } | undefined)?.courseSlug
}

/** The same where the address does not say which course it is: the refusal does. */
export function toItsPublicPage(error: unknown): never {
  const slug = courseSlugOf(error)
  if (statusOf(error) !== 403 || slug === undefined) throw error
  throw replace(`/course/${encodeURIComponent(slug)}`)
}
