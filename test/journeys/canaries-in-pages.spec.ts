// A word of its own in every text of the database; then everybody opens every page, as HTML and as the data of a
// link, the feeds, the maps, and listens to the events: nobody is shown a word that is not for them.
import { expect, test } from '@playwright/test'
import { emptyHere, withoutCanary } from '../attacks/audiences.ts'
import { type Canary, placeCanaries } from '../attacks/canaries.ts'
import { furnishPages, pageAddresses } from '../attacks/page-addresses.ts'
import { makeReaders, mayRead, type Reader } from '../attacks/readers.ts'
import { requestOf, contractRows } from '../contract-rows.ts'
import { inputs } from '../contract-inputs.ts'
import { pageKinds } from './crawler.ts'
import { bootSecondNode } from './second-node.ts'
import { startBuiltServer } from './server.ts'

const files = [
  '/blog/rss.xml',
  '/sitemap.xml',
  '/sitemaps/courses-1.xml',
  '/sitemaps/people-1.xml',
  '/robots.txt',
  '/manifest.webmanifest',
  '/sw.js',
  '/outbox/mails.json',
]

/** The address of the same page's data, as a click on a link asks for it. */
const asData = (address: string) => {
  const [path = '', query] = address.split('#')[0]!.split('?')
  return `${path === '/' ? '/_root' : path}.data${query === undefined ? '' : `?${query}`}`
}

test('no page, feed or event shows a word to somebody whom it is not for', async () => {
  test.setTimeout(1_200_000)
  const server = await startBuiltServer()
  const { services, stop } = await bootSecondNode(server)
  const leaks = new Set<string>()
  const found = new Map<string, Set<string>>()
  let canaries: Canary[] = []

  /** What anybody may see who has the address of a certificate, or opens a free preview. */
  let ofPreviews = ''
  const isOpenTo = ({ column, word }: Canary, where: string) =>
    (column.startsWith('certificates.') && where.startsWith('/certificates/')) ||
    (column === 'lessons.content' && where.includes('/preview/') && ofPreviews.includes(word))

  const judge = (reader: Reader, said: string, where: string) => {
    if (!said.includes('kanarie')) return
    for (const canary of canaries) {
      if (!said.includes(canary.word)) continue
      found.set(reader.name, (found.get(reader.name) ?? new Set()).add(canary.column))
      if (!mayRead(reader, canary) && !isOpenTo(canary, where))
        leaks.add(`${reader.name} was shown ${canary.column} by ${where}`)
    }
  }
  const look = async (reader: Reader, address: string) => {
    const answer = await fetch(server.url + address, {
      redirect: 'manual',
      headers: { cookie: reader.cookie },
    })
    const said = (await answer.text()) + JSON.stringify([...answer.headers])
    if (answer.status >= 500) leaks.add(`${address} answered ${answer.status}`)
    judge(reader, said, address)
  }

  try {
    const world = { services, ...(await makeReaders(services)) }
    const { readers, targets } = world
    await furnishPages(world)
    const addresses = [...(await pageAddresses(pageKinds(), world)).values()].flat()
    const placed = await placeCanaries(
      services.pool,
      // With another code, nobody would find the page of an invitation.
      new Set([...Object.keys(withoutCanary), ...emptyHere, 'course_invitations.code']),
    )
    expect(placed.problems).toEqual([])
    ;({ canaries } = placed)
    const { rows: previews } = await services.pool.query<{ content: string }>(
      'select content::text as content from lessons where is_preview',
    )
    ofPreviews = previews.map(({ content }) => content).join()

    const streams = await Promise.all(
      readers.flatMap((reader) =>
        targets.map(async ({ courseId }) => {
          const ending = new AbortController()
          const stream = await fetch(`${server.url}/realtime/v1/events?courseId=${courseId}`, {
            headers: { cookie: reader.cookie },
            signal: ending.signal,
          })
          let heard = ''
          const reading = (async () => {
            const decoder = new TextDecoder()
            for await (const chunk of stream.body ?? []) {
              heard += decoder.decode(chunk, { stream: true })
            }
          })().catch(() => undefined)
          return { reader, heard: () => heard, ending, reading }
        }),
      ),
    )

    const waiting = readers.flatMap((reader) =>
      [...addresses.flatMap((address) => [address.split('#')[0]!, asData(address)]), ...files].map(
        (address) => ({ reader, address }),
      ),
    )
    const looks = waiting.length
    const work = async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        await look(next.reader, next.address)
      }
    }
    await Promise.all(Array.from({ length: 6 }, work))

    // What happens while they listen.
    const whole = readers.find(({ name }) => name === 'whole')!
    for (const name of ['community.createPost', 'community.createComment', 'community.likePost']) {
      const row = contractRows.find((one) => one.name === name)!
      const { path, body } = requestOf(row, await inputs[name]!(targets[0]!, services))
      const answer = await fetch(server.url + path, {
        method: row.method,
        headers: { cookie: whole.cookie, origin: server.url, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      expect(answer.status, await answer.text()).toBe(200)
    }
    const ofWhole = streams.find(({ reader }) => reader === whole)!
    await expect.poll(() => ofWhole.heard()).toMatch(/"type":"/)
    for (const { reader, heard, ending, reading } of streams) {
      ending.abort()
      await reading
      judge(reader, heard(), 'the event stream')
    }

    for (const { name } of readers) {
      console.log(`${name} found words of ${found.get(name)?.size ?? 0} columns`)
      expect(found.get(name)?.size ?? 0, name).toBeGreaterThan(3)
    }
    console.log(`${canaries.length} words, ${looks} looks of ${readers.length} people`)
    expect([...leaks]).toEqual([])
  } finally {
    await stop()
    await server.stop()
  }
})
