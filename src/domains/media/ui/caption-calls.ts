// What the editor of captions says to the server.
import { safe } from '@orpc/client'
import { client } from '../../../web/api-client.ts'
import { callProblem } from '../../courses/ui/call-problem.ts'
import type { Cue } from './caption-draft.ts'

type Failure = { problem: string }

async function answerOf<T>(call: Promise<T>, fallback: string): Promise<T | Failure> {
  const [error, answer] = await safe(call)
  return error ? { problem: callProblem(error, fallback) } : answer
}

export const loadCaptions = (mediaId: string) =>
  answerOf(client.media.listCaptions({ mediaId }), 'Failed to load captions. Please try again.')

export const loadCues = (mediaId: string, language: string) =>
  answerOf(
    client.media.getCaptions({ mediaId, language }),
    'Failed to load captions. Please try again.',
  )

/** `content` is a file's text, or cues. */
export const saveCaptions = (
  mediaId: string,
  language: string,
  content: { file: string } | { cues: Cue[] },
) =>
  answerOf(
    client.media.saveCaptions({ mediaId, language, ...content }),
    'Failed to save captions. Please try again.',
  )

export const removeCaptions = (mediaId: string, language: string) =>
  answerOf(
    client.media.deleteCaptions({ mediaId, language }),
    'Failed to remove captions. Please try again.',
  )
