import { brand } from '../../site/brand.ts'

/** For the heads of the blog's pages: feed readers find its feed. */
export const blogFeedLink = () => ({
  tagName: 'link',
  rel: 'alternate',
  type: 'application/rss+xml',
  title: `The ${brand.name} blog`,
  href: '/blog/rss.xml',
})
