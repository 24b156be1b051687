import { postPath } from '../rules.ts'

/** Frames in which what React shows next has come, however busy the machine is. */
const mostFrames = 120

/** As soon as it is there: it may come with what React shows next. */
export function focusComment(commentId: string, how: 'focus' | 'show', frames = mostFrames) {
  requestAnimationFrame(() => {
    const element = document.getElementById(commentId)
    if (!element) {
      if (frames > 0) focusComment(commentId, how, frames - 1)
      return
    }
    if (how === 'focus') element.focus({ preventScroll: true })
    element.scrollIntoView({ block: how === 'focus' ? 'nearest' : 'end' })
  })
}

/** Which comment has the focus when this one is gone: the next one, or else the one before. */
export function focusedAfter(list: HTMLElement | null, commentId: string): string | null {
  const shown = [...(list?.querySelectorAll('[data-comment]') ?? [])].map(({ id }) => id)
  const at = shown.indexOf(commentId)
  return shown[at + 1] ?? shown[at - 1] ?? null
}

/** Answers what to say about it. */
export async function copyCommentLink(slug: string, postId: string, commentId: string) {
  try {
    await navigator.clipboard.writeText(location.origin + postPath(slug, postId, commentId))
    return 'Link copied'
  } catch {
    // No clipboard: the browser forbids it, or the site is not served over https.
    return 'Your browser does not let us copy the link.'
  }
}
