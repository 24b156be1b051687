import { captionLimits, captionProblems } from '../caption-format.ts'

/** For the `accept` attribute of a file picker. */
export const captionFiles = '.srt,.vtt,text/vtt,application/x-subrip'

/**
 * The text of a captions file, in the encodings that programs write them in: UTF-8, UTF-16 with its mark, and
 * else what Windows wrote in the West.
 */
export async function readCaptionFile(file: Blob): Promise<{ text: string } | { problem: string }> {
  if (file.size > captionLimits.bytes * 2) return { problem: captionProblems.tooLarge }
  const bytes = new Uint8Array(await file.arrayBuffer())
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return { text: new TextDecoder('utf-16le').decode(bytes) }
  if (first === 0xfe && second === 0xff) return { text: new TextDecoder('utf-16be').decode(bytes) }
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) }
  } catch {
    return { text: new TextDecoder('windows-1252').decode(bytes) }
  }
}
