import type { ReactNode } from 'react'

type LegalSection = {
  /** The section's address on the page: `/terms#fees`. */
  id: string
  title: string
  body: ReactNode
}

type LegalPageProps = {
  title: string
  /** The day as it is written on the page, and as a date for machines. */
  effective: { text: string; iso: string }
  /** The whole document in a few sentences; it binds nobody. */
  inShort: ReactNode
  sections: LegalSection[]
}

/** A numbered legal text with its contents beside it, or on top of it on a phone. */
export function LegalPage({ title, effective, inShort, sections }: LegalPageProps) {
  return (
    <div className="page-width py-12 lg:py-16">
      <header>
        <h1 className="text-5xl font-extrabold">{title}</h1>
        <p className="mt-4 text-muted">
          Effective date: <time dateTime={effective.iso}>{effective.text}</time>
        </p>
      </header>
      <div className="mt-8 grid gap-x-16 gap-y-8 lg:grid-cols-[17rem_minmax(0,1fr)]">
        <section
          aria-labelledby="in-short"
          className="prose rounded-card border border-line bg-surface p-5 sm:p-6 lg:col-start-2"
        >
          <h2 id="in-short" className="text-lg">
            In short
          </h2>
          {inShort}
        </section>
        <Contents sections={sections} />
        <article className="prose lg:col-start-2 [&>section:first-child>h2]:mt-0">
          {sections.map(({ id, title: heading, body }, index) => (
            <section key={id} aria-labelledby={id}>
              <h2 id={id} className="scroll-mt-24">
                {index + 1}. {heading}
              </h2>
              {body}
            </section>
          ))}
        </article>
      </div>
    </div>
  )
}

function Contents({ sections }: { sections: LegalSection[] }) {
  return (
    <nav
      aria-labelledby="contents"
      className="rounded-card border border-line bg-surface p-5 lg:sticky lg:top-24 lg:col-start-1 lg:row-span-2 lg:row-start-1 lg:self-start lg:border-0 lg:bg-transparent lg:p-0"
    >
      <h2 id="contents" className="text-lg">
        On this page
      </h2>
      <ol className="mt-3 gap-x-6 text-sm sm:columns-2 lg:columns-1">
        {sections.map(({ id, title }, index) => (
          <li key={id} className="break-inside-avoid">
            <a
              href={`#${id}`}
              className="-mx-2 flex gap-2 rounded-control px-2 py-1.5 text-muted hover:bg-wash hover:text-ink"
            >
              <span className="w-6 shrink-0 text-right tabular-nums">{index + 1}.</span>
              {title}
            </a>
          </li>
        ))}
      </ol>
    </nav>
  )
}
