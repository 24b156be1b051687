// What happens to the list of applications that an instructor is reading when the server says something new.
import type { Application, ApplicationPage, Decision } from '../schema.ts'

export interface Queue {
  applications: Application[]
  nextCursor: string | null
  /** No longer where they were listed, decided elsewhere or withdrawn, but being read. */
  gone: ReadonlySet<string>
  /** Decided here: they stay in their place until the list is opened again. */
  decided: ReadonlySet<string>
  /** New ones that would move what is being read. */
  waiting: number
}

export const startQueue = ({ applications, nextCursor }: ApplicationPage): Queue => ({
  applications,
  nextCursor,
  gone: new Set(),
  decided: new Set(),
  waiting: 0,
})

type Fresh = Pick<ApplicationPage, 'applications' | 'nextCursor'> & {
  /** Oldest first: new ones belong to the end, and what is missing has gone. Else newest first. */
  isPending: boolean
  openId: string | null
}

/** The same list with what the server says now, from its beginning as far as it was asked. */
export function refreshQueue(queue: Queue, fresh: Fresh): Queue {
  const now = new Map(fresh.applications.map((one) => [one.id, one]))
  const known = new Set(queue.applications.map(({ id }) => id))
  const added = fresh.applications.filter(({ id }) => !known.has(id))
  // What was asked for before a decision may come after it; a decision is never undone.
  const isOld = (one: Application | undefined) =>
    one?.status === 'pending' && queue.decided.has(one.id)
  const same = queue.applications.map((one) => {
    const latest = now.get(one.id)
    return latest === undefined || isOld(latest) ? one : latest
  })
  if (!fresh.isPending) return { ...queue, applications: same, waiting: added.length }

  // Pages that came meanwhile lie beyond what was asked.
  const last = fresh.applications.at(-1)?.submittedAt ?? ''
  const isBeyond = ({ submittedAt }: Application) => fresh.nextCursor !== null && submittedAt > last
  const isMissing = (one: Application) =>
    !now.has(one.id) && !queue.decided.has(one.id) && !isBeyond(one)
  const kept = same.filter((one) => !isMissing(one) || one.id === fresh.openId)
  return {
    applications: [...kept, ...added],
    nextCursor: kept.some(isBeyond) ? queue.nextCursor : fresh.nextCursor,
    gone: new Set(kept.filter(isMissing).map(({ id }) => id)),
    decided: queue.decided,
    waiting: 0,
  }
}

/** The next page, under what is there. */
export function extendQueue(queue: Queue, page: ApplicationPage): Queue {
  const known = new Set(queue.applications.map(({ id }) => id))
  const added = page.applications.filter(({ id }) => !known.has(id))
  return {
    ...queue,
    applications: [...queue.applications, ...added],
    nextCursor: page.nextCursor,
  }
}

/** A decision has been made here. */
export function replaceInQueue(queue: Queue, application: Application): Queue {
  return {
    ...queue,
    applications: queue.applications.map((one) => (one.id === application.id ? application : one)),
    decided: new Set([...queue.decided, application.id]),
  }
}

/** Whether somebody can still decide about it here. */
export const isOpenToDecide = (queue: Queue, { id, status, dueDecision }: Application): boolean =>
  status === 'pending' && dueDecision === null && !queue.gone.has(id)

/** Who waits after this one, from the top again after the last; null when nobody else does. */
export function nextToDecide(queue: Queue, id: string): string | null {
  const { applications } = queue
  const here = applications.findIndex((one) => one.id === id)
  const inOrder = [...applications.slice(here + 1), ...applications.slice(0, Math.max(here, 0))]
  return inOrder.find((one) => isOpenToDecide(queue, one))?.id ?? null
}

/** The one above or below; the same at either end. */
export function neighbour(queue: Queue, id: string | null, step: 1 | -1): string | null {
  const { applications } = queue
  const here = applications.findIndex((one) => one.id === id)
  if (here === -1) return applications[0]?.id ?? null
  return applications[here + step]?.id ?? id
}

export interface DueDecision {
  id: string
  decision: Decision
  millisecondsLeft: number
  count: number
}

/** The decisions about several that are about to be carried out, as far as they are in the list. */
export function dueDecisions({ applications }: Queue): DueDecision[] {
  const due = new Map<string, DueDecision>()
  for (const { dueDecision } of applications) {
    if (!dueDecision) continue
    const count = (due.get(dueDecision.id)?.count ?? 0) + 1
    due.set(dueDecision.id, { ...dueDecision, count })
  }
  return [...due.values()]
}
