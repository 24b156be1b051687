import { readFileSync } from 'node:fs'
import { classesOf, parseSheet, type Sheet, usedStyles } from './used-styles.ts'

const styleSheet = /<link rel="stylesheet" href="(\/assets\/[\w.-]+\.css)"\/>/g

/**
 * Puts the built style sheets into the page: a page that is kept and not hydrated then paints after one
 * round trip instead of two. Only what the page uses: the rest would be most of its bytes. A sheet that
 * cannot be read stays a link.
 */
export function createStyleInliner(folder: string) {
  const sheets = new Map<string, Sheet | null>()

  function sheet(path: string): Sheet | null {
    let css = sheets.get(path)
    if (css === undefined) {
      try {
        css = parseSheet(readFileSync(folder + path, 'utf8'))
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
      return css === null ? link : `<style>${usedStyles(css, classesOf(html))}</style>`
    })
}
