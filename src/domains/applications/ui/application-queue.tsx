import { useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useRevalidator } from 'react-router'
import { Banner } from '../../../ui/banner.tsx'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { useUnsaved } from '../../../web/unsaved.ts'
import { countLabel } from '../../courses/ui/count-label.ts'
import type { CourseDashboard } from '../../courses/schema.ts'
import { applicationLimits } from '../rules.ts'
import type { Application, ApplicationPage, Decision } from '../schema.ts'
import { ApplicationFilters, NoApplications } from './application-filters.tsx'
import { ApplicationItem, toggleOf } from './application-item.tsx'
import {
  applicationsAddress,
  type ApplicationsFilter,
  questionsAddress,
} from './applications-tab.ts'
import { DueBar, SelectionBar } from './decision-bars.tsx'
import { dueDecisions, isOpenToDecide, neighbour, nextToDecide } from './queue-rules.ts'
import { PastReview, ReviewApplication, type ReviewDraft } from './review-application.tsx'
import { useDecision, useSelection } from './use-decisions.ts'
import { isWriting, useKeysSetting, useQueueKeys } from './use-queue-keys.ts'
import { useQueue } from './use-queue.ts'

const loadFailed = 'Failed to load applications. Please try again.'

type ApplicationQueueProps = {
  course: CourseDashboard
  filter: ApplicationsFilter
  page: ApplicationPage | null
}

/** Who wants to join: one application after the other, or several at once. */
export default function ApplicationQueue({ course, filter, page }: ApplicationQueueProps) {
  const { revalidate, state } = useRevalidator()
  const address = applicationsAddress(course.slug, filter)
  const [known, setKnown] = useState({ address, page })
  if (page && known.page !== page) setKnown({ address, page })
  // What was read stays when asking again fails.
  const shown = page ?? (known.address === address ? known.page : null)

  return (
    <div className="grid gap-6">
      <header className="flex flex-wrap items-center justify-between gap-3">
        <h2 className="text-2xl">Applications</h2>
        {course.applicationRequired && (
          <ButtonLink to={questionsAddress(course.slug)} variant="secondary" size="sm">
            Edit questions
          </ButtonLink>
        )}
      </header>
      {course.pendingApplications !== null && !course.applicationRequired && (
        <p className="text-pretty text-muted">
          This course no longer asks for applications: people join it without one. Those that wait
          can still be decided.
        </p>
      )}
      {shown === null ? (
        <ErrorState
          level={3}
          title={loadFailed}
          onRetry={() => void revalidate()}
          retrying={state === 'loading'}
        />
      ) : (
        <>
          <ApplicationFilters course={course} filter={filter} counts={shown.counts} />
          <Queue key={address} course={course} filter={filter} page={shown} />
        </>
      )}
    </div>
  )
}

type QueueProps = { course: CourseDashboard; filter: ApplicationsFilter; page: ApplicationPage }

function Queue({ course, filter, page }: QueueProps) {
  const courseId = course.id
  const { revalidate } = useRevalidator()
  const [openId, setOpenId] = useState<string | null>(() =>
    filter.status === 'pending' ? (page.applications[0]?.id ?? null) : null,
  )
  const { queue, more, loadMore, replace, startAgain } = useQueue({
    courseId,
    filter,
    page,
    openId,
  })
  const { deciding, problem, decide } = useDecision({ courseId, onDone: afterDecision })
  const [drafts] = useState(() => new Map<string, ReviewDraft>())
  const [hasNotes, setHasNotes] = useState(false)
  useUnsaved(hasNotes)
  const selection = useSelection(courseId)
  const [keysOn, setKeysOn] = useKeysSetting()
  const list = useRef<HTMLUListElement>(null)
  // For what goes on after a call, during which somebody may have opened another.
  const nowOpen = useRef(openId)
  useLayoutEffect(() => {
    nowOpen.current = openId
  }, [openId])

  const open = queue.applications.find(({ id }) => id === openId)
  const selectable = queue.applications.filter((one) => isOpenToDecide(queue, one))
  const selected = selectable.filter(({ id }) => selection.ids.has(id)).map(({ id }) => id)
  const due = dueDecisions(queue)
  const draftOf = (id: string): ReviewDraft => drafts.get(id) ?? { notes: '', shareNotes: false }

  function keep(id: string, draft: ReviewDraft | null) {
    if (draft) drafts.set(id, draft)
    else drafts.delete(id)
    setHasNotes([...drafts.values()].some(({ notes }) => notes.trim() !== ''))
  }

  /** Opens it, and brings the keyboard and the eye there. */
  function goTo(id: string | null) {
    flushSync(() => setOpenId(id))
    const toggle = id && document.getElementById(toggleOf(id))
    if (!toggle) return list.current?.focus()
    toggle.focus({ preventScroll: true })
    toggle.closest('li')?.scrollIntoView({ block: 'nearest' })
  }

  function afterDecision(application: Application) {
    keep(application.id, null)
    const next = nextToDecide(queue, application.id)
    // Where somebody was writing, the letters that follow would decide about the next one.
    const wasWriting = isWriting(document.activeElement)
    flushSync(() => replace(application))
    const isElsewhere = nowOpen.current !== application.id || isWriting(document.activeElement)
    if (!isElsewhere) goTo(wasWriting ? application.id : next)
    void revalidate()
  }

  function decideOpen(decision: Decision) {
    if (open && isOpenToDecide(queue, open)) void decide(open.id, decision, draftOf(open.id))
  }

  useQueueKeys({
    isOn: keysOn,
    onDecide: decideOpen,
    onMove: (step) => goTo(neighbour(queue, openId, step)),
  })

  if (queue.applications.length === 0) {
    return <NoApplications course={course} filter={filter} counts={page.counts} />
  }
  return (
    <div className="grid gap-4">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        {selectable.length > 0 && (
          <Checkbox
            label="Select all"
            checked={selected.length === Math.min(selectable.length, applicationLimits.atOnce)}
            onChange={(event) =>
              selection.set(
                event.target.checked
                  ? selectable.slice(0, applicationLimits.atOnce).map(({ id }) => id)
                  : [],
              )
            }
          />
        )}
        <Checkbox
          className="ml-auto hidden text-sm sm:block"
          label={
            <>
              Keys: <Key>J</Key> next, <Key>K</Key> back, <Key>A</Key> approve, <Key>R</Key> reject
            </>
          }
          checked={keysOn}
          onChange={(event) => setKeysOn(event.target.checked)}
        />
      </div>
      <output className="empty:hidden">
        {queue.waiting > 0 && (
          <Button variant="secondary" size="sm" onClick={startAgain}>
            Show {countLabel(queue.waiting, 'new application')}
          </Button>
        )}
      </output>
      <ul
        ref={list}
        tabIndex={-1}
        // Safari forgets that a list without bullets is one, unless told.
        // oxlint-disable-next-line jsx-a11y/no-redundant-roles
        role="list"
        aria-label="Applications"
        className="grid gap-3 outline-none"
      >
        {queue.applications.map((application) => {
          const { id, status, dueDecision } = application
          const isGone = queue.gone.has(id)
          return (
            <ApplicationItem
              key={id}
              application={application}
              isOpen={id === openId}
              isGone={isGone}
              keepsPlace={selectable.length > 0}
              onToggle={() => setOpenId(id === openId ? null : id)}
              selection={
                isOpenToDecide(queue, application)
                  ? {
                      isSelected: selection.ids.has(id),
                      onSelect: (isSelected) => selection.change(id, isSelected),
                    }
                  : undefined
              }
              review={
                isGone ? (
                  <p className="text-muted">
                    This application was decided in another place, or withdrawn.
                  </p>
                ) : status !== 'pending' ? (
                  <PastReview application={application} />
                ) : dueDecision ? (
                  <p className="text-muted">
                    A decision about this application is under way. Undo it to decide otherwise.
                  </p>
                ) : (
                  <ReviewApplication
                    application={application}
                    draft={draftOf(id)}
                    onDraft={(draft) => keep(id, draft)}
                    deciding={deciding?.id === id ? deciding.decision : null}
                    problem={problem?.id === id ? problem.message : undefined}
                    onDecide={decideOpen}
                  />
                )
              }
            />
          )
        })}
      </ul>
      {more === 'failed' && <Banner tone="danger">{loadFailed}</Banner>}
      {queue.nextCursor !== null && (
        <Button
          variant="secondary"
          className="justify-self-center"
          busy={more === 'loading'}
          onClick={() => void loadMore()}
        >
          Load more applications
        </Button>
      )}
      <div className="sticky bottom-4 z-20 grid gap-3 empty:hidden">
        {due.map((one) => (
          <DueBar
            key={one.id}
            courseId={courseId}
            due={one}
            onChange={() => void revalidate()}
            place={list}
          />
        ))}
        {selected.length > 0 && (
          <SelectionBar
            count={selected.length}
            deciding={selection.deciding}
            problem={selection.problem}
            onClear={() => selection.set([])}
            onDecide={(decision) => void selection.decide(selected, decision)}
            place={list}
          />
        )}
      </div>
    </div>
  )
}

function Key({ children }: { children: string }) {
  return (
    <kbd className="rounded-md border border-edge/60 bg-surface px-1.5 py-0.5 font-mono text-xs">
      {children}
    </kbd>
  )
}
