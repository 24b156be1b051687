// What the form of a community's settings checks. Loaded after the page.
import { type CommunitySettings, communitySettingsSave } from '../schema.ts'

const check = communitySettingsSave.omit({ courseId: true })

export type TypedSettings = { words: string; isLimited: boolean; firstPosts: string; links: string }

/** An empty field is no number. */
const numberIn = (text: string) => (text.trim() === '' ? Number.NaN : Number(text))

export const settingsIn = ({ words, isLimited, firstPosts, links }: TypedSettings) => ({
  blockedWords: words
    .split('\n')
    .map((word) => word.trim())
    .filter((word) => word !== ''),
  firstPosts: isLimited ? numberIn(firstPosts) : 0,
  firstPostsLinks: isLimited ? numberIn(links) : 0,
})

type Problems = Partial<Record<keyof CommunitySettings, string>>

export function problemsIn(typed: TypedSettings): Problems {
  const issues = check.safeParse(settingsIn(typed)).error?.issues ?? []
  const problems: Problems = Object.fromEntries(
    issues.toReversed().map(({ path, message }) => [path[0], message]),
  )
  if (typed.isLimited && numberIn(typed.firstPosts) === 0) {
    problems.firstPosts = 'Please give at least one post, or take the limit off'
  }
  return problems
}
