// The articles that this build carries, with the product's name in them. For the server: whole, they are too
// much for a browser.
import articles from 'virtual:articles'
import { competitorOf, named, namedHtml, postAddress } from './rules.ts'
import type { HelpArticle, Post } from './schema.ts'

const namedSections = (sections: HelpArticle['sections']) =>
  sections.map(({ id, heading, text }) => ({ id, heading: named(heading), text: named(text) }))

function namedPost(post: Post): Post {
  return {
    ...post,
    title: named(post.title),
    description: named(post.description),
    author: named(post.author),
    rows: post.rows.map((row) => ({ ...row, ours: named(row.ours), theirs: named(row.theirs) })),
    html: namedHtml(post.html),
    sections: namedSections(post.sections),
    links: post.links.map(named),
  }
}

/** All posts, newest first. */
export const allPosts = (): Post[] =>
  articles.posts.map(namedPost).sort((a, b) => b.date.localeCompare(a.date))

/** The post at `/blog/{slug}` with its address; null when there is none. */
export function postAt(slug: string): { post: Post; address: string } | null {
  const competitor = competitorOf(slug)
  const post = articles.posts.find((one) => one.competitor === competitor)
  return post ? { post: namedPost(post), address: postAddress(post.competitor) } : null
}

/** All help articles, in their order. */
export const allHelp = (): HelpArticle[] =>
  articles.help.map((article) => ({
    ...article,
    title: named(article.title),
    description: named(article.description),
    html: namedHtml(article.html),
    sections: namedSections(article.sections),
    links: article.links.map(named),
  }))
