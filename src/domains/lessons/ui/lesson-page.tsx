import { safe } from '@orpc/client'
import { Pencil, VideoOff } from 'lucide-react'
import { useRef } from 'react'
import { data, redirect, useRevalidator } from 'react-router'
import type { Route } from './+types/lesson-page'
import { Badge } from '../../../ui/badge.tsx'
import { ButtonLink } from '../../../ui/button.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { toast } from '../../../ui/toast.ts'
import { afterRefusal } from '../../../web/after-refusal.ts'
import { formDataOf } from '../../../web/form-data-of.ts'
import { lazyPart } from '../../../web/lazy-part.tsx'
import { formApi, pageApi } from '../../../web/page-context.ts'
import { useLiveEvents } from '../../../web/use-live-events.ts'
import { unreached } from '../../../web/unreached.ts'
import { CourseLogo, CourseLook } from '../../branding/ui/course-look.tsx'
import { minutesLabel, withoutLightning } from '../../courses/rules.ts'
import { toPublicPage } from '../../courses/ui/to-public-page.ts'
import { useKeptLesson } from '../../offline/ui/use-worker.ts'
import { pageMeta } from '../../site/ui/page-meta.ts'
import { plainText } from '../rich-text.ts'
import { CompletionPanel } from './completion-panel.tsx'
import { LessonNeighbours } from './lesson-neighbours.tsx'
import { LessonNotFound } from './lesson-not-found.tsx'
import { LessonNotes } from './lesson-notes.tsx'
import { partOfOutline, withTick } from './lesson-outline-part.ts'
import { OutlineCard, OutlineSheet } from './lesson-outline-places.tsx'
import { useWholeOutline } from './lesson-outline-use.ts'
import type { PlayerHandle } from './lesson-player.tsx'
import { LessonResources } from './lesson-resources.tsx'
import { LessonTools } from './lesson-tools.tsx'
import { RichTextView } from './rich-text-view.tsx'
import { useCompletion } from './use-completion.ts'
import { tellsItsTime } from './video-identity.ts'

// Not every lesson has a video. Without a Suspense around it, a change of lessons waits for it.
const LessonStage = lazyPart(
  'src/domains/lessons/ui/lesson-stage.tsx',
  async () => (await import('./lesson-stage.tsx')).LessonStage,
)

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const { courseSlug, lessonSlug } = params
  const { getLesson, getOutline } = context.get(pageApi).lessons
  const [lesson, { canEdit, ...outline }] = await Promise.all([
    getLesson({ slug: courseSlug, lessonSlug }).catch(toPublicPage(courseSlug)),
    getOutline({ slug: courseSlug }).catch(toPublicPage(courseSlug)),
  ])
  if (lesson.course.slug !== courseSlug || lesson.slug !== lessonSlug) {
    throw redirect(`/course/${lesson.course.slug}/lesson/${lesson.slug}${url.search}`)
  }
  const hasText = plainText(lesson.content) !== ''
  return { lesson, hasText, outline: partOfOutline(outline, lesson.id), canEdit }
}

const failure = {
  problem: 'Your progress could not be saved. Please try again.',
  finishedCourse: false,
  certificateId: undefined,
}

/** The completion toggle, as a plain form. */
export async function action({ request, context, url }: Route.ActionArgs) {
  const form = await formDataOf(request)
  const lessonId = String(form.get('lessonId'))
  const { completeLesson, uncompleteLesson } = context.get(formApi).lessons
  const change = form.get('completed') === 'true' ? completeLesson : uncompleteLesson
  const [error, completion] = await safe(change({ lessonId }))
  if (!error) {
    const { completedCount, lessonsCount, certificateId } = completion
    return { problem: null, finishedCourse: completedCount >= lessonsCount, certificateId }
  }
  const status = 'status' in error ? Number(error.status) : 500
  if (status === 401) return redirect(`/login?to=${encodeURIComponent(url.pathname)}`)
  return data(failure, { status })
}

/**
 * Without a connection the toggle goes back, instead of the page becoming an error. What failed is said here: by
 * then, the person may be in the next lesson.
 */
export async function clientAction({ serverAction }: Route.ClientActionArgs) {
  try {
    const answer = await serverAction()
    if (answer.problem) void toast.error(answer.problem)
    return answer
  } catch (error) {
    if (error instanceof Response) throw error
    void toast.error(failure.problem)
    return unreached(failure)
  }
}

export const shouldRevalidate = afterRefusal

export const meta = ({ loaderData }: Route.MetaArgs) => {
  if (!loaderData) return pageMeta('Lesson not found', 'This lesson is not here.')
  const { title, number, course } = loaderData.lesson
  return pageMeta(withoutLightning(title), `Lesson ${number} of ${withoutLightning(course.title)}`)
}

export default function LessonPage({ loaderData, actionData }: Route.ComponentProps) {
  const { lesson, hasText, canEdit } = loaderData
  const { course } = lesson
  const completion = useCompletion(lesson)
  const player = useRef<PlayerHandle>(null)
  const video = useRef<HTMLDivElement>(null)
  const text = useRef<HTMLDivElement>(null)
  const { revalidate } = useRevalidator()
  useKeptLesson(text, {
    path: `/course/${course.slug}/lesson/${lesson.slug}`,
    title: withoutLightning(lesson.title),
    courseId: course.id,
    course: withoutLightning(course.title),
  })
  const { outline, loadWhole } = useWholeOutline(course.slug, loaderData.outline)
  const list = {
    outline: withTick(outline, lesson.id, completion.isCompleted),
    courseSlug: course.slug,
    lessonId: lesson.id,
    onMissing: loadWhole,
  }
  useLiveEvents({
    onEvent: (event) => {
      // A member no longer: loading again leads away from the lesson.
      const matters = event.type === 'progress' || event.type === 'accessEnded'
      if (matters && event.courseId === course.id) void revalidate()
    },
    onGap: () => void revalidate(),
  })

  function seekTo(seconds: number) {
    player.current?.seekTo(seconds)
    video.current?.scrollIntoView({ block: 'nearest' })
  }

  return (
    <CourseLook branding={course.branding}>
      <article className="page-width grid grid-cols-1 gap-8 pt-6 pb-8 lg:pt-8">
        <PageHeader
          back={{ to: `/course/${course.slug}/dashboard`, label: 'Back to Course' }}
          title={
            <span className="flex items-center gap-4">
              <CourseLogo branding={course.branding} size={40} />
              <bdi>{withoutLightning(lesson.title)}</bdi>
            </span>
          }
          badges={
            <>
              <Badge>
                Lesson {lesson.number} of {lesson.lessonsCount}
              </Badge>
              {lesson.minutes !== null && <Badge>{minutesLabel(lesson.minutes)}</Badge>}
            </>
          }
          description={
            <>
              <bdi>{withoutLightning(course.title)}</bdi> · <bdi>{lesson.chapterTitle}</bdi>
            </>
          }
          actions={
            <>
              <OutlineSheet {...list} className="lg:hidden" />
              {canEdit && (
                <ButtonLink to={`/create-lessons/${course.id}`} variant="secondary" size="sm">
                  <Pencil size={16} aria-hidden />
                  Edit lesson content
                </ButtonLink>
              )}
            </>
          }
        />
        <div className="grid grid-cols-1 gap-8 lg:grid-cols-[minmax(0,1fr)_20rem] lg:grid-rows-[auto_1fr] lg:gap-x-12">
          <div className="grid grid-cols-1 content-start gap-8">
            <div ref={video} className="grid scroll-mt-20 grid-cols-1 gap-2">
              {lesson.video ? (
                <LessonStage
                  lesson={lesson}
                  video={lesson.video}
                  completion={completion}
                  player={player}
                />
              ) : (
                <p className="flex items-center gap-3 rounded-card border border-dashed border-edge/60 px-5 py-4 text-muted">
                  <VideoOff size={20} aria-hidden className="shrink-0" />
                  No video available for this lesson.
                </p>
              )}
              <LessonTools lesson={lesson} />
            </div>
            <div ref={text} className="contents">
              {hasText && <RichTextView content={lesson.content} />}
              <LessonResources resources={lesson.resources} />
            </div>
          </div>
          <aside
            aria-label="Your lesson"
            className="flex flex-col gap-6 lg:sticky lg:top-22 lg:col-start-2 lg:row-span-2 lg:row-start-1 lg:max-h-[calc(100dvh-16rem)] lg:self-start"
          >
            <CompletionPanel
              lesson={lesson}
              completion={completion}
              problem={actionData?.problem}
              certificateId={completion.certificateId ?? actionData?.certificateId}
              finishedCourse={
                completion.finishedCourse ||
                (completion.isCompleted && actionData?.finishedCourse === true)
              }
            />
            <OutlineCard {...list} className="min-h-60 max-lg:hidden" />
          </aside>
          <LessonNotes
            lesson={lesson}
            currentTime={() =>
              tellsItsTime(lesson.video) ? (player.current?.currentTime() ?? lesson.position) : null
            }
            onSeek={seekTo}
          />
        </div>
        <LessonNeighbours lesson={lesson} />
      </article>
    </CourseLook>
  )
}

export function ErrorBoundary() {
  return <LessonNotFound />
}
