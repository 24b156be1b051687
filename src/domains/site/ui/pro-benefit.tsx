import type { ReactNode } from 'react'
import { useRouteLoaderData } from 'react-router'
import type { loader } from '../../../root.tsx'
import { ButtonLink } from '../../../ui/button.tsx'

type ProBenefitProps = {
  id: string
  title: string
  /** The one place in the product where it is. */
  place: { to: string; name: string; within?: string }
  /** A picture, or an example in words. */
  example: ReactNode
  children: ReactNode
}

/** One benefit: what it is, how it looks, and where it is found. */
export function ProBenefit({ id, title, place, example, children }: ProBenefitProps) {
  const signedIn = Boolean(useRouteLoaderData<typeof loader>('root')?.me)
  return (
    <section
      aria-labelledby={id}
      className="grid items-center gap-x-16 gap-y-6 border-t py-12 lg:grid-cols-[5fr_7fr] lg:py-16"
    >
      <div>
        <h2 id={id} className="scroll-mt-24 text-3xl">
          {title}
        </h2>
        <div className="mt-3 grid gap-3 text-pretty text-muted">{children}</div>
        <div className="mt-5">
          {signedIn ? (
            <ButtonLink to={place.to} variant="secondary">
              <span>
                <span className="sr-only">{title}: </span>Open {place.name}
                {place.within && <span className="sr-only">, {place.within}</span>}
              </span>
            </ButtonLink>
          ) : (
            <p className="text-sm">
              Where you find it:{' '}
              <strong className="font-semibold">
                {place.name}
                {place.within && `, ${place.within}`}
              </strong>
            </p>
          )}
        </div>
      </div>
      <div className="min-w-0">{example}</div>
    </section>
  )
}

/** An example in words, set apart from what is promised. */
export function Example({ title, children }: { title: string; children: ReactNode }) {
  return (
    <figure className="rounded-card border bg-surface p-5 shadow-card sm:p-6">
      <figcaption className="mb-3 font-semibold">{title}</figcaption>
      {children}
    </figure>
  )
}
