/**
 * For a `ref`: brings a link into sight in a row that can be wider than the screen, as on a phone.
 * The page itself stays where it is.
 */
export function showInRow(link: HTMLAnchorElement | null) {
  const row = link?.parentElement
  if (!row) return
  const room = row.clientWidth - link.offsetWidth
  row.scrollLeft = link.offsetLeft - row.offsetLeft - room / 2
}
