import { readFileSync } from 'node:fs'

const styleSheet = /<link rel="stylesheet" href="(\/assets\/[\w.-]+\.css)"\/>/g

/**
 * Puts the built style sheets into the page: a page that is kept and not hydrated then paints after one
 * round trip instead of two. A sheet that cannot be read stays a link.
 */
export function createStyleInliner(folder: string) {
  const sheets = new Map<string, string | null>()

  function sheet(path: string): string | null {
    let css = sheets.get(path)
    if (css === undefined) {
      try {
        css = readFileSync(folder + path, 'utf8')
      } catch {
        css = null
      }
      sheets.set(path, css)
    }
    return css
  }

  return (html: string): string =>
    html.replace(styleSheet, (link, path: string) => {
      const css = sheet(path)
      return css === null ? link : `<style>${css}</style>`
    })
}
