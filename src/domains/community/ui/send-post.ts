import { client } from '../../../web/api-client.ts'
import { doneOnce } from '../../../web/done-once.ts'
import type { PostDraftInput } from '../schema.ts'

// Not of one form: whoever leaves it and comes back goes on with its draft.
const once = doneOnce()

export const sendPost = (draft: PostDraftInput) =>
  once(draft, (idempotencyKey) =>
    client.community.createPost(draft, { context: { idempotencyKey } }),
  )
