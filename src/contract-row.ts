import { oc } from '@orpc/contract'
import type { FeatureName } from './domains/administration/features.ts'
import type { Scope } from './domains/tokens/rules.ts'

/**
 * Who may call a row; the guard in server/api.ts enforces it before the input is even looked at.
 * `member`, `moderator` (the instructor and administrators) and `instructor` concern the course that the input
 * names: courseId, slug, lessonId, mediaId, commentId, postId or caseId.
 */
export type Access = 'public' | 'signedIn' | 'member' | 'moderator' | 'instructor' | 'admin'

export type Meta = {
  access: Access
  /** Also for who is suspended: to learn why, to appeal, to take the own data along and to leave. */
  whileSuspended?: boolean
  /** Refused, to everybody, while administrators have switched this off. */
  stoppedBy?: FeatureName
  /** Only reads, and decides nothing: for signed-out visitors a replica may answer. */
  fromReplica?: boolean
  /** What a personal access token has to be allowed; without it no such token reaches this call. */
  scope?: Scope
  /** Takes an Idempotency-Key from pages, too, which programs send with each `POST` call that has a scope. */
  once?: true
  /** Asks for a recent proof of who one is, in the session itself. */
  proven?: boolean
  /** Bytes that its body may have, where the everyday limit is too little: for people who are signed in only. */
  maxBody?: number
  /** What it answers is a file of this kind. */
  file?: 'text/csv' | 'application/pdf' | 'application/zip'
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** One call of the HTTP API: who, how, where, and in a few words what for; `description` says what it takes away. */
export const row = (
  access: Access,
  method: Method,
  path: `/${string}`,
  summary: string,
  { description, ...more }: Omit<Meta, 'access'> & { description?: string } = {},
) =>
  oc
    .$meta<Meta>({ access, ...more })
    .route({
      method,
      path,
      summary,
      description,
      tags: [path.split('/')[3]?.replace(/[{}]/g, '') ?? 'app'],
    })
    .errors({
      BAD_REQUEST: { status: 400 },
      UNAUTHORIZED: { status: 401, message: 'User must be authenticated' },
      FORBIDDEN: { status: 403, message: 'You may not do this.' },
      NOT_FOUND: { status: 404, message: 'This does not exist, or you may not see it.' },
      CONFLICT: { status: 409 },
    })
