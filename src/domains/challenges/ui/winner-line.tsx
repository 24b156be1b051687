import { TextLink } from '../../accounts/ui/sign-in/text-link.tsx'
import { withoutLightning } from '../../courses/rules.ts'
import type { ChallengePage } from '../schema.ts'

type EntryFacts = Pick<
  ChallengePage['entries'][number],
  'name' | 'username' | 'courseTitle' | 'courseSlug'
>

/** The course and who made it, as far as both are still there. */
export function EntryName({ entry }: { entry: EntryFacts }) {
  const { name, username, courseTitle, courseSlug } = entry
  const title = (
    <bdi>{courseTitle === null ? 'A former course' : withoutLightning(courseTitle)}</bdi>
  )
  const person = <bdi>{name ?? 'a former creator'}</bdi>
  return (
    <span className="wrap-anywhere">
      {courseSlug ? <TextLink to={`/course/${courseSlug}`}>{title}</TextLink> : title} by{' '}
      {username ? <TextLink to={`/user/${username}`}>{person}</TextLink> : person}
    </span>
  )
}
