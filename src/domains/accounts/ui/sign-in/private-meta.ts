import { pageMeta } from '../../../site/ui/page-meta.ts'

/** The head of pages that mails lead to: their address goes to no other site. */
export const privateMeta = (title: string, description: string) => [
  ...pageMeta(title, description),
  // Not 'no-referrer': forms would be sent with `Origin: null`, which looks foreign.
  { name: 'referrer', content: 'same-origin' },
]
