// Pure decisions about lessons: addresses of links and of lessons.
import { slugOf } from '../courses/rules.ts'
import { isSafeHref } from './rich-text.ts'

const mailAddress = /^[^\s@:/]+@[^\s@:/][^\s@:/.]*\.[^\s@:/]+$/
/** A host with a dot, then nothing, a port, a path or a query. */
const bareHost = /^[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+\.?(?::\d+)?(?:[/?#]|$)/u

/**
 * The address that a person meant: 'example.com' gets https://, 'me@example.com' gets mailto:.
 * Null when it leads nowhere that a link may lead.
 */
export function linkAddress(text: string): string | null {
  if (mailAddress.test(text)) return `mailto:${text}`
  const address = bareHost.test(text) ? `https://${text}` : text
  return isSafeHref(address) ? address : null
}

/**
 * Addresses for the lessons of one course, in order. A lesson keeps its address as long as its title
 * makes the same one; the others get their title's, with -2, -3… where it is in use.
 */
export function lessonSlugs(lessons: { title: string; before?: Named }[]): string[] {
  const slugs = lessons.map(({ title, before }) =>
    before && slugOf(before.title) === slugOf(title) ? before.slug : null,
  )
  const used = new Set(slugs)
  const lastNumber = new Map<string, number>()
  return lessons.map(({ title }, index) => {
    const kept = slugs[index]
    if (kept) return kept
    const base = slugOf(title) || 'lesson'
    let number = lastNumber.get(base) ?? 0
    let slug: string
    do {
      number += 1
      slug = number === 1 ? base : `${base}-${number}`
    } while (used.has(slug))
    lastNumber.set(base, number)
    used.add(slug)
    return slug
  })
}

type Named = { title: string; slug: string }
