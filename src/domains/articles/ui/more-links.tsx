import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { brand } from '../../site/brand.ts'
import { type Competitor, competitors, postAddress } from '../rules.ts'
import { HelpCenterLink } from './help-center-link.tsx'

const look =
  'inline-flex min-h-10 items-center text-muted underline-offset-4 hover:text-ink hover:underline'

/** The end of the catalogue: comparisons, and what else there is to read (spec 1, 'Explore page'). */
export function MoreLinks() {
  return (
    <nav
      aria-label="Read more"
      className="page-width grid gap-x-12 gap-y-8 pt-12 sm:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]"
    >
      <Group id="compare" title="Compare">
        {(Object.keys(competitors) as Competitor[]).map((competitor) => (
          <li key={competitor}>
            <Link to={postAddress(competitor)} className={look}>
              {brand.name} versus {competitors[competitor]}
            </Link>
          </li>
        ))}
      </Group>
      <Group id="more" title={brand.name}>
        <li>
          <Link to="/about" className={look}>
            About
          </Link>
        </li>
        <li>
          <Link to="/privacy" className={look}>
            Privacy
          </Link>
        </li>
        <li>
          <Link to="/terms" className={look}>
            Terms
          </Link>
        </li>
        <li>
          <Link to="/blog" className={look}>
            Blog
          </Link>
        </li>
        <li>
          <HelpCenterLink className={look}>Help Center</HelpCenterLink>
        </li>
      </Group>
    </nav>
  )
}

function Group({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <div>
      <h2 id={id} className="text-lg">
        {title}
      </h2>
      <ul aria-labelledby={id} className="mt-2 grid grid-cols-2 gap-x-6 text-sm">
        {children}
      </ul>
    </div>
  )
}
