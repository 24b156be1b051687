import { BookOpen, Clock, Users } from 'lucide-react'
import { Badge } from '../../../ui/badge.tsx'
import { ButtonLink } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { LightningMark } from '../../../ui/logo.tsx'
import { Progress } from '../../../ui/progress.tsx'
import type { CertificateOfCourse } from '../../certificates/schema.ts'
import { CourseCertificate } from '../../certificates/ui/course-certificate.tsx'
import { LeaveCourse } from '../../enrollment/ui/leave-course.tsx'
import { completedLabel, courseLengthLabel, progressMessage, withoutLightning } from '../rules.ts'
import type { CourseDashboard } from '../schema.ts'
import { countLabel } from './count-label.ts'
import { CoursePicture } from './course-picture.tsx'
import { placeLabel } from './place-label.ts'

export type CourseProgressProps = {
  course: CourseDashboard
  /** The viewer's own. */
  certificate: CertificateOfCourse
}

/** The card beside the outline: how far, what next, and what this is. */
export function CourseProgress({ course, certificate }: CourseProgressProps) {
  const isDone = course.lessonsCount > 0 && course.completedCount >= course.lessonsCount
  // 199 of 200 lessons round to 100%, but nobody is done before they are.
  const percent = isDone ? 100 : Math.min(course.progressPercent, 99)

  return (
    <Card
      as="aside"
      padding="none"
      aria-label="Your progress"
      className="overflow-hidden sm:max-lg:grid sm:max-lg:grid-cols-2 lg:sticky lg:top-22"
    >
      <CoursePicture
        course={course}
        sizes="(min-width: 64rem) 22rem, (min-width: 40rem) 46vw, 92vw"
        priority
      />
      {course.lessonsCount > 0 && (
        <div className="sm:max-lg:row-span-2">
          {isDone && <Done />}
          <div className="grid gap-5 p-5 sm:p-6">
            <div className="grid gap-3">
              {!isDone && (
                <p className="font-display text-2xl font-bold">{progressMessage(percent)}</p>
              )}
              <Progress label={completedLabel(course)} percent={percent} />
            </div>
            {isDone && course.standing === 'member' && (
              <CourseCertificate slug={course.slug} certificate={certificate} />
            )}
            <Continue course={course} isDone={isDone} />
          </div>
        </div>
      )}
      <Summary course={course} />
    </Card>
  )
}

function Summary({ course }: { course: CourseDashboard }) {
  return (
    <div className="grid content-start gap-2 border-t p-5 text-muted sm:p-6">
      {course.applicationRequired && <Badge tone="primary">Application Required</Badge>}
      <p dir="auto" className="font-semibold text-ink">
        {withoutLightning(course.title)}
      </p>
      {course.shortDescription && (
        <p dir="auto" className="text-pretty">
          {course.shortDescription}
        </p>
      )}
      <p className="flex flex-wrap gap-x-4 gap-y-1 pt-1 text-sm tabular-nums">
        <span className="inline-flex items-center gap-1.5">
          <BookOpen size={16} aria-hidden />
          {countLabel(course.lessonsCount, 'lesson')}
        </span>
        <span className="inline-flex items-center gap-1.5">
          <Users size={16} aria-hidden />
          {countLabel(course.studentsCount, 'member')}
        </span>
        {course.totalMinutes !== null && (
          <span className="inline-flex items-center gap-1.5">
            <Clock size={16} aria-hidden />
            {courseLengthLabel(course.totalMinutes, course.allLengthsKnown)}
          </span>
        )}
      </p>
      {course.standing === 'member' && (
        <div className="-mb-2 -ml-3.5 pt-1">
          <LeaveCourse course={course} />
        </div>
      )}
    </div>
  )
}

function Continue({ course, isDone }: { course: CourseDashboard; isDone: boolean }) {
  const lesson = course.continueWith
  if (!lesson) return null
  return (
    <div className="grid gap-2">
      <ButtonLink
        to={`/course/${course.slug}/lesson/${lesson.slug}`}
        size="lg"
        variant={isDone ? 'secondary' : 'primary'}
        className="w-full"
      >
        Continue
      </ButtonLink>
      <p className="text-center text-sm text-pretty text-muted">
        {wayOn(lesson, isDone)}
        {placeLabel(lesson)}
      </p>
    </div>
  )
}

function wayOn({ position }: { position: number }, isDone: boolean): string {
  if (isDone) return 'Again from the start: '
  return position > 0 ? 'Where you left: ' : 'Next: '
}

/** The moment that the whole course was for. */
function Done() {
  return (
    <div className="relative overflow-hidden bg-spark py-6 pr-20 pl-5 text-on-spark sm:pl-6">
      <LightningMark bare className="absolute -top-4 -right-4 size-24 animate-appear opacity-15" />
      <p className="relative font-display text-2xl font-extrabold">{progressMessage(100)}</p>
      <p className="relative mt-1 font-medium">Every lesson, from the first to the last.</p>
    </div>
  )
}
