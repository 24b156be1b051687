import { redirect } from 'react-router'
import type { ApiClient } from '../../../server/contract-calls.ts'
import { isServerError, safe } from '../../../web/call-outcome.ts'
import type { CasePage, ModerationCase } from '../schema.ts'

/** What a page of cases shows. */
export interface ShownCases {
  status: 'open' | 'closed'
  page: CasePage
  /** The one that the address names. */
  linked: ModerationCase | null
  /** The one that the address names is gone, or is not for this person. */
  isLost: boolean
  /** The server's clock. */
  now: string
}

type Calls = {
  /** Their errors are thrown as they are. */
  calls: ApiClient
  ask: (status: 'open' | 'closed') => Promise<CasePage>
  /** Cases of other courses have no place on the page of one. */
  belongs: (found: ModerationCase) => boolean
  url: URL
}

/** For the loaders of both pages: `?status=closed` and `?case=` say what to show. */
export async function loadCases({ calls, ask, belongs, url }: Calls): Promise<ShownCases> {
  const chosen = url.searchParams.get('status')
  const caseId = url.searchParams.get('case')
  const status = chosen === 'closed' ? 'closed' : 'open'
  const [page, linked] = await Promise.all([ask(status), linkedCase(calls, caseId, belongs)])
  // Said in the address, so that the list stays what it is when the case is decided.
  if (linked && chosen === null) {
    throw redirect(`${url.pathname}?status=${linked.status}&case=${linked.id}`)
  }
  const isLost = caseId !== null && linked === null
  return { status, page, linked, isLost, now: new Date().toISOString() }
}

async function linkedCase(
  calls: ApiClient,
  caseId: string | null,
  belongs: Calls['belongs'],
): Promise<ModerationCase | null> {
  if (caseId === null) return null
  const [error, found] = await safe(calls.moderation.getCase({ caseId }))
  if (!error) return belongs(found) ? found : null
  if (isServerError(error) && error.status < 500) return null
  throw error
}

/** Another list, or another case that is linked to, begins from the top. */
export const listKey = ({ status, linked }: ShownCases) => `${status} ${linked?.id ?? ''}`
