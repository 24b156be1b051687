import { safe } from '@orpc/client'
import { Check } from 'lucide-react'
import { type FormEvent, useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { FieldError } from '../../../ui/field.tsx'
import { Progress } from '../../../ui/progress.tsx'
import { Radio } from '../../../ui/radio.tsx'
import { useHydrated } from '../../../ui/use-hydrated.ts'
import { client } from '../../../web/api-client.ts'
import { callProblem } from '../../courses/ui/call-problem.ts'
import { countLabel } from '../../courses/ui/count-label.ts'
import type { Poll, Post } from '../schema.ts'
import { LocalTime } from '../../../ui/local-time.tsx'
import { askFromEndOn } from './end-of-poll.ts'
import { percentOf } from './poll-percent.ts'

type PostPollProps = {
  post: Pick<Post, 'id' | 'poll'>
  /** Members and the instructor. */
  canVote: boolean
  /** The poll as the server has it now. */
  onPoll: (poll: Poll) => void
}

/** The poll below a post: answers to choose one of, or what was chosen. */
export function PostPoll({ post, canVote, onPoll }: PostPollProps) {
  const { poll } = post
  return poll && <ShownPoll postId={post.id} poll={poll} canVote={canVote} onPoll={onPoll} />
}

type ShownPollProps = Omit<PostPollProps, 'post'> & { postId: string; poll: Poll }

function ShownPoll({ postId, poll, canVote, onPoll }: ShownPollProps) {
  const [isChanging, setChanging] = useState(false)
  const [busy, setBusy] = useState<'vote' | 'removal' | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const part = useRef<HTMLFieldSetElement>(null)
  const isOpen = canVote && !poll.isClosed
  const hasResults = poll.options.every(({ votesCount }) => votesCount !== null)
  const asks = isOpen && (isChanging || !hasResults)

  async function readAgain() {
    const [, post] = await safe(client.community.getPost({ postId }))
    if (post?.poll) onPoll(post.poll)
  }
  useEndOf(poll, readAgain)

  async function vote(optionId: string | null) {
    setBusy(optionId === null ? 'removal' : 'vote')
    setProblem(null)
    const [error, voted] = await safe(client.community.votePoll({ postId, optionId }))
    setBusy(null)
    if (error) {
      setProblem(callProblem(error, 'Failed to vote. Please try again.'))
      await readAgain()
      return
    }
    setChanging(false)
    onPoll(voted)
    // The control that had the focus is gone.
    part.current?.focus()
  }

  return (
    <fieldset
      ref={part}
      tabIndex={-1}
      aria-label="Poll"
      className="grid min-w-0 gap-3 rounded-card border p-4"
    >
      {asks ? (
        <Ballot
          poll={poll}
          busy={busy === 'vote'}
          onVote={vote}
          onCancel={hasResults ? () => setChanging(false) : null}
        />
      ) : (
        <Results poll={poll} />
      )}
      {problem && (
        <div role="alert">
          <FieldError>{problem}</FieldError>
        </div>
      )}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <p className="text-sm text-muted tabular-nums">
          {countLabel(poll.votesCount, 'vote')}
          {poll.isClosed && ' · Closed'}
          {poll.closesAt && !poll.isClosed && (
            <>
              {' · Closes '}
              <LocalTime at={poll.closesAt} />
            </>
          )}
        </p>
        {isOpen && !asks && (
          <div className="-mx-3.5 flex flex-wrap">
            <Button variant="ghost" size="sm" onClick={() => setChanging(true)}>
              {poll.votedFor ? 'Change vote' : 'Vote'}
            </Button>
            {poll.votedFor && (
              <Button
                variant="ghost"
                size="sm"
                busy={busy === 'removal'}
                onClick={() => void vote(null)}
              >
                Remove vote
              </Button>
            )}
          </div>
        )}
      </div>
    </fieldset>
  )
}

type BallotProps = {
  poll: Poll
  busy: boolean
  onVote: (optionId: string) => Promise<void>
  /** Null where there is nothing else to show. */
  onCancel: (() => void) | null
}

function Ballot({ poll, busy, onVote, onCancel }: BallotProps) {
  const name = useId()
  const isHydrated = useHydrated()
  const [chosen, setChosen] = useState(poll.votedFor)
  const choices = useRef<HTMLFieldSetElement>(null)

  useEffect(() => {
    if (!onCancel) return
    // The button that led here is gone.
    const radios = choices.current?.querySelectorAll('input') ?? []
    const checked = [...radios].find((radio) => radio.checked)
    ;(checked ?? radios[0])?.focus()
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once, when it appears
  }, [])

  function submit(event: FormEvent) {
    event.preventDefault()
    if (chosen && !busy) void onVote(chosen)
  }

  return (
    <form onSubmit={submit} className="grid gap-3">
      <fieldset ref={choices} className="grid min-w-0 gap-1" disabled={!isHydrated}>
        <legend className="sr-only">Choose one answer</legend>
        {poll.options.map(({ id, text }) => (
          <label
            key={id}
            className="flex min-h-11 cursor-pointer items-center gap-3 rounded-control px-3 py-1.5 hover:bg-wash has-checked:bg-primary-soft has-focus-visible:outline-2 has-focus-visible:outline-primary"
          >
            <Radio name={name} checked={id === chosen} onChange={() => setChosen(id)} />
            <span className="min-w-0 wrap-anywhere">{text}</span>
          </label>
        ))}
      </fieldset>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" size="sm" disabled={!chosen} busy={busy} busyText="Voting...">
          Vote
        </Button>
        {onCancel && (
          <Button variant="ghost" size="sm" onClick={onCancel}>
            Cancel
          </Button>
        )}
      </div>
    </form>
  )
}

function Results({ poll }: { poll: Poll }) {
  return (
    <ul className="grid gap-3">
      {poll.options.map(({ id, text, votesCount }) => (
        <li key={id} className="min-w-0">
          {votesCount === null ? (
            <span className="wrap-anywhere">{text}</span>
          ) : (
            <Progress
              look="share"
              label={
                <span className="wrap-anywhere">
                  {text}
                  {id === poll.votedFor && (
                    <span className="ml-2 inline-flex items-baseline gap-1 text-primary">
                      <Check size={14} aria-hidden className="self-center" />
                      Your vote
                    </span>
                  )}
                </span>
              }
              percent={percentOf(votesCount, poll.votesCount)}
              valueText={`${percentOf(votesCount, poll.votesCount)}% (${votesCount.toLocaleString('en-US')})`}
            />
          )}
        </li>
      ))}
    </ul>
  )
}

/** Calls back when the poll has closed while the page was open. */
function useEndOf({ closesAt, isClosed }: Poll, onEnd: () => Promise<void>) {
  const atEnd = useEffectEvent(onEnd)
  useEffect(() => {
    if (!closesAt || isClosed) return
    return askFromEndOn(closesAt, () => void atEnd())
  }, [closesAt, isClosed])
}
