import { ArrowLeft, BookX } from 'lucide-react'
import { data, Link, redirect } from 'react-router'
import type { Route } from './+types/help-article'
import { PageProblem } from '../../courses/ui/page-problem.tsx'
import { breadcrumbs, pageMeta } from '../../site/ui/page-meta.ts'
import { allHelp } from '../published.ts'
import { AskPeople } from './ask-people.tsx'
import { audienceNames } from './audience-names.ts'

export const handle = { still: true }

export function loader({ params, url }: Route.LoaderArgs) {
  const all = allHelp()
  const slug = params.slug.toLowerCase()
  const article = all.find((one) => one.slug === slug)
  if (!article) throw data({ message: 'Help article not found' }, { status: 404 })
  if (slug !== params.slug) throw redirect(`/help/${slug}${url.search}`, 301)
  const { title, description, html, audience } = article
  const neighbours = all
    .filter((one) => one.audience === audience)
    .map((one) => ({ slug: one.slug, title: one.title }))
  return { slug, title, description, html, audience, neighbours }
}

export const meta = ({ loaderData }: Route.MetaArgs) => {
  if (!loaderData) return pageMeta('Help article not found', 'There is no article at this address.')
  const { title, description, slug } = loaderData
  const path = `/help/${slug}`
  return [
    ...pageMeta(title, description, { path, type: 'article' }),
    breadcrumbs([
      { name: 'Help Center', path: '/help' },
      { name: title, path },
    ]),
  ]
}

export default function HelpArticlePage({ loaderData }: Route.ComponentProps) {
  const { slug, title, description, html, audience, neighbours } = loaderData
  return (
    <div className="page-width grid gap-x-16 gap-y-10 py-10 lg:grid-cols-[minmax(0,1fr)_17rem] lg:py-14">
      <div className="grid min-w-0 grid-cols-1 content-start gap-8">
        <article>
          <header className="grid gap-3">
            <Link
              to="/help"
              className="-my-2 -ml-1 inline-flex min-h-10 w-fit items-center gap-1.5 rounded-control px-1 text-sm font-semibold text-muted no-underline hover:text-ink"
            >
              <ArrowLeft size={16} aria-hidden />
              Help Center
            </Link>
            <h1 className="text-4xl">{title}</h1>
            <p className="max-w-[44rem] text-lg text-pretty text-muted">{description}</p>
          </header>
          {/* Ours, made from Markdown at build time. */}
          <div
            className="prose mt-6 [&_h2]:scroll-mt-24"
            dangerouslySetInnerHTML={{ __html: html }}
          />
        </article>
        <AskPeople />
      </div>
      <nav aria-labelledby="others" className="lg:pt-2">
        <h2 id="others" className="text-lg">
          {audienceNames[audience]}
        </h2>
        <ul className="mt-2 text-sm">
          {neighbours.map((one) => (
            <li key={one.slug}>
              <Link
                to={`/help/${one.slug}`}
                aria-current={one.slug === slug ? 'page' : undefined}
                className="-mx-2 block rounded-control px-2 py-2 text-muted hover:bg-wash hover:text-ink aria-[current=page]:font-semibold aria-[current=page]:text-ink"
              >
                {one.title}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
    </div>
  )
}

export function ErrorBoundary() {
  return (
    <PageProblem
      icon={BookX}
      notFound="Help article not found"
      description="There is no article at this address. All articles are in the Help Center, where you can search, too."
      back={{ to: '/help', label: 'Help Center' }}
      failed="Could not load this article"
    />
  )
}
