import { safe } from '@orpc/client'
import { VideoOff } from 'lucide-react'
import { data, redirect } from 'react-router'
import type { Route } from './+types/lesson-page'
import { Badge } from '../../../ui/badge.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { formDataOf } from '../../../web/form-data-of.ts'
import { formApi, pageApi } from '../../../web/page-context.ts'
import { minutesLabel, withoutLightning } from '../../courses/rules.ts'
import { toPublicPage } from '../../courses/ui/to-public-page.ts'
import { pageMeta } from '../../site/ui/page-meta.ts'
import { plainText } from '../rich-text.ts'
import type { LessonPage as Lesson } from '../schema.ts'
import { CompletionPanel } from './completion-panel.tsx'
import { LessonNeighbours } from './lesson-neighbours.tsx'
import { LessonNotFound } from './lesson-not-found.tsx'
import { LessonResources } from './lesson-resources.tsx'
import { LessonVideo } from './lesson-video.tsx'
import { RichTextView } from './rich-text-view.tsx'
import { useCompletion } from './use-completion.ts'

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const { courseSlug, lessonSlug } = params
  const lesson = await context
    .get(pageApi)
    .lessons.getLesson({ slug: courseSlug, lessonSlug })
    .catch(toPublicPage(courseSlug))
  if (lesson.course.slug !== courseSlug || lesson.slug !== lessonSlug) {
    throw redirect(`/course/${lesson.course.slug}/lesson/${lesson.slug}${url.search}`)
  }
  return { lesson, hasText: plainText(lesson.content) !== '' }
}

const failed = 'Your progress could not be saved. Please try again.'

/** The completion toggle, as a plain form. */
export async function action({ request, context, url }: Route.ActionArgs) {
  const form = await formDataOf(request)
  const lessonId = String(form.get('lessonId'))
  const { completeLesson, uncompleteLesson } = context.get(formApi).lessons
  const change = form.get('completed') === 'true' ? completeLesson : uncompleteLesson
  const [error, completion] = await safe(change({ lessonId }))
  if (!error) {
    const { completedCount, lessonsCount } = completion
    return { problem: null, finishedCourse: completedCount >= lessonsCount }
  }
  const status = 'status' in error ? Number(error.status) : 500
  if (status === 401) return redirect(`/login?to=${encodeURIComponent(url.pathname)}`)
  return data({ problem: failed, finishedCourse: false }, { status })
}

/** Without a connection the toggle goes back, instead of the page becoming an error. */
export async function clientAction({ serverAction }: Route.ClientActionArgs) {
  try {
    return await serverAction()
  } catch (error) {
    if (error instanceof Response) throw error
    return data({ problem: failed, finishedCourse: false }, { status: 503 })
  }
}

export const meta = ({ loaderData }: Route.MetaArgs) => {
  if (!loaderData) return pageMeta('Lesson not found', 'This lesson is not here.')
  const { title, number, course } = loaderData.lesson
  return pageMeta(withoutLightning(title), `Lesson ${number} of ${withoutLightning(course.title)}`)
}

export default function LessonPage({ loaderData, actionData }: Route.ComponentProps) {
  return <LessonView key={loaderData.lesson.id} {...loaderData} answer={actionData ?? undefined} />
}

type LessonViewProps = {
  lesson: Lesson
  hasText: boolean
  /** What the action said when the form was sent without JavaScript. */
  answer?: { problem: string | null; finishedCourse: boolean }
}

function LessonView({ lesson, hasText, answer }: LessonViewProps) {
  const completion = useCompletion(lesson)

  return (
    <article className="page-width grid grid-cols-1 gap-8 pt-6 pb-8 lg:pt-8">
      <PageHeader
        back={{ to: `/course/${lesson.course.slug}/dashboard`, label: 'Back to Course' }}
        title={withoutLightning(lesson.title)}
        badges={
          <>
            <Badge>
              Lesson {lesson.number} of {lesson.lessonsCount}
            </Badge>
            {lesson.minutes !== null && <Badge>{minutesLabel(lesson.minutes)}</Badge>}
          </>
        }
        description={`${withoutLightning(lesson.course.title)} · ${lesson.chapterTitle}`}
      />
      <div className="grid grid-cols-1 items-start gap-8 lg:grid-cols-[minmax(0,1fr)_20rem] lg:gap-12">
        <div className="grid grid-cols-1 gap-8">
          {lesson.video ? (
            <LessonVideo
              lesson={lesson}
              src={lesson.video.url}
              onWatched={completion.completeByWatching}
            />
          ) : (
            <p className="flex items-center gap-3 rounded-card border border-dashed border-edge/60 px-5 py-4 text-muted">
              <VideoOff size={20} aria-hidden className="shrink-0" />
              No video available for this lesson.
            </p>
          )}
          {hasText && <RichTextView content={lesson.content} />}
        </div>
        <aside aria-label="Your lesson" className="grid gap-6 lg:sticky lg:top-22">
          <CompletionPanel
            lesson={lesson}
            completion={completion}
            problem={answer?.problem}
            finishedCourse={
              completion.finishedCourse ||
              (completion.isCompleted && answer?.finishedCourse === true)
            }
          />
          <LessonResources resources={lesson.resources} />
        </aside>
      </div>
      <LessonNeighbours lesson={lesson} />
    </article>
  )
}

export function ErrorBoundary() {
  return <LessonNotFound />
}
