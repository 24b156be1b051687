// The blog for feed readers (RSS 2.0).
import { escaped } from '../../escaped.ts'
import { brand } from '../site/brand.ts'
import { named, postAddress } from './rules.ts'
import type { Post } from './schema.ts'

const rfc822 = (date: string) => new Date(date).toUTCString()

export function blogFeed(posts: readonly Post[], appUrl: string): string {
  const newest =
    posts
      .map(({ date }) => date)
      .sort()
      .at(-1) ?? '2026-01-01'
  const items = posts.map((post) => {
    const address = escaped(appUrl + postAddress(post.competitor))
    return `    <item>
      <title>${escaped(named(post.title))}</title>
      <link>${address}</link>
      <guid isPermaLink="true">${address}</guid>
      <pubDate>${rfc822(post.date)}</pubDate>
      <description>${escaped(named(post.description))}</description>
    </item>`
  })
  return `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom">
  <channel>
    <title>${escaped(`The ${brand.name} blog`)}</title>
    <link>${escaped(`${appUrl}/blog`)}</link>
    <description>${escaped(`How courses are made and sold, compared by ${brand.name}.`)}</description>
    <language>en</language>
    <lastBuildDate>${rfc822(newest)}</lastBuildDate>
    <atom:link href="${escaped(`${appUrl}/blog/rss.xml`)}" rel="self" type="application/rss+xml"/>
${items.join('\n')}
  </channel>
</rss>
`
}
