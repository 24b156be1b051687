import { SearchX } from 'lucide-react'
import { data, Link } from 'react-router'
import type { Route } from './+types/help-page'
import { cn } from '../../../ui/cn.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { brand } from '../../site/brand.ts'
import { pageMeta, unlisted } from '../../site/ui/page-meta.ts'
import { allHelp } from '../published.ts'
import { longestHelpSearch } from '../rules.ts'
import type { Audience } from '../schema.ts'
import { searchHelp } from '../search-help.ts'
import { AskPeople } from './ask-people.tsx'
import { audienceNames } from './audience-names.ts'
import { HelpSearch } from './help-search.tsx'

export const handle = { still: true }

interface Listed {
  slug: string
  title: string
  description: string
  audience: Audience
}

export function loader({ url }: Route.LoaderArgs) {
  const given = url.searchParams.get('q') ?? ''
  const query = given.replace(/\p{Cc}+/gu, ' ').trim()
  const all = allHelp()
  const short = ({ slug, title, description, audience }: Listed) => ({
    slug,
    title,
    description,
    audience,
  })
  const listed = all.map(short)
  if (query.length > longestHelpSearch) {
    const problem = `A search can have at most ${longestHelpSearch} characters`
    const typed = query.slice(0, longestHelpSearch)
    return data({ query: typed, problem, found: null, listed }, { status: 400 })
  }
  const found =
    query === ''
      ? null
      : searchHelp(all, query).map(({ article, section }) => ({ ...short(article), section }))
  return data({ query, problem: null, found, listed })
}

export const meta = ({ loaderData }: Route.MetaArgs) => {
  const asked = loaderData?.query ?? ''
  return [
    ...pageMeta(
      asked === '' ? 'Help Center' : `Help with “${asked}”`,
      `How to take courses and how to make them on ${brand.name}: short answers with the way to each screen.`,
      { path: '/help' },
    ),
    ...(asked === '' ? [] : [unlisted]),
  ]
}

export default function HelpPage({ loaderData }: Route.ComponentProps) {
  const { query, problem, found, listed } = loaderData
  return (
    <div className="page-width grid grid-cols-1 gap-8 py-12 lg:py-16">
      <header className="grid gap-6">
        <h1 className="text-5xl font-extrabold">Help Center</h1>
        <HelpSearch query={query} problem={problem} />
      </header>
      {found ? (
        <>
          <Found query={query} found={found} />
          <AskPeople />
        </>
      ) : (
        <Everything listed={listed} />
      )}
    </div>
  )
}

type FoundProps = {
  query: string
  found: (Listed & { section: { id: string; heading: string } | null })[]
}

function Found({ query, found }: FoundProps) {
  if (found.length === 0) {
    return (
      <EmptyState
        icon={SearchX}
        className="max-w-[44rem]"
        title={<span className="wrap-anywhere">We did not find anything about “{query}”</span>}
        description="Try fewer or different words, or read through all articles. We are glad to help, too."
        action={
          <Link to="/help" className="font-semibold text-primary underline underline-offset-4">
            All articles
          </Link>
        }
      />
    )
  }
  return (
    <section aria-labelledby="found" className="grid gap-2">
      <h2 id="found" className="text-2xl wrap-anywhere">
        {found.length === 1 ? '1 article' : `${found.length} articles`} about “{query}”
      </h2>
      <ol aria-labelledby="found" className="max-w-[44rem]">
        {found.map(({ section, ...article }) => (
          <li key={article.slug} className="border-b py-5">
            <p className="text-sm text-muted">{audienceNames[article.audience]}</p>
            <h3 className="mt-1 text-xl">
              <Link to={`/help/${article.slug}`} className="underline-offset-4 hover:underline">
                {article.title}
              </Link>
            </h3>
            <p className="mt-1 text-pretty text-muted">{article.description}</p>
            {section && (
              <Link
                to={`/help/${article.slug}#${section.id}`}
                className="mt-1 inline-flex min-h-10 items-center font-semibold text-primary underline underline-offset-4"
              >
                {section.heading}
              </Link>
            )}
          </li>
        ))}
      </ol>
      <p className="pt-3">
        <Link to="/help" className="font-semibold text-primary underline underline-offset-4">
          All articles
        </Link>
      </p>
    </section>
  )
}

function Everything({ listed }: { listed: Listed[] }) {
  return (
    <div className="grid grid-cols-1 gap-x-12 gap-y-10 md:grid-cols-2 md:grid-rows-[auto_1fr]">
      {(['learners', 'creators'] as const).map((audience) => (
        <section
          key={audience}
          aria-labelledby={audience}
          className={cn(audience === 'creators' && 'md:row-span-2')}
        >
          <h2 id={audience} className="scroll-mt-24 text-2xl">
            {audienceNames[audience]}
          </h2>
          <ul aria-labelledby={audience} className="mt-3 border-t">
            {listed
              .filter((article) => article.audience === audience)
              .map(({ slug, title, description }) => (
                <li key={slug} className="border-b">
                  <Link
                    to={`/help/${slug}`}
                    className="group -mx-3 grid gap-0.5 rounded-control px-3 py-4 hover:bg-wash"
                  >
                    <span className="font-semibold underline-offset-4 group-hover:underline">
                      {title}
                    </span>
                    <span className="text-sm text-pretty text-muted">{description}</span>
                  </Link>
                </li>
              ))}
          </ul>
        </section>
      ))}
      <div>
        <AskPeople />
      </div>
    </div>
  )
}
