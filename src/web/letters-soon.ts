/** Milliseconds from asking for a page to its head: below, letters take about as long again. */
const quick = 150

/**
 * Letters that are not there at the first paint stay away until the next page, so that nothing moves.
 * Where answers come quickly, or the letters came with an earlier page, the first paint may wait for them:
 * that takes 50 ms at most. Elsewhere they are fetched for the next page, when this one is whole and shown.
 */
export function wantLettersSoon() {
  const links = [...document.querySelectorAll<HTMLLinkElement>('link[as=font][media]')]
  if (!links[0]) return
  const { href: newest } = links[0]
  let isKept = false
  // Storage throws where the visitor has blocked it; without an answer the next page has its stand-ins, too.
  try {
    isKept = localStorage.getItem('letters') === newest
  } catch {}
  const keep = async () => {
    try {
      for (const { href } of links) await (await fetch(href)).arrayBuffer()
      localStorage.setItem('letters', newest)
    } catch {}
  }
  if (isKept || performance.now() <= quick) {
    delete document.documentElement.dataset.letters
    for (const link of links) link.removeAttribute('media')
  } else addEventListener('load', () => requestAnimationFrame(() => setTimeout(keep)))
}
