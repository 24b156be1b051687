// Site maps of any size: an index, and files of ranges. Where the files begin is found by a walk over an index of the
// database and remembered for an hour; what is in a file is what is public when somebody asks for it.
import type { Pool } from 'pg'
import { escaped } from '../../escaped.ts'
import { inTurns } from '../../server/turns.ts'
import { brand } from './brand.ts'

/** Addresses in a file when it is cut. */
const perFile = 10_000

/** The format's own limit; some may come into a range before it is cut anew. */
const most = 50_000

/** Milliseconds for which a cut holds. */
const cutHolds = 60 * 60 * 1000

/** What a file begins with: a value for each column of the order. */
type Key = string[]

interface Kind {
  order: string[]
  /** As the index has it, read from either end. */
  sorted: string
  types: string[]
  /** Whose order is walked: columns of one index, so that a million entries are read without their rows. */
  from: string
  /** Path and time of the last change. */
  select: string
  /** What else must hold in a file. */
  listed: string
}

const kinds = {
  /** The index is courses_published_newest. */
  courses: {
    order: ['published_at', 'id'],
    sorted: 'published_at nulls first, id nulls first',
    types: ['timestamptz', 'uuid'],
    from: `courses where status = 'published' and published_at is not null`,
    select: `'/course/' || slug, updated_at`,
    listed: 'true',
  },
  /** The index is that of usernames. Listed is who teaches: being found is the point for them, not for learners. */
  people: {
    order: ['username'],
    sorted: 'username',
    types: ['text'],
    from: 'users where username is not null',
    select: `'/user/' || username, updated_at`,
    listed: `suspended_at is null and exists (
      select from courses where instructor_id = users.id and status = 'published')`,
  },
} satisfies Record<string, Kind>

type SitemapKind = keyof typeof kinds

const row = (values: string[]) => (values.length === 1 ? values[0]! : `(${values.join(', ')})`)

/**
 * The keys with which files of `size` begin: one walk along the index, which reads no row but their first ones. With a
 * million courses and a million people both walks together take half a second to a second.
 */
async function cut(pool: Pool, kind: SitemapKind, size: number): Promise<Key[]> {
  const { order, from, sorted } = kinds[kind]
  const columns = order.join(', ')
  const { rows } = await pool.query<Key>({
    text: `with recursive walk as (
             (select ${columns} from ${from} order by ${sorted} limit 1)
             union all
             select next.* from walk, lateral (
               select ${columns} from ${from} and ${row(order)} > ${row(order.map((one) => `walk.${one}`))}
                order by ${sorted} offset $1 limit 1) next)
           select ${order.map((one) => `${one}::text`).join(', ')} from walk order by ${sorted}`,
    values: [size - 1],
    rowMode: 'array',
  })
  return rows
}

/** What is public between two keys; without one it has no end on that side. */
async function listed(pool: Pool, kind: SitemapKind, first: Key | null, next: Key | null) {
  const { order, sorted, types, from, select, listed: also } = kinds[kind]
  const values: string[] = []
  const bound = (sign: string, key: Key | null) =>
    key
      ? `and ${row(order)} ${sign} ${row(key.map((v, i) => `$${values.push(v)}::${types[i]}`))}`
      : ''
  const { rows } = await pool.query<[string, Date]>({
    text: `select ${select} from ${from} ${bound('>=', first)} ${bound('<', next)} and ${also}
            order by ${sorted} limit ${most}`,
    values,
    rowMode: 'array',
  })
  return rows
}

const xml = (root: string, entries: string[]) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${entries.join('\n')}\n</${root}>\n`

const location = (path: string) => `<loc>${escaped(brand.appUrl + path)}</loc>`

/** `staticPages` are the paths of the pages that are always there. */
export function createSitemaps(pool: Pool, staticPages: () => string[], size = perFile) {
  const cuts = new Map<SitemapKind, { keys: Promise<Key[]>; until: number }>()
  // A file is up to 50,000 rows: whoever asks for many of them waits.
  const turns = inTurns(1)

  function keysOf(kind: SitemapKind): Promise<Key[]> {
    const known = cuts.get(kind)
    if (known && known.until > Date.now()) return known.keys
    const keys = cut(pool, kind, size)
    cuts.set(kind, { keys, until: Date.now() + cutHolds })
    // The next one who asks tries again.
    keys.catch(() => cuts.delete(kind))
    return keys
  }

  async function entries(kind: SitemapKind, number: number): Promise<string[] | null> {
    const keys = await keysOf(kind)
    if (number > keys.length) return null
    // What comes in before the first or after the last key belongs to that file.
    const first = number === 1 ? null : keys[number - 1]!
    const done = await turns.take('')
    try {
      const rows = await listed(pool, kind, first, keys[number] ?? null)
      return rows.map(
        ([path, changed]) =>
          `<url>${location(path)}<lastmod>${changed.toISOString()}</lastmod></url>`,
      )
    } finally {
      done()
    }
  }

  return {
    async index(): Promise<string> {
      const kindsOfFiles = Object.keys(kinds) as SitemapKind[]
      const counts = await Promise.all(
        kindsOfFiles.map(async (kind) => (await keysOf(kind)).length),
      )
      const names = kindsOfFiles.flatMap((kind, at) =>
        Array.from({ length: counts[at] ?? 0 }, (_, index) => `${kind}-${index + 1}`),
      )
      return xml(
        'sitemapindex',
        ['pages', ...names].map(
          (name) => `<sitemap>${location(`/sitemaps/${name}.xml`)}</sitemap>`,
        ),
      )
    },
    /** By its name in the index; null when there is none of it. */
    async file(name: string): Promise<string | null> {
      if (name === 'pages') {
        return xml(
          'urlset',
          staticPages().map((path) => `<url>${location(path)}</url>`),
        )
      }
      const [, kind, number] = name.match(/^([a-z]+)-([1-9]\d{0,5})$/) ?? []
      if (!kind || !Object.hasOwn(kinds, kind)) return null
      const found = await entries(kind as SitemapKind, Number(number))
      return found && xml('urlset', found)
    },
  }
}
