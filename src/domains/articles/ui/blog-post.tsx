import { Newspaper } from 'lucide-react'
import { data, redirect } from 'react-router'
import type { Route } from './+types/blog-post'
import { ButtonLink } from '../../../ui/button.tsx'
import { PageProblem } from '../../courses/ui/page-problem.tsx'
import { brand } from '../../site/brand.ts'
import { breadcrumbs, pageMeta } from '../../site/ui/page-meta.ts'
import { postAt } from '../published.ts'
import { competitors, dayLabel } from '../rules.ts'
import { blogFeedLink } from './blog-meta.ts'
import { ComparisonTable } from './comparison-table.tsx'

export const handle = { still: true }

export function loader({ params, url }: Route.LoaderArgs) {
  const found = postAt(params.slug)
  if (!found) throw data({ message: 'Blog post not found' }, { status: 404 })
  const { post, address } = found
  if (address !== `/blog/${params.slug}`) throw redirect(address + url.search, 301)
  const { title, description, date, author, html, rows, competitor } = post
  return { title, description, date, author, html, rows, competitor, address }
}

export const meta = ({ loaderData }: Route.MetaArgs) => {
  if (!loaderData) return pageMeta('Blog post not found', 'There is no post at this address.')
  const { title, description, address } = loaderData
  return [
    ...pageMeta(title, description, { path: address, type: 'article' }),
    breadcrumbs([
      { name: 'Blog', path: '/blog' },
      { name: title, path: address },
    ]),
    blogFeedLink(),
  ]
}

export default function BlogPost({ loaderData }: Route.ComponentProps) {
  const { title, date, author, html, rows } = loaderData
  const competitor = competitors[loaderData.competitor]
  return (
    <article className="page-width max-w-[56rem] py-12 lg:py-16">
      <header className="grid gap-4">
        <h1 className="text-4xl font-extrabold text-balance lg:text-5xl">{title}</h1>
        <p className="text-muted">
          <time dateTime={date}>{dayLabel(date)}</time>, by {author}
        </p>
      </header>
      {/* Ours, made from Markdown at build time. */}
      <div className="prose mt-8" dangerouslySetInnerHTML={{ __html: html }} />
      <ComparisonTable rows={rows} competitor={competitor} />
      <p className="mt-4 max-w-[48rem] text-sm text-pretty text-muted">
        As of {dayLabel(date)}, as far as we know. Features, prices and plans change: have a look at
        what {competitor} says today before you decide.
      </p>
      <section
        aria-labelledby="start"
        className="mt-12 grid justify-items-start gap-4 rounded-card bg-primary-soft p-6 sm:p-8"
      >
        <h2 id="start" className="text-2xl">
          See for yourself
        </h2>
        <p className="max-w-[40rem] text-pretty text-muted">
          One course with up to 25 students is free on {brand.name}, without a card and without a
          trial that ends.
        </p>
        <ButtonLink to="/signup" size="lg">
          Get Started Free
        </ButtonLink>
      </section>
    </article>
  )
}

export function ErrorBoundary() {
  return (
    <PageProblem
      icon={Newspaper}
      notFound="Blog post not found"
      description="There is no post at this address. It may have been mistyped."
      back={{ to: '/', label: 'Back home' }}
      failed="Could not load this post"
    />
  )
}
