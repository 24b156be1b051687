import type { Transaction } from '../../server/db.ts'
import { type CaptionCue, videoCaptions } from './tables.ts'

export interface NewCaptions {
  mediaId: string
  language: string
  cues: CaptionCue[]
}

/** A statement with all of them could be larger than PostgreSQL takes. */
const perStatement = 50

/** Captions that came with their videos, by another way than the editor; the caller has added the files. */
export async function addCaptions(
  transaction: Transaction,
  captions: NewCaptions[],
): Promise<void> {
  for (let at = 0; at < captions.length; at += perStatement) {
    await transaction.insert(videoCaptions).values(captions.slice(at, at + perStatement))
  }
}
