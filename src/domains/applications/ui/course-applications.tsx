import { lazy } from 'react'
import type { CourseDashboard } from '../../courses/schema.ts'
import type { ApplicationsTab } from './applications-tab.ts'

// Only its instructor opens this tab. Without a Suspense around them, the server sends them in the first
// piece of the page, and a change of tabs waits for them instead of flashing.
const ApplicationQueue = lazy(() => import('./application-queue.tsx'))
const ApplicationFormEditor = lazy(() => import('./application-form-editor.tsx'))

type CourseApplicationsProps = { course: CourseDashboard; tab: ApplicationsTab }

/** The Applications tab: who wants to join, and what they are asked. */
export function CourseApplications({ course, tab }: CourseApplicationsProps) {
  return tab.view === 'form' ? (
    <ApplicationFormEditor course={course} form={tab.form} />
  ) : (
    <ApplicationQueue course={course} filter={tab.filter} page={tab.page} />
  )
}
