const preload = /<link rel="preload" as="font"[^>]*\/>/g

/**
 * Letters that the head asks for hold up the first paint in Chromium, up to 50 ms, and with it all work of
 * a slow phone. So the page is laid out in their stand-ins, and they wait for `wantLettersSoon` to see
 * whether they can be there after all.
 */
export const lateLetters = (html: string): string =>
  html
    .replace('<html ', '<html data-letters="later" ')
    .replace(preload, (link) => link.replace('<link ', '<link media="not all" '))
