import { CircleCheck, ListTodo } from 'lucide-react'
import type { Route } from './+types/jobs-page'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { client } from '../../../web/api-client.ts'
import { afterRefusal } from '../../../web/after-refusal.ts'
import { formDataOf } from '../../../web/form-data-of.ts'
import { formApi, pageApi } from '../../../web/page-context.ts'
import { PageProblem } from '../../courses/ui/page-problem.tsx'
import { useNow } from '../../notifications/ui/use-now.ts'
import { pageMeta } from '../../site/ui/page-meta.ts'
import type { JobName } from '../../../jobs.ts'
import type { FailingJobs } from '../job-schema.ts'
import { type AdminAnswer, answered, orUnreached, refusalOf, settledBy } from './admin-answer.ts'
import { AnswerBanner } from './answer-banner.tsx'
import { FailingJobItem } from './failing-job-item.tsx'
import { JobKindList } from './job-kind-list.tsx'
import { LoadMore } from './load-more.tsx'
import { spanWords } from './span-words.ts'
import { useMore } from './use-more.ts'

const here = '/admin/jobs'

export const meta = () => pageMeta('Jobs', 'What is done in the background.')

export async function loader({ context, url }: Route.LoaderArgs) {
  const cursor = url.searchParams.get('cursor') ?? undefined
  const { administration } = context.get(pageApi)
  const [queue, failing] = await Promise.all([
    administration.getJobQueue(),
    administration.getFailingJobs({ cursor }),
  ])
  return { queue, failing, now: new Date().toISOString() }
}

export async function action({ request, context }: Route.ActionArgs) {
  const form = await formDataOf(request)
  const { administration } = context.get(formApi)
  const text = (name: string) => String(form.get(name) ?? '')
  const intent = text('intent')
  const jobId = text('jobId')
  switch (text('act')) {
    case 'retry-kind':
      return answered(administration.retryJobsOfKind({ name: text('name') as JobName }), {
        intent,
        form,
        here,
        done: 'All of this kind that failed are tried within seconds.',
      })
    case 'give-up':
      return answered(administration.giveUpJob({ jobId, reason: text('reason') }), {
        intent,
        about: jobId,
        form,
        here,
        done: `Job ${jobId} is given up. It is not tried again by itself.`,
      })
    default:
      return answered(administration.retryJob({ jobId }), {
        intent,
        form,
        here,
        done: `Job ${jobId} is tried within seconds.`,
      })
  }
}

export const clientAction = ({ serverAction }: Route.ClientActionArgs) =>
  serverAction().catch(orUnreached(''))

/** Another administrator may have done it, or an earlier try whose answer was lost. */
export const shouldRevalidate = afterRefusal

/** For administrators: what is done in the background, what of it fails, and what to do about it. */
export default function JobsPage({ loaderData, actionData }: Route.ComponentProps) {
  const { queue, failing } = loaderData
  const now = useNow(loaderData.now)
  // What is wrong with the reason for giving a job up is said there.
  const isSaidBelow = failing.jobs.some(({ id }) => refusalOf(actionData, `give-up ${id}`))
  return (
    <div className="grid grid-cols-1 gap-8">
      <PageHeader
        title="Jobs"
        description="What is done in the background: mails, payments, counting. A job that fails is tried again by itself, with growing pauses."
      />
      {!isSaidBelow && <AnswerBanner answer={actionData} />}
      <section aria-labelledby="queue" className="grid grid-cols-1 gap-4">
        <div className="grid gap-1">
          <h2 id="queue" className="text-xl">
            The queue
          </h2>
          <p className="text-muted">{longestWait(queue.waitingSince, now)}</p>
        </div>
        {queue.kinds.length > 0 ? (
          <JobKindList kinds={queue.kinds} now={now} />
        ) : (
          <EmptyState
            level={3}
            icon={ListTodo}
            title="Nothing to do"
            description="There is no job at this moment, neither waiting nor under way."
          />
        )}
      </section>
      <section aria-labelledby="failing" className="grid grid-cols-1 gap-4">
        <h2 id="failing" className="text-xl">
          Failing
        </h2>
        <FailingList page={failing} now={now} answer={actionData} />
      </section>
    </div>
  )
}

function longestWait(since: string | null, now: Date): string {
  const waited = since === null ? 0 : now.getTime() - Date.parse(since)
  return waited < 60_000
    ? 'Nothing waits longer than a moment.'
    : `The oldest waits ${spanWords(waited)}.`
}

type FailingListProps = { page: FailingJobs; now: Date; answer: AdminAnswer | undefined }

function FailingList({ page, now, answer }: FailingListProps) {
  const { items, ...rest } = useMore(
    { items: page.jobs, nextCursor: page.nextCursor },
    async (cursor) => {
      const next = await client.administration.getFailingJobs({ cursor })
      return { items: next.jobs, nextCursor: next.nextCursor }
    },
    settledBy(answer),
  )
  if (items.length === 0) {
    return (
      <EmptyState
        level={3}
        icon={CircleCheck}
        title="Nothing is failing"
        description="A job that fails appears here, with what went wrong."
      />
    )
  }
  return (
    <div className="grid grid-cols-1 gap-5">
      <ul
        // Safari forgets that a list without bullets is one, unless told.
        // oxlint-disable-next-line jsx-a11y/no-redundant-roles
        role="list"
        aria-label="Failing jobs"
        className="grid grid-cols-1 gap-4"
      >
        {items.map((job) => (
          <FailingJobItem
            key={job.id}
            job={job}
            now={now}
            refusal={refusalOf(answer, `give-up ${job.id}`)}
          />
        ))}
      </ul>
      <LoadMore {...rest} />
    </div>
  )
}

export function ErrorBoundary() {
  return (
    <PageProblem
      icon={ListTodo}
      notFound="There is no such place in the queue"
      description="The jobs that were here may be done. Begin again with the newest."
      back={{ to: here, label: 'Back to jobs' }}
      failed="Could not load the queue"
    />
  )
}
