import { ShieldCheck } from 'lucide-react'
import { useRevalidator } from 'react-router'
import type { Route } from './+types/all-cases-page'
import { PageHeader } from '../../../ui/page-header.tsx'
import { client } from '../../../web/api-client.ts'
import { formApi, pageApi } from '../../../web/page-context.ts'
import { useLiveEvents } from '../../../web/use-live-events.ts'
import { PageProblem } from '../../courses/ui/page-problem.tsx'
import { useReadAbout } from '../../notifications/ui/read-about.ts'
import { pageMeta } from '../../site/ui/page-meta.ts'
import { allCasesPath } from '../rules.ts'
import { CaseFilter } from './case-filter.tsx'
import { CaseList } from './case-list.tsx'
import { listKey, loadCases } from './shown-cases.ts'

export const meta = () => pageMeta('Moderation', 'What was reported in the courses.')

export async function loader({ context, url }: Route.LoaderArgs) {
  const { moderation } = context.get(pageApi)
  const shown = await loadCases({
    calls: context.get(formApi),
    ask: (status) => moderation.getAllCases({ status }),
    belongs: () => true,
    url,
  })
  return { shown }
}

/** For administrators: what was reported anywhere. */
export default function AllCasesPage({ loaderData: { shown } }: Route.ComponentProps) {
  const { revalidate } = useRevalidator()
  useReadAbout(allCasesPath)
  useLiveEvents({
    onEvent: ({ type }) => {
      if (type === 'moderation') void revalidate()
    },
    onGap: () => void revalidate(),
  })

  return (
    <div className="grid max-w-[60rem] grid-cols-1 gap-8">
      <PageHeader title="Moderation" description="What was reported, in all courses." />
      <CaseFilter here={allCasesPath} shown={shown} />
      <CaseList
        key={listKey(shown)}
        shown={shown}
        namesCourse
        ask={(cursor) => client.moderation.getAllCases({ status: shown.status, cursor })}
      />
    </div>
  )
}

export function ErrorBoundary() {
  return (
    <PageProblem
      icon={ShieldCheck}
      notFound="Page not found"
      description="This page is for administrators."
      back={{ to: '/dashboard', label: 'Back to dashboard' }}
      failed="Could not load the moderation"
    />
  )
}
