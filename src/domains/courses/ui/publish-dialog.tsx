import { CircleAlert, CircleCheck, Lightbulb } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { Link } from 'react-router'
import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Loading, Skeleton } from '../../../ui/skeleton.tsx'
import { YouReceive } from '../../billing/ui/you-receive.tsx'
import { goodDescription, lessonsLabel, withoutLightning } from '../rules.ts'
import type { PublishChecklist } from '../schema.ts'

const loadCalls = () => import('./publish-calls.ts')

type Answer = PublishChecklist | { problem: string }

const checklistOf = (courseId: string): Promise<Answer> =>
  loadCalls().then(
    (calls) => calls.loadChecklist(courseId),
    () => ({ problem: 'Failed to check the course. Please try again.' }),
  )

type PublishDialogProps = {
  courseId: string
  onClose: () => void
  onPublished: (slug: string) => void
  /** Shows a lesson on the page behind the dialog. */
  onShowLesson: (lessonId: string) => void
}

/** What the course still needs, and what would make it better, before everybody sees it. */
export function PublishDialog({
  courseId,
  onClose,
  onPublished,
  onShowLesson,
}: PublishDialogProps) {
  const [answer, setAnswer] = useState<Answer | null>(null)
  const [refusal, setRefusal] = useState<string | null>(null)
  const [isBusy, setIsBusy] = useState(false)
  const checklist = answer && 'problem' in answer ? null : answer
  const problem = refusal ?? (answer && 'problem' in answer ? answer.problem : null)

  useEffect(() => {
    let isGone = false
    void checklistOf(courseId).then((found) => isGone || setAnswer(found))
    return () => {
      isGone = true
    }
  }, [courseId])

  async function publish() {
    setIsBusy(true)
    setRefusal(null)
    const published = await (await loadCalls()).publish(courseId)
    setIsBusy(false)
    if ('problem' in published) setRefusal(published.problem)
    else onPublished(published.slug)
  }

  function tryAgain() {
    setAnswer(null)
    void checklistOf(courseId).then(setAnswer)
  }

  const isReady = checklist !== null && checklist.lessonsCount > 0
  return (
    <Dialog
      open
      size="md"
      locked={isBusy}
      onOpenChange={onClose}
      title={checklist && !isReady ? 'Not ready to publish' : 'Publish this course?'}
      description="Once it is published, everybody can find it and join."
      footer={
        <>
          <Button variant="secondary" disabled={isBusy} onClick={onClose}>
            {checklist && !isReady ? 'Close' : 'Not yet'}
          </Button>
          {isReady && (
            <Button busy={isBusy} busyText="Publishing..." onClick={() => void publish()}>
              Publish course
            </Button>
          )}
        </>
      }
    >
      {problem && (
        <Banner
          tone="danger"
          action={
            !checklist && (
              <Button size="sm" variant="secondary" onClick={tryAgain}>
                Try again
              </Button>
            )
          }
        >
          {problem}
        </Banner>
      )}
      {checklist ? (
        <Checklist
          courseId={courseId}
          checklist={checklist}
          onShowLesson={onShowLesson}
          onClose={onClose}
        />
      ) : (
        !problem && (
          <Loading label="Checking the course…">
            <div className="grid gap-3">
              <Skeleton className="h-6 w-1/2" />
              <Skeleton className="h-6 w-3/4" />
              <Skeleton className="h-6 w-2/3" />
            </div>
          </Loading>
        )
      )}
    </Dialog>
  )
}

type ChecklistProps = Pick<PublishDialogProps, 'courseId' | 'onShowLesson' | 'onClose'> & {
  checklist: PublishChecklist
}

const advice = {
  picture: ['A picture of its own', 'Add a picture'],
  shortDescription: ['A short description, for its card and for search results', 'Write it'],
  description: [
    `A description of at least ${goodDescription} characters: who it is for, and what they learn`,
    'Write more',
  ],
} as const

/** Where the course form has it. */
const places = {
  picture: '#picture',
  shortDescription: '#short-description',
  description: '#description',
}

function Checklist({ courseId, checklist, onShowLesson, onClose }: ChecklistProps) {
  const { pricingType, priceAmount, lessonsCount, missing, emptyLessons, emptyLessonsCount } =
    checklist
  const form = `/create-course?courseId=${courseId}`
  const isComplete = missing.length === 0 && emptyLessonsCount === 0
  return (
    <div className="grid min-w-0 grid-cols-1 gap-5">
      <ul aria-label="Needed" className="grid grid-cols-1 gap-3">
        {lessonsCount > 0 ? (
          <Item state="done">It has {lessonsLabel(lessonsCount)}</Item>
        ) : (
          <Item state="needed" mend={<TextButton onClick={onClose}>Add a lesson</TextButton>}>
            Add at least one lesson before you publish this course.
          </Item>
        )}
      </ul>
      {pricingType !== 'free' && (
        <YouReceive price={priceAmount} isMonthly={pricingType === 'monthly'} />
      )}
      {isComplete ? (
        <p className="text-muted">It has all that a good course page needs.</p>
      ) : (
        <div className="grid grid-cols-1 gap-3">
          <h3 className="font-text text-sm font-semibold tracking-normal">
            A good course also has
          </h3>
          <ul aria-label="A good course also has" className="grid grid-cols-1 gap-3">
            {missing.map((name) => (
              <Item
                key={name}
                state="advice"
                mend={<TextLink to={form + places[name]}>{advice[name][1]}</TextLink>}
              >
                {advice[name][0]}
              </Item>
            ))}
            {emptyLessonsCount > 0 && (
              <Item
                state="advice"
                mend={emptyLessons.map(({ id, title }) => (
                  <TextButton key={id} onClick={() => onShowLesson(id)}>
                    {withoutLightning(title)}
                  </TextButton>
                ))}
                more={emptyLessonsCount - emptyLessons.length}
              >
                {emptyLessonsCount === 1
                  ? 'Text, a video or a link in every lesson; one has none'
                  : `Text, a video or a link in every lesson; ${emptyLessonsCount} have none`}
              </Item>
            )}
          </ul>
        </div>
      )}
      <Obstacles form={form} checklist={checklist} onShowLesson={onShowLesson} />
    </div>
  )
}

const obstacleWords = {
  noCaptions: 'Captions for every video, for who cannot hear it',
  unclearLink: 'Links that say where they lead, not “here” or an address',
  emptyHeading: 'No headings without words',
  skippedHeading: 'Headings that go down one size at a time',
}

type ObstaclesProps = Pick<PublishDialogProps, 'onShowLesson'> & {
  form: string
  checklist: PublishChecklist
}

/** What keeps some people from reading or watching it: advice, and where it is mended. */
function Obstacles({ form, checklist: { obstacles }, onShowLesson }: ObstaclesProps) {
  return (
    <div className="grid grid-cols-1 gap-3">
      <h3 className="font-text text-sm font-semibold tracking-normal">
        So that everybody can use it
      </h3>
      {obstacles.length === 0 ? (
        <p className="text-muted">
          We found nothing in its texts and videos that keeps people from using it.
        </p>
      ) : (
        <ul aria-label="So that everybody can use it" className="grid grid-cols-1 gap-3">
          {obstacles.map(({ kind, inDescription, lessons, lessonsCount }) => (
            <Item
              key={kind}
              state="advice"
              mend={
                <>
                  {inDescription && (
                    <TextLink to={form + places.description}>The description</TextLink>
                  )}
                  {lessons.map(({ id, title }) => (
                    <TextButton key={id} onClick={() => onShowLesson(id)}>
                      {withoutLightning(title)}
                    </TextButton>
                  ))}
                </>
              }
              more={lessonsCount - lessons.length}
            >
              {obstacleWords[kind]}
            </Item>
          ))}
        </ul>
      )}
    </div>
  )
}

const marks = {
  done: { Icon: CircleCheck, look: 'text-success', name: 'Done: ' },
  needed: { Icon: CircleAlert, look: 'text-danger', name: 'Needed: ' },
  advice: { Icon: Lightbulb, look: 'text-muted', name: '' },
}

type ItemProps = {
  state: keyof typeof marks
  /** Where it is mended. */
  mend?: ReactNode
  /** How many of the same kind are not shown. */
  more?: number
  children: ReactNode
}

function Item({ state, mend, more = 0, children }: ItemProps) {
  const { Icon, look, name } = marks[state]
  return (
    <li className="flex gap-3">
      <Icon size={20} aria-hidden className={`mt-0.5 shrink-0 ${look}`} />
      <div className="grid min-w-0 grid-cols-1 gap-1">
        <p>
          <span className="sr-only">{name}</span>
          {children}
        </p>
        {mend && (
          <div className="flex flex-wrap gap-x-4 gap-y-1">
            {mend}
            {more > 0 && <span className="text-sm text-muted">and {more} more</span>}
          </div>
        )}
      </div>
    </li>
  )
}

const textAction =
  'min-h-6 text-left text-sm wrap-anywhere font-semibold text-primary underline underline-offset-4'

function TextLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Link to={to} className={textAction}>
      {children}
    </Link>
  )
}

function TextButton({ onClick, children }: { onClick: () => void; children: ReactNode }) {
  return (
    <button type="button" onClick={onClick} className={textAction}>
      {children}
    </button>
  )
}
