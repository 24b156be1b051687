// The event streams of a page, heard by a journey.
import type { Page } from '@playwright/test'

/** What the streams of a page brought, beside the page itself. */
interface Brought {
  ids: string[]
  /** How many streams were opened, and how many of them stand. */
  opened: number
  open: number
}

/** From the next page on; what it answers asks the page. */
export async function listenIn(page: Page): Promise<() => Promise<Brought>> {
  await page.addInitScript(() => {
    const brought: Brought = { ids: [], opened: 0, open: 0 }
    Object.assign(window, { brought })
    const ask = window.fetch
    window.fetch = async (...asked) => {
      const answer = await ask(...asked)
      if (!String(asked[0]).includes('/realtime/v1/events') || !answer.body) return answer
      const [mine, theirs] = answer.body.tee()
      brought.opened += 1
      brought.open += 1
      const read = async () => {
        let text = ''
        for (const reader = mine.pipeThrough(new TextDecoderStream()).getReader(); ;) {
          const { done, value } = await reader.read()
          if (done) return
          const pieces = (text + value).split('\n\n')
          text = pieces.pop() ?? ''
          for (const piece of pieces) {
            const id = /^id: (.*)\nevent: message$/m.exec(piece)?.[1]
            if (id) brought.ids.push(id)
          }
        }
      }
      void read()
        .catch(() => {})
        .finally(() => (brought.open -= 1))
      return new Response(theirs, answer)
    }
  })
  return () => page.evaluate(() => (window as unknown as { brought: Brought }).brought)
}
