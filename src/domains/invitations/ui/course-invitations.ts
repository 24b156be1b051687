// The invitations of a course, from the page's loader or from the browser.
import type { Invitation } from '../schema.ts'

export type InvitationKind = 'links' | 'mails'

export interface CourseInvitations {
  invitations: Invitation[]
  hasMore: boolean
  /** When they were asked for. */
  at: Date
}

type Calls = {
  getInvitations(asked: {
    courseId: string
    kind: InvitationKind
    cursor?: string
  }): Promise<{ invitations: Invitation[]; nextCursor: string | null }>
}

/** The newest ones, at least `shown` of them where there are so many. */
export async function loadInvitations(
  calls: Calls,
  courseId: string,
  kind: InvitationKind,
  shown = 1,
): Promise<CourseInvitations> {
  const first = await calls.getInvitations({ courseId, kind })
  const found = first.invitations
  let { nextCursor } = first
  while (nextCursor && found.length < shown) {
    const page = await calls.getInvitations({ courseId, kind, cursor: nextCursor })
    found.push(...page.invitations)
    nextCursor = page.nextCursor
  }
  return { invitations: found, hasMore: nextCursor !== null, at: new Date() }
}
