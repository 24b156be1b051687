/** Milliseconds from asking for a page to its head: below, letters take about as long again. */
const quick = 150

/**
 * Letters that are not there at the first paint stay away until the next page, so that nothing moves.
 * Where answers come quickly the first paint may wait for them: that takes 50 ms at most.
 */
export function wantLettersSoon() {
  if (performance.now() > quick) return
  for (const link of document.querySelectorAll('link[as="font"]')) link.removeAttribute('media')
}
