import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Screenshot } from './screenshot.tsx'

type PathProps = {
  id: string
  icon: LucideIcon
  title: string
  lead: string
  action: ReactNode
  children: ReactNode
}

/** The way of one kind of people through the product, step by step. */
export function Path({ id, icon: Icon, title, lead, action, children }: PathProps) {
  return (
    <section aria-labelledby={id} className="page-width py-16 lg:py-24">
      <span className="grid size-12 place-items-center rounded-card bg-primary-soft text-primary">
        <Icon aria-hidden className="size-6" />
      </span>
      <h2 id={id} className="mt-5 text-4xl">
        {title}
      </h2>
      <p className="mt-3 max-w-[40rem] text-lg text-pretty text-muted">{lead}</p>
      <ol className="mt-10 grid gap-x-8 gap-y-12 [counter-reset:step] md:grid-cols-2">
        {children}
      </ol>
      <div className="mt-12">{action}</div>
    </section>
  )
}

type PathStepProps = { name: string; picture: string; alt: string; children: ReactNode }

export function PathStep({ name, picture, alt, children }: PathStepProps) {
  return (
    <li className="min-w-0 [counter-increment:step]">
      <Screenshot
        name={picture}
        alt={alt}
        sizes="(min-width: 80rem) 36rem, (min-width: 48rem) 46vw, 94vw"
      />
      <h3 className="mt-5 flex gap-3 text-2xl before:text-primary before:tabular-nums before:content-[counter(step)]">
        {name}
      </h3>
      <p className="mt-2 max-w-[36rem] text-pretty text-muted">{children}</p>
    </li>
  )
}
