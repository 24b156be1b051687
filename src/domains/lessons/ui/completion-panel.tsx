import { Circle, CircleCheck } from 'lucide-react'
import { Link } from 'react-router'
import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { LightningMark } from '../../../ui/logo.tsx'
import { useHydrated } from '../../../ui/use-hydrated.ts'
import { certificatePath } from '../../certificates/rules.ts'
import { progressMessage } from '../../courses/rules.ts'
import type { LessonPage } from '../schema.ts'
import type { Completion } from './use-completion.ts'

type CompletionPanelProps = {
  lesson: Pick<LessonPage, 'id' | 'course' | 'keepsProgress'>
  completion: Completion
  /** Why the last change failed, without JavaScript; with it, a toast says so. */
  problem?: string | null
  /** The last change completed the whole course. */
  finishedCourse: boolean
  /** Learners get one with the last lesson. */
  certificateId?: string
}

/** 'Completed' or not, with its toggle: a form that needs no script (spec 2, 'Lesson page'). */
export function CompletionPanel({
  lesson,
  completion,
  problem,
  finishedCourse,
  certificateId,
}: CompletionPanelProps) {
  const { Form, isCompleted, isInFlight, completedAt } = completion
  const Icon = isCompleted ? CircleCheck : Circle
  const whatToDo = lesson.keepsProgress
    ? 'Mark it when you are done.'
    : 'You see this course as an administrator: your progress in it is not kept.'

  return (
    <Card as="section" padding="none" aria-label="Completion" className="shrink-0 overflow-hidden">
      {finishedCourse && <CourseFinished slug={lesson.course.slug} certificateId={certificateId} />}
      <div className="grid gap-4 p-5 sm:p-6">
        {problem && <Banner tone="danger">{problem}</Banner>}
        <output className="flex items-start gap-3">
          <Icon
            size={24}
            aria-hidden
            className={isCompleted ? 'shrink-0 text-success' : 'shrink-0 text-muted'}
          />
          <span className="grid">
            <span className="font-semibold">{isCompleted ? 'Completed' : 'Not completed yet'}</span>
            <span className="text-sm text-muted">
              {completedAt ? <CompletedOn moment={completedAt} /> : whatToDo}
            </span>
          </span>
        </output>
        {lesson.keepsProgress && (
          <Form
            method="post"
            onSubmit={(event) => {
              if (!completion.chooseByHand()) event.preventDefault()
            }}
          >
            <input type="hidden" name="lessonId" value={lesson.id} />
            <input type="hidden" name="completed" value={String(!isCompleted)} />
            <Button
              type="submit"
              variant={isCompleted ? 'secondary' : 'primary'}
              aria-disabled={isInFlight || undefined}
              className="w-full"
            >
              {isCompleted ? (
                <>
                  <CircleCheck size={18} className="text-success" aria-hidden />
                  Completed
                </>
              ) : (
                'Mark Complete'
              )}
            </Button>
          </Form>
        )}
      </div>
    </Card>
  )
}

const inWords = { month: 'long', day: 'numeric', year: 'numeric' } as const
const ownDay = new Intl.DateTimeFormat('en-US', inWords)
const utcDay = new Intl.DateTimeFormat('en-US', { ...inWords, timeZone: 'UTC' })

/** 'Completed on November 21, 2026': the person's own day, once the browser can tell. */
function CompletedOn({ moment }: { moment: string }) {
  const isHydrated = useHydrated()
  const day = (isHydrated ? ownDay : utcDay).format(new Date(moment))
  return (
    <>
      Completed on <time dateTime={moment}>{day}</time>
    </>
  )
}

type CourseFinishedProps = { slug: string; certificateId: string | undefined }

function CourseFinished({ slug, certificateId }: CourseFinishedProps) {
  return (
    <output className="relative grid overflow-hidden bg-spark py-5 pr-18 pl-5 text-on-spark sm:pl-6">
      <LightningMark bare className="absolute -top-3 -right-3 size-20 animate-appear opacity-15" />
      <span className="relative font-display text-2xl font-extrabold">{progressMessage(100)}</span>
      {certificateId && (
        <Link
          to={certificatePath(certificateId)}
          className="relative my-1 font-semibold underline underline-offset-4"
        >
          See your certificate
        </Link>
      )}
      <Link
        to={`/course/${slug}/dashboard`}
        className="relative font-semibold underline underline-offset-4"
      >
        Look back at the course
      </Link>
    </output>
  )
}
