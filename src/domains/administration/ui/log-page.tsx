import { ScrollText } from 'lucide-react'
import { Form } from 'react-router'
import * as z from 'zod'
import type { Route } from './+types/log-page'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Field, Select } from '../../../ui/field.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { client } from '../../../web/api-client.ts'
import { pageApi } from '../../../web/page-context.ts'
import { useNow } from '../../notifications/ui/use-now.ts'
import { pageMeta } from '../../site/ui/page-meta.ts'
import { type Action, actions, type SubjectKind, subjectKinds } from '../rules.ts'
import type { ActPage } from '../schema.ts'
import { ActList } from './act-list.tsx'
import { LoadMore } from './load-more.tsx'
import { useMore } from './use-more.ts'
import { TextLink } from './text-link.tsx'

const here = '/admin/log'

export const meta = () => pageMeta('Audit log', 'What administrators did.')

const oneOf = <Name extends string>(names: Record<Name, string>, value: string | null) =>
  value !== null && Object.hasOwn(names, value) ? (value as Name) : undefined

export async function loader({ context, url }: Route.LoaderArgs) {
  const given = url.searchParams
  const actor = given.get('actorId') ?? ''
  const query = {
    action: oneOf(actions, given.get('action')),
    subjectKind: oneOf(subjectKinds, given.get('subjectKind')),
    subjectId: (given.get('subjectId') ?? '').trim().slice(0, 100) || undefined,
    actorId: z.uuid().safeParse(actor).data,
  }
  const cursor = given.get('cursor') ?? undefined
  const { administration } = context.get(pageApi)
  const [page, actorName] = await Promise.all([
    administration.getActs({ ...query, cursor }),
    query.actorId
      ? administration.getPerson({ userId: query.actorId }).then(
          ({ name }) => name,
          () => 'a deleted account',
        )
      : null,
  ])
  return { page, query, actorName, now: new Date().toISOString() }
}

/** Everything that administrators did, newest first; nobody can change or remove it. */
export default function LogPage({ loaderData }: Route.ComponentProps) {
  const { page, query, actorName } = loaderData
  const { action, subjectKind, subjectId, actorId } = query
  const isFiltered = Boolean(action || subjectKind || subjectId || actorId)
  return (
    <div className="grid grid-cols-1 gap-8">
      <PageHeader
        title="Audit log"
        description="Everything that administrators did, newest first. Nobody can change or remove it."
      />
      <search>
        <Form preventScrollReset className="flex flex-wrap items-end gap-3">
          {actorId && <input type="hidden" name="actorId" value={actorId} />}
          {subjectId && <input type="hidden" name="subjectId" value={subjectId} />}
          <Field label="Act" className="min-w-0 flex-1 basis-48">
            <Select key={action} name="action" defaultValue={action ?? ''}>
              <option value="">All</option>
              {Object.entries(actions).map(([value, words]) => (
                <option key={value} value={value}>
                  {words} …
                </option>
              ))}
            </Select>
          </Field>
          <Field label="About" className="min-w-0 flex-1 basis-48">
            <Select key={subjectKind} name="subjectKind" defaultValue={subjectKind ?? ''}>
              <option value="">Everything</option>
              {Object.entries(subjectKinds).map(([value, words]) => (
                <option key={value} value={value}>
                  {words}
                </option>
              ))}
            </Select>
          </Field>
          <Button type="submit" variant="secondary">
            Show
          </Button>
          {isFiltered && (
            <ButtonLink to={here} variant="ghost">
              Show all
            </ButtonLink>
          )}
        </Form>
      </search>
      {(actorId || subjectId) && (
        <p className="text-muted">
          {actorId && (
            <>
              Only by <TextLink to={`/admin/people/${actorId}`}>{actorName}</TextLink>.{' '}
            </>
          )}
          {subjectId && 'Only about one subject.'}
        </p>
      )}
      <LogList
        key={JSON.stringify(query)}
        page={page}
        query={query}
        asOf={loaderData.now}
        isFiltered={isFiltered}
      />
    </div>
  )
}

type LogListProps = {
  page: ActPage
  query: { action?: Action; subjectKind?: SubjectKind; subjectId?: string; actorId?: string }
  asOf: string
  isFiltered: boolean
}

function LogList({ page, query, asOf, isFiltered }: LogListProps) {
  const now = useNow(asOf)
  const { items, ...rest } = useMore(
    { items: page.acts, nextCursor: page.nextCursor },
    async (cursor) => {
      const next = await client.administration.getActs({ ...query, cursor })
      return { items: next.acts, nextCursor: next.nextCursor }
    },
  )
  if (items.length === 0) {
    return (
      <EmptyState
        icon={ScrollText}
        title={isFiltered ? 'No such acts' : 'Nothing yet'}
        description={
          isFiltered
            ? 'Nothing like this was done.'
            : 'Whatever administrators do, here or on the command line, appears here.'
        }
      />
    )
  }
  return (
    <div className="grid grid-cols-1 gap-5">
      <ActList acts={items} now={now} label="Acts" />
      <LoadMore {...rest} />
    </div>
  )
}
