// Which of the files that somebody chose can stand below a post.
import { acceptedFiles, type PostPurpose } from '../../media/rules.ts'
import { communityLimits } from '../rules.ts'

const accepts = (purpose: PostPurpose, { name, type }: { name: string; type: string }) => {
  const ending = `.${name.toLowerCase().split('.').at(-1)}`
  return acceptedFiles[purpose].split(',').some((one) => one === type || one === ending)
}

/** What it would be; null for what is neither an image nor a video. A server looks at the bytes. */
export function purposeOf(file: { name: string; type: string }): PostPurpose | null {
  if (file.type.startsWith('image/')) return 'post_image'
  if (file.type.startsWith('video/')) return 'post_video'
  if (file.type !== '' && file.type !== 'application/octet-stream') return null
  if (accepts('post_image', file)) return 'post_image'
  return accepts('post_video', file) ? 'post_video' : null
}

/** Names that are told one by one. */
const told = 12

const names = (files: { name: string }[]) => {
  const shown = files.slice(0, told).map(({ name }) => `“${name}”`)
  if (files.length > told) shown.push(`${files.length - told} more`)
  return shown.length < 2 ? shown.join('') : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`
}

/** The files to take, in their order, and what to say of the others; null when all are taken. */
export function chooseAttachments<File extends { name: string; type: string }>(
  files: File[],
  alreadyThere: number,
): { taken: File[]; left: string | null } {
  const possible = files.filter((file) => purposeOf(file) !== null)
  const others = files.filter((file) => purposeOf(file) === null)
  const taken = possible.slice(0, Math.max(0, communityLimits.attachments - alreadyThere))
  const beyond = possible.slice(taken.length)
  const words = []
  if (others.length > 0) {
    words.push(`Only images and videos can stand below a post. Not added: ${names(others)}.`)
  }
  if (beyond.length > 0) {
    words.push(
      `A post can have at most ${communityLimits.attachments} attachments. Not added: ${names(beyond)}.`,
    )
  }
  return { taken, left: words.join(' ') || null }
}
