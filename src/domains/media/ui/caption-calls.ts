// What the editor of captions says to the server.
import { safe } from '@orpc/client'
import { client } from '../../../web/api-client.ts'
import { isFromBetween, isServerError } from '../../../web/call-outcome.ts'
import { callProblem } from '../../courses/ui/call-problem.ts'
import type { Cue } from './caption-draft.ts'

/** `code` is the server's, null where it was not reached. */
type Failure = { problem: string; code: string | null }

async function answerOf<T>(call: Promise<T>, fallback: string): Promise<T | Failure> {
  const [error, answer] = await safe(call)
  if (!error) return answer
  const code = isServerError(error) && !isFromBetween(error) ? error.code : null
  return { problem: callProblem(error, fallback), code }
}

export const loadCaptions = (mediaId: string) =>
  answerOf(client.media.listCaptions({ mediaId }), 'Failed to load captions. Please try again.')

export const loadCues = (mediaId: string, language: string) =>
  answerOf(
    client.media.getCaptions({ mediaId, language }),
    'Failed to load captions. Please try again.',
  )

/** `content` is a file's text, or cues; `updatedAt` of those that it takes the place of, whichever these are without. */
export const saveCaptions = (
  mediaId: string,
  language: string,
  content: { file: string } | { cues: Cue[] },
  updatedAt: string | null | undefined,
) =>
  answerOf(
    client.media.saveCaptions({ mediaId, language, ...content, updatedAt }),
    'Failed to save captions. Please try again.',
  )

export type SavedCaptions = Exclude<Awaited<ReturnType<typeof saveCaptions>>, Failure>

/** Those that were saved at this time. */
export const removeCaptions = (mediaId: string, language: string, updatedAt: string) =>
  answerOf(
    client.media.deleteCaptions({ mediaId, language, updatedAt }),
    'Failed to remove captions. Please try again.',
  )
