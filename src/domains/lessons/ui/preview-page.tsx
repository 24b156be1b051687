import { redirect } from 'react-router'
import type { Route } from './+types/preview-page'
import { Badge } from '../../../ui/badge.tsx'
import { ButtonLink } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { pageApi } from '../../../web/page-context.ts'
import { CourseLogo, CourseLook } from '../../branding/ui/course-look.tsx'
import { minutesLabel, withoutLightning } from '../../courses/rules.ts'
import { courseSharingPicture, wayToCourse } from '../../courses/ui/course-head.ts'
import { breadcrumbs, pageMeta } from '../../site/ui/page-meta.ts'
import { plainText } from '../rich-text.ts'
import type { PreviewLesson } from '../schema.ts'
import { LessonResources } from './lesson-resources.tsx'
import { PreviewNotFound } from './preview-not-found.tsx'
import { PreviewVideo } from './preview-video.tsx'
import { RichTextView } from './rich-text-view.tsx'

export const handle = { still: true }

export async function loader({ context, params }: Route.LoaderArgs) {
  const lesson = await context.get(pageApi).lessons.getPreviewLesson(params)
  const { course } = lesson
  if (lesson.canLearn) throw redirect(`/course/${course.slug}/lesson/${lesson.slug}`)
  if (course.slug !== params.slug || lesson.slug !== params.lessonSlug) {
    throw redirect(`/course/${course.slug}/preview/${lesson.slug}`)
  }
  return {
    lesson,
    hasText: plainText(lesson.content) !== '',
  }
}

export const meta = ({ loaderData }: Route.MetaArgs) => {
  if (!loaderData) return pageMeta('Lesson not found', 'This lesson is not here.')
  const { lesson } = loaderData
  const course = withoutLightning(lesson.course.title)
  const title = withoutLightning(lesson.title)
  const path = `/course/${lesson.course.slug}/preview/${lesson.slug}`
  return [
    ...pageMeta(title, `A free lesson of ${course}`, {
      path,
      image: courseSharingPicture(lesson.course.slug, course),
    }),
    breadcrumbs([...wayToCourse(lesson.course), { name: title, path }]),
  ]
}

export default function PreviewPage({ loaderData }: Route.ComponentProps) {
  const { lesson, hasText } = loaderData
  const { course } = lesson
  const isEmpty = !lesson.video && !hasText && lesson.resources.length === 0

  return (
    <CourseLook branding={course.branding}>
      <article className="page-width grid grid-cols-1 gap-8 pt-6 pb-16 lg:pt-8">
        <PageHeader
          back={{ to: `/course/${course.slug}`, label: 'Back to Course' }}
          title={
            <span className="flex items-center gap-4">
              <CourseLogo branding={course.branding} size={40} />
              <bdi>{withoutLightning(lesson.title)}</bdi>
            </span>
          }
          badges={
            <>
              <Badge tone="primary">Preview lesson</Badge>
              {lesson.minutes !== null && <Badge>{minutesLabel(lesson.minutes)}</Badge>}
            </>
          }
          description={
            <>
              <bdi>{withoutLightning(course.title)}</bdi> · by <bdi>{course.instructorName}</bdi>
            </>
          }
        />
        <div className="grid grid-cols-1 items-start gap-8 lg:grid-cols-[minmax(0,1fr)_20rem] lg:gap-12">
          <div className="grid grid-cols-1 gap-8">
            {lesson.video && (
              <PreviewVideo video={lesson.video} title={withoutLightning(lesson.title)} />
            )}
            {hasText && <RichTextView content={lesson.content} />}
            {isEmpty && <p className="text-muted">This lesson is still empty.</p>}
          </div>
          <aside aria-label="This course" className="grid gap-6 lg:sticky lg:top-22">
            <JoinInvitation course={course} />
            <LessonResources resources={lesson.resources} />
          </aside>
        </div>
      </article>
    </CourseLook>
  )
}

function JoinInvitation({ course }: { course: PreviewLesson['course'] }) {
  const { slug, lessonsCount } = course
  return (
    <Card as="section" aria-labelledby="join" className="grid gap-4">
      <div className="grid gap-1">
        <h2 id="join" className="text-xl">
          {lessonsCount > 1
            ? `All ${lessonsCount.toLocaleString('en-US')} lessons`
            : 'Join this course'}
        </h2>
        <p className="text-pretty text-muted">
          Join the course to see everything, keep your place and track your progress.
        </p>
      </div>
      <ButtonLink to={`/course/${slug}`} className="w-full">
        See the course and join
      </ButtonLink>
    </Card>
  )
}

export function ErrorBoundary() {
  return <PreviewNotFound />
}
