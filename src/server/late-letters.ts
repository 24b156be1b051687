const preload = /<link rel="preload" as="font"[^>]*\/>/g
const picturePreload = /<link rel="preload" as="image"/

/**
 * Letters that the head asks for hold up the first paint in Chromium, up to 50 ms, and with it all work of
 * a slow phone. So they are asked for in the body, after the page's main picture if it has one; those in
 * the head wait for `wantLettersSoon` to see that answers come quickly here.
 */
export function lateLetters(html: string): string {
  const preloads = picturePreload.test(html) ? [] : (html.match(preload) ?? [])
  return html
    .replace(preload, (link) => link.replace('<link ', '<link media="not all" '))
    .replace(/<body[^>]*>/, (body) => body + preloads.join(''))
}
