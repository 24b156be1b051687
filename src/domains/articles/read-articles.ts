// Runs at build time: the Markdown files of `content/` become HTML that the server carries with it.
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { Marked } from 'marked'
import { parse } from 'yaml'
import type * as z from 'zod'
import { escaped } from '../../escaped.ts'
import { slugOf } from '../courses/rules.ts'
import { competitors } from './rules.ts'
import { type Articles, type Audience, helpHead, postHead, type Section } from './schema.ts'

const folder = 'content'

const plain = (html: string) =>
  html
    .replace(/<[^>]*>/g, ' ')
    .replace(/&(?:amp|#38);/g, '&')
    .replace(/&(?:lt|#60);/g, '<')
    .replace(/&(?:gt|#62);/g, '>')
    .replace(/&(?:quot|#34);/g, '"')
    .replace(/&#39;/g, "'")
    .replace(/\s+/g, ' ')
    .trim()

/** Every Markdown file below `content/`. */
export function articleFiles(root = folder): string[] {
  const below = readdirSync(root, { recursive: true, encoding: 'utf8' })
  return below
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(root, name).replaceAll('\\', '/'))
    .sort()
}

/** @throws {Error} with a sentence, when there is more in it than our own kind of Markdown. */
function written(file: string, markdown: string) {
  const links: string[] = []
  const refuse = (what: string): never => {
    throw new Error(`${file}: ${what}.`)
  }
  const marked = new Marked<string, string>({
    gfm: true,
    renderer: {
      html: ({ text }) => refuse(`HTML is not allowed in it, as in ${JSON.stringify(text.trim())}`),
      image: () => refuse('pictures are not allowed in it'),
      table: () => refuse('tables are not allowed in it'),
      heading({ tokens, depth }) {
        if (depth !== 2 && depth !== 3) return refuse('headings begin with ## or ###')
        const text = this.parser.parseInline(tokens)
        return `<h${depth} id="${slugOf(plain(text))}">${text}</h${depth}>\n`
      },
      link({ href, tokens }) {
        if (!/^(?:\/(?!\/)|#|https:\/\/)/.test(href)) refuse(`${href} is no page or https address`)
        links.push(href)
        const rel = href.startsWith('https:') ? ' rel="noreferrer"' : ''
        return `<a href="${escaped(href)}"${rel}>${this.parser.parseInline(tokens)}</a>`
      },
    },
  })

  const tokens = marked.lexer(markdown)
  const sections: Section[] = [{ id: null, heading: '', text: '' }]
  let html = ''
  for (const token of tokens) {
    const piece = marked.parser([token])
    html += piece
    if (token.type === 'heading') {
      const heading = plain(piece)
      const id = slugOf(heading)
      if (sections.some((section) => section.id === id)) refuse(`“${heading}” stands in it twice`)
      sections.push({ id, heading, text: '' })
    } else {
      const last = sections.at(-1) as Section
      last.text = `${last.text} ${plain(piece)}`.trim()
    }
  }
  if (html.trim() === '') refuse('it has no text')
  return { html, sections, links }
}

/** @throws {Error} with a sentence that names the file. */
function headed<Head extends z.ZodType>(file: string, head: Head) {
  const source = readFileSync(file, 'utf8')
  const parts = /^---\n(.*?)\n---\n(.*)$/s.exec(source.replaceAll('\r\n', '\n'))
  if (!parts) throw new Error(`${file}: it has to begin with a head between two lines of ---.`)
  let values: unknown
  try {
    values = parse(parts[1]!)
  } catch (error) {
    throw new Error(`${file}: its head is no YAML: ${String(error)}`, { cause: error })
  }
  const parsed = head.safeParse(values)
  if (!parsed.success) {
    const { path, message } = parsed.error.issues[0]!
    const where = path.length > 0 ? ` (${path.join('.')})` : ''
    throw new Error(`${file}: ${message}${where}.`)
  }
  return { head: parsed.data, ...written(file, parts[2]!) }
}

/**
 * All articles, posts by competitor, help in its order.
 * @throws {Error} with a sentence, when a file is not as it should be.
 */
export function readArticles(root = folder): Articles {
  const articles: Articles = { posts: [], help: [] }
  for (const file of articleFiles(root)) {
    const [kind, audience] = file.slice(root.length + 1).split('/')
    const name = basename(file, '.md')
    if (kind === 'blog') {
      const { head, ...text } = headed(file, postHead)
      if (name !== `versus-${head.competitor}`) {
        throw new Error(`${file}: about ${head.competitor} is versus-${head.competitor}.md.`)
      }
      articles.posts.push({ ...head, ...text })
    } else if (kind === 'help' && (audience === 'learners' || audience === 'creators')) {
      const { head, ...text } = headed(file, helpHead)
      if (articles.help.some((other) => other.slug === name)) {
        throw new Error(`${file}: there is another article of that name.`)
      }
      if (name !== slugOf(name)) throw new Error(`${file}: its name is no address.`)
      articles.help.push({ ...head, ...text, slug: name, audience: audience satisfies Audience })
    } else {
      throw new Error(`${file}: articles are in blog, help/learners and help/creators.`)
    }
  }
  const order = Object.keys(competitors)
  articles.posts.sort((a, b) => order.indexOf(a.competitor) - order.indexOf(b.competitor))
  const missing = order.find((name) => articles.posts.every((post) => post.competitor !== name))
  if (missing) throw new Error(`${root}/blog/versus-${missing}.md is missing.`)
  articles.help.sort((a, b) => a.order - b.order)
  return articles
}
