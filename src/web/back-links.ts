// Runs beside React, on hydrated and on still pages alike. No imports.

/**
 * Makes every `a[data-back]` go where the visitor came from, when that was a page of this site. Otherwise,
 * and without JavaScript, it is a link like any other. Call it once per document.
 */
export function listenForBackLinks() {
  // While the event is on its way down, so before React's own listener, which leaves it alone then.
  document.addEventListener('click', goBack, true)
}

function goBack(event: MouseEvent) {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
  if (!(event.target instanceof Element) || !event.target.closest('a[data-back]')) return
  if (!isFromHere()) return
  event.preventDefault()
  history.back()
}

/** Whether the entry before this one in the history is a page of this site to go back to. */
function isFromHere(): boolean {
  // React Router counts the pages that were opened within this document.
  const state = history.state as { idx?: unknown } | null
  if (typeof state?.idx === 'number' && state.idx > 0) return true
  if (history.length < 2 || !document.referrer.startsWith(`${location.origin}/`)) return false
  // Who just signed in has been there and done that.
  return !/^\/(?:login|signup|logout)\b/.test(new URL(document.referrer).pathname)
}
