/** Milliseconds from asking for a page to its head: below, letters take about as long again. */
const quick = 150

/**
 * Letters that are not there at the first paint stay away until the next page, so that nothing moves.
 * Where answers come quickly, or the letters came with an earlier page, the first paint may wait for them:
 * that takes 50 ms at most. Elsewhere they are fetched for the next page, when this one is whole and shown.
 */
export function wantLettersSoon() {
  const links = [...document.querySelectorAll<HTMLLinkElement>('link[as=font][media]')]
  const newest = links[0]?.href
  if (newest === undefined) return
  if (performance.now() <= quick || saved() === newest) {
    delete document.documentElement.dataset.letters
    for (const link of links) link.removeAttribute('media')
    return
  }
  addEventListener('load', () => {
    requestAnimationFrame(() =>
      setTimeout(() => {
        for (const { href } of links) void keep(href)
        save(newest)
      }),
    )
  })
}

/** Into the browser's cache. Without an answer the next page has its stand-ins, too. */
async function keep(href: string) {
  try {
    await (await fetch(href)).arrayBuffer()
  } catch {}
}

// Storage throws where the visitor has blocked it.
function saved() {
  try {
    return localStorage.getItem('letters')
  } catch {}
}

function save(newest: string) {
  try {
    localStorage.setItem('letters', newest)
  } catch {}
}
