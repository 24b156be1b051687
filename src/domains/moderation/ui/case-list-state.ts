// What happens to the list of cases that somebody reads when the server says something new.
import type { CasePage, ModerationCase } from '../schema.ts'

export interface CaseList {
  cases: ModerationCase[]
  nextCursor: string | null
  /** Decided here: they stay in their place until the list is opened again. */
  decided: ReadonlySet<string>
  /** New ones that would move what is being read. */
  waiting: ModerationCase[]
}

type Page = Pick<CasePage, 'cases' | 'nextCursor'>

/** `linked` is looked at first, wherever it stands in the list. */
export function startList({ cases, nextCursor }: Page, linked: ModerationCase | null): CaseList {
  const isThere = linked === null || cases.some(({ id }) => id === linked.id)
  return {
    cases: isThere ? cases : [linked, ...cases],
    nextCursor,
    decided: new Set(),
    waiting: [],
  }
}

const newestFirst = (one: ModerationCase, other: ModerationCase) =>
  other.createdAt.localeCompare(one.createdAt) || other.id.localeCompare(one.id)

/** The same list with what the server says now, from its beginning as far as it was asked. */
export function refreshList(list: CaseList, fresh: Page, openId: string | null): CaseList {
  const now = new Map(fresh.cases.map((one) => [one.id, one]))
  const known = new Set(list.cases.map(({ id }) => id))
  const added = fresh.cases.filter(({ id }) => !known.has(id))
  // Pages that came meanwhile lie beyond what was asked.
  const last = fresh.cases.at(-1)
  const isBeyond = (one: ModerationCase) =>
    fresh.nextCursor !== null && last !== undefined && newestFirst(last, one) < 0
  const cases = list.cases
    .filter(
      (one) => now.has(one.id) || one.id === openId || list.decided.has(one.id) || isBeyond(one),
    )
    .map((one) => latestOf(one, now.get(one.id), list.decided))
  const rest = {
    nextCursor: cases.some(isBeyond) ? list.nextCursor : fresh.nextCursor,
    decided: list.decided,
  }
  return openId === null
    ? { ...rest, cases: [...added, ...cases].toSorted(newestFirst), waiting: [] }
    : { ...rest, cases, waiting: added }
}

/** What was asked before a decision may come after it; a decision is never undone. */
function latestOf(
  one: ModerationCase,
  latest: ModerationCase | undefined,
  decided: ReadonlySet<string>,
): ModerationCase {
  if (latest === undefined) return one
  return decided.has(one.id) && one.status === 'closed' && latest.status === 'open' ? one : latest
}

/** What waited takes its place. */
export const showWaiting = (list: CaseList): CaseList => ({
  ...list,
  cases: [...list.waiting, ...list.cases].toSorted(newestFirst),
  waiting: [],
})

/** The next page, under what is there. */
export function extendList(list: CaseList, page: Page): CaseList {
  const known = new Set([...list.cases, ...list.waiting].map(({ id }) => id))
  const added = page.cases.filter(({ id }) => !known.has(id))
  return { ...list, cases: [...list.cases, ...added], nextCursor: page.nextCursor }
}

/** Something was decided here. */
export const replaceInList = (list: CaseList, decided: ModerationCase): CaseList => ({
  ...list,
  cases: list.cases.map((one) => (one.id === decided.id ? decided : one)),
  decided: new Set([...list.decided, decided.id]),
})
