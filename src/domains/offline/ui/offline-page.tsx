import { WifiOff } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { brand } from '../../site/brand.ts'
import { pageMeta, unlisted } from '../../site/ui/page-meta.ts'
import { marks } from '../kept-lesson.ts'

export const handle = { still: true }

export const meta = () => [
  ...pageMeta('Without a connection', `What ${brand.name} shows without a connection.`),
  unlisted,
]

/**
 * Nobody has to come here: the service worker shows one of the hidden parts where a page cannot be reached, and
 * fills it. Nothing else knows what is kept in this browser.
 */
export default function OfflinePage() {
  return (
    <>
      <Plain
        title="Without a connection"
        description={`The text of each lesson that you open while logged in can be read in this browser without a connection. When ${brand.name} cannot be reached, you find them listed here.`}
      />
      <Part id="none-kept">
        <Unreachable>
          <p className="max-w-[40rem] text-muted">
            No lesson is kept in this browser. The text of each lesson that you open while logged in
            can be read without a connection.
          </p>
        </Unreachable>
      </Part>
      <Part id="some-kept">
        <Unreachable>
          <section aria-labelledby="kept" className="grid gap-4">
            <h2 id="kept" className="text-2xl">
              Lessons you can read now
            </h2>
            <ul className="grid gap-1">{marks.list}</ul>
          </section>
        </Unreachable>
      </Part>
      <Part id="kept-link">
        <li>
          <Kept className="group -mx-3 grid gap-0.5 rounded-control px-3 py-3 hover:bg-wash">
            <span className="font-semibold">{marks.title}</span>
            <span className="text-sm text-muted">{marks.course}</span>
          </Kept>
        </li>
      </Part>
      <Part id="kept-lesson">
        <article className="page-width grid grid-cols-1 gap-6 pt-6 pb-8 lg:pt-8">
          <output className="block rounded-card border border-line bg-surface px-5 py-4">
            You are offline. This is the text as you last opened it.{' '}
            <Kept className="text-primary underline">Try again</Kept>
          </output>
          <header>
            <h1 className="text-4xl">{marks.title}</h1>
            <p className="mt-2 text-muted">{marks.course}</p>
          </header>
          <div className="prose">{marks.text}</div>
          <p>
            <a href="/offline" className="text-primary underline">
              All lessons you can read now
            </a>
          </p>
        </article>
      </Part>
    </>
  )
}

/** Waits for the service worker, which reads it up to the mark. */
function Part({ id, children }: { id: string; children: ReactNode }) {
  return (
    <div hidden id={id}>
      {children}
      {marks.end}
    </div>
  )
}

/** Leads to a kept lesson, once the service worker has said where that is. */
function Kept({ className, children }: { className: string; children: ReactNode }) {
  return (
    <a href={marks.address} className={className}>
      {children}
    </a>
  )
}

type PlainProps = { title: string; description: string; action?: ReactNode; children?: ReactNode }

function Plain({ title, description, action, children }: PlainProps) {
  return (
    <div className="page-width grid grid-cols-1 gap-8 py-16">
      <EmptyState
        level={1}
        icon={WifiOff}
        title={title}
        description={description}
        action={action}
      />
      {children}
    </div>
  )
}

function Unreachable({ children }: { children: ReactNode }) {
  return (
    <Plain
      title="You are offline"
      description={`${brand.name} could not be reached. Please check your connection and try again.`}
      action={
        // This very address, whatever it is.
        <form method="get" action="">
          <Button type="submit">Try again</Button>
        </form>
      }
    >
      {children}
    </Plain>
  )
}
