// What tells that a text became code: a call, a dialog, a request to somewhere else, a refusal of the policy, or an
// element and an attribute that no page of ours makes.
import type { BrowserContext, Page } from '@playwright/test'

export interface ScriptWatch {
  /** The numbers of the scripts that ran. */
  hits: Set<number>
  /** Everything else that should not have happened, with where. */
  findings: Set<string>
}

/** @param origin of the site; requests to all others are findings, and go nowhere. */
export async function watchScripts(context: BrowserContext, origin: string): Promise<ScriptWatch> {
  const watch: ScriptWatch = { hits: new Set(), findings: new Set() }
  await context.exposeBinding('__hit', ({ page }, number: number) => {
    watch.hits.add(number)
    watch.findings.add(`${page.url()} ran script ${number}`)
  })
  await context.exposeBinding('__violation', ({ page }, what: string) => {
    watch.findings.add(`${page.url()} was refused ${what}`)
  })
  await context.addInitScript(() => {
    addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) => {
      // Zod asks once whether it may build functions. Whatever a text would evaluate has to run first, and is seen.
      if (blockedURI === 'eval') return
      const report = Reflect.get(window, '__violation') as (what: string) => void
      report(`${violatedDirective} ${blockedURI.slice(0, 100)} ${sample}`)
    })
  })
  context.on('dialog', (dialog) => {
    watch.findings.add(`${dialog.page()?.url()} asked ${dialog.message()}`)
    void dialog.dismiss()
  })
  await context.route(
    (url) => url.origin !== origin && !['data:', 'blob:', 'about:'].includes(url.protocol),
    async (route) => {
      watch.findings.add(
        `${route.request().frame().url()} asked ${route.request().url().slice(0, 200)}`,
      )
      await route.abort()
    },
  )
  return watch
}

/** What stands in this page, or in a mail, and is no work of ours. Runs in the browser. */
export function madeByText(): string[] {
  const found: string[] = []
  const read = new Set(
    'href src action formaction xlink:href data poster background values to srcdoc ping'.split(' '),
  )
  for (const element of document.querySelectorAll('*')) {
    const name = element.tagName.toLowerCase()
    if (name === 'x-hit' || name === 'base' || name === 'object' || name === 'embed')
      found.push(name)
    if (name === 'meta' && element.getAttribute('http-equiv') === 'refresh') found.push(name)
    for (const attribute of element.attributes) {
      // As browsers read an address: without what is invisible.
      const value = attribute.value.replaceAll(/[\p{C}\p{Z}]/gu, '')
      const isCode = /^(?:javascript|vbscript|data:text|blob:null|feed|view-source)/i
      // As a picture it runs nothing, and some of our own are such.
      const isDrawn = /^data:image\/svg/i.test(value) && !['img', 'link', 'source'].includes(name)
      if (attribute.name.startsWith('on') || attribute.name === 'x-hit') {
        found.push(`${name} ${attribute.name}`)
      } else if (
        read.has(attribute.name) &&
        (isDrawn || isCode.test(value) || attribute.name === 'srcdoc')
      ) {
        found.push(`${name} ${attribute.name}=${attribute.value.slice(0, 100)}`)
      }
    }
  }
  return [...new Set(found)]
}

/** Opens a page and answers when its scripts have taken it over. */
export async function openWhole(page: Page, address: string): Promise<void> {
  await page.goto(address, { waitUntil: 'load' })
  const isHydrated = await page.evaluate(
    () =>
      document.querySelector('script[type=module]') !== null &&
      document.querySelector('h1') !== null,
  )
  if (isHydrated) await page.waitForSelector('html[data-hydrated]', { state: 'attached' })
}
