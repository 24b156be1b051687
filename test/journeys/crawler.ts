// Follows every address that pages of one server name, as a search engine or a patient person would.
import { matchRoutes, type RouteObject } from 'react-router'
import routes from '../../src/routes.ts'

/** Pages of one kind that are read whole; of the rest it is enough that others of their kind are right. */
const pagesOfAKind = 12
const atOnce = 4

export interface Crawl {
  /** Every address that was asked for. */
  visited: string[]
  /** The pages of src/routes.ts that were read, as they are written there. */
  kinds: Map<string, number>
  /** What is wrong, each with where it was found. */
  broken: string[]
}

interface Found {
  address: string
  from: string
}

const asRoutes = (entries: typeof routes): RouteObject[] =>
  entries.map((entry): RouteObject =>
    entry.index
      ? { id: entry.file, index: true }
      : {
          id: entry.file,
          ...(entry.path === undefined ? {} : { path: entry.path }),
          children: asRoutes(entry.children ?? []),
        },
  )
const known = asRoutes(routes)

/** The page that answers a path, as src/routes.ts writes it; files have none. */
export function kindOf(pathname: string): string | null {
  const found = matchRoutes(known, pathname)
  const kind = found?.flatMap(({ route }) => route.path ?? []).join('/')
  return kind === '*' || kind === undefined ? null : `/${kind}`
}

export const pageKinds = (entries = routes): string[] =>
  entries.flatMap((entry) =>
    entry.children ? pageKinds(entry.children) : entry.path === '*' ? [] : [`/${entry.path ?? ''}`],
  )

const unescaped = (text: string) =>
  text
    .replaceAll('&quot;', '"')
    .replaceAll('&#x27;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')

interface Tag {
  name: string
  attributes: Map<string, string>
}

/** Our own HTML quotes every value, so that this is all the parser it needs. */
function tagsOf(html: string): Tag[] {
  const shown = html.replaceAll(/(<(script|style)\b[^>]*>)[^]*?<\/\2>/g, '$1')
  return [...shown.matchAll(/<([a-zA-Z][\w-]*)((?:\s+[^\s=>/]+(?:="[^"]*")?)*)\s*\/?>/g)].map(
    ([, name = '', text = '']) => ({
      name: name.toLowerCase(),
      attributes: new Map(
        [...text.matchAll(/([^\s=]+)(?:="([^"]*)")?/g)].map(([, key = '', value = '']) => [
          key.toLowerCase(),
          unescaped(value),
        ]),
      ),
    }),
  )
}

const sharedPictures = new Set(['og:image', 'og:url', 'twitter:image'])

/** What a tag leads to. */
function addressesOf({ name, attributes }: Tag): string[] {
  const value = (key: string) => attributes.get(key)
  const one = (address: string | undefined) => (address ? [address] : [])
  const several = (value('srcset') ?? value('imagesrcset') ?? '')
    .split(',')
    .flatMap((candidate) => one(candidate.trim().split(/\s/)[0]))
  if (name === 'a') return one(value('href'))
  if (name === 'form' && (value('method') ?? 'get').toLowerCase() === 'get') {
    return one(value('action'))
  }
  if (name === 'link') return [...one(value('href')), ...several]
  if (name === 'meta') {
    return sharedPictures.has(value('property') ?? value('name') ?? '') ? one(value('content')) : []
  }
  return [...one(value('src')), ...one(value('poster')), ...several]
}

/** Addresses in a file that is no page: site maps, RSS, the manifest, styles. */
function addressesIn(type: string, text: string): string[] {
  if (type.includes('json')) {
    return [...text.matchAll(/"(?:src|url|start_url)":\s*"([^"]+)"/g)].map(
      ([, found = '']) => found,
    )
  }
  if (type.includes('xml')) {
    return [...text.matchAll(/<(?:loc|link|guid)[^>]*>([^<]+)</g)].map(([, found = '']) =>
      unescaped(found),
    )
  }
  if (type.includes('css')) {
    return [...text.matchAll(/url\(["']?([^"')]+)/g)].map(([, found = '']) => found)
  }
  if (type.includes('text/plain')) {
    return [...text.matchAll(/^Sitemap: (\S+)/gm)].map(([, found = '']) => found)
  }
  return []
}

/** @param cookie of whoever looks; nobody is signed in without one. */
export async function crawl(url: string, starts: string[], cookie?: string): Promise<Crawl> {
  const origin = new URL(url).origin
  const kinds = new Map<string, number>()
  const broken = new Set<string>()
  const asked = new Set<string>()
  const waiting: Found[] = []
  /** What a page has, and what others point to in it. */
  const ids = new Map<string, Set<string>>()
  const anchors: (Found & { id: string })[] = []

  function add(written: string, from: string) {
    if (/^(?:data|blob|mailto|tel):/.test(written)) return
    if (!URL.canParse(written, `${origin}${from}`)) {
      broken.add(`${from} leads to ${JSON.stringify(written)}, which is no address`)
      return
    }
    const found = new URL(written, `${origin}${from}`)
    if (found.origin !== origin) {
      // Another site is for it to answer; another port of this machine is a mistake of ours.
      if (['localhost', '127.0.0.1'].includes(found.hostname)) {
        broken.add(`${from} leads to another port: ${written}`)
      }
      return
    }
    const address = found.pathname + found.search
    if (found.hash.length > 1) {
      anchors.push({ address, from, id: decodeURIComponent(found.hash.slice(1)) })
    }
    if (found.pathname === '/logout' || asked.has(address)) return
    const kind = kindOf(found.pathname)
    if (kind !== null) {
      // Each query makes a page of its own, without end.
      const seen = kinds.get(kind) ?? 0
      if (seen >= pagesOfAKind) return
      kinds.set(kind, seen + 1)
    }
    asked.add(address)
    waiting.push({ address, from })
  }

  async function visit({ address, from }: Found) {
    const answer = await fetch(origin + address, {
      redirect: 'manual',
      headers: cookie ? { cookie } : {},
    })
    const location = answer.headers.get('location')
    if (answer.status >= 300 && answer.status < 400 && location !== null) {
      await answer.body?.cancel()
      add(location, address)
      return
    }
    if (answer.status >= 400) {
      await answer.body?.cancel()
      broken.add(`${from} leads to ${address}: ${answer.status}`)
      return
    }
    const type = answer.headers.get('content-type') ?? ''
    if (!type.startsWith('text/html')) {
      const isText = /xml|json|css|text\/plain/.test(type)
      if (!isText) {
        await answer.body?.cancel()
        return
      }
      for (const found of addressesIn(type, await answer.text())) add(found, address)
      return
    }
    const html = await answer.text()
    const tags = tagsOf(html)
    if (!/<h1[\s>]/.test(html)) broken.add(`${address} has no heading`)
    ids.set(address, new Set(tags.flatMap(({ attributes }) => attributes.get('id') ?? [])))
    for (const tag of tags) {
      for (const found of addressesOf(tag)) add(found, address)
    }
  }

  for (const start of starts) add(start, '/')
  while (waiting.length > 0) {
    await Promise.all(waiting.splice(0, atOnce).map(visit))
  }
  for (const { address, from, id } of anchors) {
    const there = ids.get(address)
    if (there && !there.has(id)) broken.add(`${from} leads to #${id}, which ${address} has not`)
  }
  return { visited: [...asked], kinds, broken: [...broken].toSorted() }
}
