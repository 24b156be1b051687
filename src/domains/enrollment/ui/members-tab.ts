// What the Members tab of the member page shows, and its address.
import { safe } from '@orpc/client'
import type { ApiClient } from '../../../server/contract-calls.ts'
import { memberLimits } from '../rules.ts'
import type { MemberPage } from '../schema.ts'

export interface MembersTab {
  search: string
  /** Null where it could not be loaded. */
  page: MemberPage | null
}

/** For the page's loader; `calls` throw errors as they are (`formApi`). */
export async function loadMembers(
  calls: ApiClient['enrollment'],
  slug: string,
  url: URL,
): Promise<MembersTab> {
  const search = (url.searchParams.get('search') ?? '').trim().slice(0, memberLimits.search)
  const [, page] = await safe(calls.getMembers({ slug, search }))
  return { search, page: page ?? null }
}

/** Where everybody is shown. */
export const membersAddress = (slug: string) => `/course/${slug}/dashboard?tab=members`
