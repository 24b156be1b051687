import { readFileSync } from 'node:fs'
import { parseSheet, type Sheet, usedStyles } from './used-styles.ts'

const styleSheet = /<link rel="stylesheet" href="(\/assets\/[\w.-]+\.css)"\/>/g

/**
 * Puts the built style sheets into the page: a page that is kept and not hydrated then paints after one
 * round trip instead of two. Only what the page uses: the rest would be most of its bytes. With a sheet
 * that cannot be read all stay links.
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

  return (html: string): string => {
    const found = [...html.matchAll(styleSheet)].map(([, path = '']) => sheet(path))
    const readable = found.filter((css) => css !== null)
    // What a sheet that stays a link names in the others is not known.
    if (readable.length < found.length) return html
    const styles = usedStyles(readable, html)
    return html.replace(styleSheet, () => `<style>${styles.shift()}</style>`)
  }
}
