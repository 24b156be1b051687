import { ExternalLink } from 'lucide-react'
import { Card } from '../../../ui/card.tsx'
import { isSafeHref } from '../rich-text.ts'
import type { LessonPage } from '../schema.ts'

/** 'Additional Resources': each opens in a new tab. */
export function LessonResources({ resources }: { resources: LessonPage['resources'] }) {
  const safe = resources.filter(({ url }) => isSafeHref(url))
  if (safe.length === 0) return null
  return (
    <Card as="section" padding="none" aria-labelledby="resources" className="overflow-hidden">
      <h2 id="resources" className="border-b px-5 py-4 text-xl sm:px-6">
        Additional Resources
      </h2>
      <ul className="divide-y">
        {safe.map((resource) => (
          <li key={resource.id}>
            <a
              href={resource.url}
              target="_blank"
              rel="noopener noreferrer nofollow"
              className="group flex gap-3 px-5 py-4 hover:bg-wash focus-visible:-outline-offset-2 sm:px-6"
            >
              <ExternalLink size={18} className="mt-1 shrink-0 text-muted" aria-hidden />
              <span className="grid min-w-0 gap-0.5">
                <span className="font-semibold group-hover:underline">
                  {resource.title}
                  <span className="sr-only"> (opens in a new tab)</span>
                </span>
                {resource.description && (
                  <span className="text-sm text-pretty text-muted">{resource.description}</span>
                )}
              </span>
            </a>
          </li>
        ))}
      </ul>
    </Card>
  )
}
