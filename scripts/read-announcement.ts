import { parseArgs } from 'node:util'

export interface Announcement {
  title: string
  message: string
  /** A page of the site to look at. */
  href?: string
}

/** Letters that a title and a message can have. */
const limits = { title: 120, message: 2000 }

const usage =
  'Say what: npm run announce -- "A title" "A message of some sentences."   (with --href /about for a page of this site to look at)'

/** What was typed after the command, or a sentence about what is wrong with it. */
export function readAnnouncement(typed: string[]): Announcement | string {
  const parsed = parse(typed)
  if (!parsed) return usage
  const [title = '', message = '', ...rest] = parsed.positionals.map((text) => text.trim())
  if (!title || !message || rest.length > 0) return usage
  if (title.length > limits.title) return `The title can have at most ${limits.title} characters.`
  if (message.length > limits.message) {
    return `The message can have at most ${limits.message} characters.`
  }
  const { href } = parsed.values
  if (href !== undefined && !/^\/(?![/\\])\S*$/.test(href)) {
    return `${href} is no page of this site: begin with one slash, as in /about.`
  }
  return { title, message, href }
}

function parse(typed: string[]) {
  try {
    const options = { href: { type: 'string' } } as const
    return parseArgs({ args: typed, options, allowPositionals: true })
  } catch {
    return null
  }
}
