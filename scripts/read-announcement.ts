import { parseArgs } from 'node:util'
import {
  announcementFacts,
  type AnnouncementFacts,
} from '../src/domains/administration/announcement-schema.ts'

const usage =
  'Say what: npm run announce -- "A title" "A message of some sentences."   (with --href /about for a page of this site to look at)'

/** What was typed after the command, or a sentence about what is wrong with it. */
export function readAnnouncement(typed: string[]): AnnouncementFacts | string {
  const parsed = parse(typed)
  if (!parsed) return usage
  const [title = '', message = '', ...rest] = parsed.positionals.map((text) => text.trim())
  if (!title || !message || rest.length > 0) return usage
  const { href } = parsed.values
  const read = announcementFacts.safeParse({ title, message, href, audience: 'everybody' })
  return read.success ? read.data : `${read.error.issues[0]?.message}.`
}

function parse(typed: string[]) {
  try {
    const options = { href: { type: 'string' } } as const
    return parseArgs({ args: typed, options, allowPositionals: true })
  } catch {
    return null
  }
}
