import { Rss } from 'lucide-react'
import { Link } from 'react-router'
import type { Route } from './+types/blog-index'
import { brand } from '../../site/brand.ts'
import { pageMeta } from '../../site/ui/page-meta.ts'
import { allPosts } from '../published.ts'
import { dayLabel, postAddress } from '../rules.ts'
import { blogFeedLink } from './blog-meta.ts'

export const handle = { still: true }

export function loader() {
  const posts = allPosts().map(({ competitor, title, description, date }) => ({
    address: postAddress(competitor),
    title,
    description,
    date,
  }))
  return { posts }
}

export const meta = () => [
  ...pageMeta(
    'Blog',
    `How ${brand.name} compares with other places for courses, feature by feature, with the rows that others win.`,
    { path: '/blog' },
  ),
  blogFeedLink(),
]

export default function BlogIndex({ loaderData }: Route.ComponentProps) {
  return (
    <div className="page-width max-w-[56rem] py-12 lg:py-16">
      <header className="grid gap-4">
        <h1 className="text-5xl font-extrabold">The {brand.name} blog</h1>
        <p className="max-w-[40rem] text-lg text-pretty text-muted">
          Which place suits your course? We compare {brand.name} with others, feature by feature.
          The rows that others win are in the tables, too.
        </p>
        <a
          href="/blog/rss.xml"
          className="inline-flex min-h-10 w-fit items-center gap-2 font-semibold text-primary underline underline-offset-4"
        >
          <Rss size={18} aria-hidden /> Follow by RSS
        </a>
      </header>
      <ul className="mt-8 border-t">
        {loaderData.posts.map(({ address, title, description, date }) => (
          <li key={address} className="border-b py-7">
            <article className="grid gap-2">
              <time dateTime={date} className="text-sm text-muted">
                {dayLabel(date)}
              </time>
              <h2 className="text-2xl">
                <Link to={address} className="underline-offset-4 hover:underline">
                  {title}
                </Link>
              </h2>
              <p className="max-w-[40rem] text-pretty text-muted">{description}</p>
            </article>
          </li>
        ))}
      </ul>
    </div>
  )
}
