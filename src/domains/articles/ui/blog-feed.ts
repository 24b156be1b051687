import type { Route } from './+types/blog-feed'
import { shellContext } from '../../../web/page-context.ts'
import { blogFeed } from '../feed.ts'
import { allPosts } from '../published.ts'

export const loader = ({ context }: Route.LoaderArgs) =>
  new Response(blogFeed(allPosts(), context.get(shellContext).appUrl), {
    headers: { 'content-type': 'application/rss+xml; charset=utf-8', 'cache-control': 'no-cache' },
  })
