import { FileX } from 'lucide-react'
import { useEffect } from 'react'
import { useRevalidator } from 'react-router'
import type { Route } from './+types/import-course'
import { Banner } from '../../../ui/banner.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { pageApi } from '../../../web/page-context.ts'
import { useLiveEvents } from '../../../web/use-live-events.ts'
import { useSwitchedOff } from '../../../web/use-switched-off.ts'
import { CourseLimitNotice } from '../../billing/ui/course-limit-notice.tsx'
import { PageProblem } from '../../courses/ui/page-problem.tsx'
import { brand } from '../../site/brand.ts'
import { pageMeta } from '../../site/ui/page-meta.ts'
import { CourseFileUpload } from './course-file-upload.tsx'
import { ImportList } from './import-list.tsx'
import { ImportProgress } from './import-progress.tsx'

export const meta = () => pageMeta('Import a Course', 'Make a course of a file that was exported.')

export const loader = ({ context }: Route.LoaderArgs) =>
  context.get(pageApi).courseTransfer.listImports()

/** Milliseconds. What happens before the stream of events stands would otherwise never be seen. */
const lookEvery = 3000

export default function ImportCourse({ loaderData }: Route.ComponentProps) {
  const { imports, importMaxMb, canCreateCourse } = loaderData
  const { revalidate } = useRevalidator()
  const { create_courses: off } = useSwitchedOff()
  const underWay = imports.find(({ status }) => status === 'waiting' || status === 'running')
  const over = imports.filter((one) => one !== underWay)
  const isUnderWay = underWay !== undefined

  useLiveEvents({
    onEvent: (event) => void (event.type === 'courseImport' && revalidate()),
    onGap: () => void revalidate(),
  })
  useEffect(() => {
    if (!isUnderWay) return undefined
    const looking = setInterval(() => void revalidate(), lookEvery)
    return () => clearInterval(looking)
  }, [isUnderWay, revalidate])

  return (
    <div className="page-width grid max-w-[52rem] grid-cols-1 gap-8 py-8 lg:py-12">
      <PageHeader
        back={{ to: '/dashboard', label: 'Back to Dashboard' }}
        title="Import a Course"
        description={`Choose the file that “Export” gave you, here or on another ${brand.name}. Its chapters, lessons, pictures and videos become a draft of yours.`}
      />
      {underWay ? (
        <ImportProgress key={underWay.id} course={underWay} />
      ) : off ? (
        <Banner tone="warning">{off}</Banner>
      ) : canCreateCourse ? (
        <>
          <noscript>
            <Banner>Importing a course needs JavaScript.</Banner>
          </noscript>
          <CourseFileUpload importMaxMb={importMaxMb} />
        </>
      ) : (
        <CourseLimitNotice />
      )}
      {over.length > 0 && <ImportList imports={over} />}
    </div>
  )
}

export function ErrorBoundary() {
  return (
    <PageProblem
      icon={FileX}
      notFound="Page not found"
      description="There is nothing at this address."
      back={{ to: '/dashboard', label: 'Back to dashboard' }}
      failed="Could not load your imports"
    />
  )
}
