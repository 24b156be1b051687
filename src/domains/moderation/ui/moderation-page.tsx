import { ShieldCheck } from 'lucide-react'
import { redirect, useRevalidator } from 'react-router'
import type { Route } from './+types/moderation-page'
import { PageHeader } from '../../../ui/page-header.tsx'
import { client } from '../../../web/api-client.ts'
import { formApi, pageApi } from '../../../web/page-context.ts'
import { useLiveEvents } from '../../../web/use-live-events.ts'
import { withoutLightning } from '../../courses/rules.ts'
import { PageProblem } from '../../courses/ui/page-problem.tsx'
import { pageMeta } from '../../site/ui/page-meta.ts'
import { communitySettingsPath, moderationPath } from '../rules.ts'
import { CaseFilter } from './case-filter.tsx'
import { CaseList } from './case-list.tsx'
import { CommunitySettingsForm } from './community-settings-form.tsx'
import { listKey, loadCases } from './shown-cases.ts'

export async function loader({ context, params: { slug }, url }: Route.LoaderArgs) {
  const api = context.get(pageApi)
  const { id: courseId, ...found } = await api.courses.getCourseDashboard({ slug })
  if (found.slug !== slug) throw redirect(moderationPath(found.slug) + url.search)
  const isInstructor = found.standing === 'instructor'
  const [shown, settings] = await Promise.all([
    loadCases({
      calls: context.get(formApi),
      ask: (status) => api.moderation.getCourseCases({ courseId, status }),
      belongs: ({ course }) => course.id === courseId,
      url,
    }),
    isInstructor && url.searchParams.get('view') === 'settings'
      ? api.moderation.getCommunitySettings({ courseId })
      : null,
  ])
  return { course: { id: courseId, slug, title: found.title, isInstructor }, shown, settings }
}

export const meta = ({ loaderData }: Route.MetaArgs) =>
  pageMeta(
    loaderData ? `Moderation of ${withoutLightning(loaderData.course.title)}` : 'Moderation',
    'What was reported in the discussion of a course.',
  )

/** For who moderates a course: what was reported there, and the rules of its community. */
export default function ModerationPage({ loaderData }: Route.ComponentProps) {
  const { course, shown, settings } = loaderData
  const { revalidate } = useRevalidator()
  useLiveEvents({
    onEvent: (event) => {
      if (event.type === 'moderation' && event.courseId === course.id) void revalidate()
    },
    onGap: () => void revalidate(),
  })

  return (
    <div className="page-width grid max-w-[60rem] grid-cols-1 gap-8 pt-6 pb-16 lg:pt-8">
      <PageHeader
        back={{
          to: `/course/${course.slug}/dashboard?tab=discussion`,
          label: 'Back to Discussion',
        }}
        title="Moderation"
        description={<span className="wrap-anywhere">{withoutLightning(course.title)}</span>}
      />
      <CaseFilter
        here={moderationPath(course.slug)}
        shown={shown}
        isElsewhere={settings !== null}
        further={
          course.isInstructor
            ? [
                {
                  to: communitySettingsPath(course.slug),
                  label: 'Settings',
                  current: settings !== null,
                },
              ]
            : []
        }
      />
      {settings ? (
        <CommunitySettingsForm key={course.id} courseId={course.id} stored={settings} />
      ) : (
        <CaseList
          key={`${course.id} ${listKey(shown)}`}
          shown={shown}
          ask={(cursor) =>
            client.moderation.getCourseCases({ courseId: course.id, status: shown.status, cursor })
          }
        />
      )}
    </div>
  )
}

export function ErrorBoundary() {
  return (
    <PageProblem
      icon={ShieldCheck}
      notFound="Page not found"
      description="The moderation of a course is for its instructor and for administrators."
      back={{ to: '/dashboard', label: 'Back to dashboard' }}
      failed="Could not load the moderation"
    />
  )
}
