import { Inbox, ListChecks, Search, SearchX } from 'lucide-react'
import { Form } from 'react-router'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Field, Input } from '../../../ui/field.tsx'
import type { CourseDashboard } from '../../courses/schema.ts'
import { applicationsShown } from '../rules.ts'
import type { ApplicationPage } from '../schema.ts'
import { applicationsAddress, type ApplicationsFilter } from './applications-tab.ts'

const filterLabels = { pending: 'Pending', approved: 'Approved', rejected: 'Rejected', all: 'All' }

type ApplicationFiltersProps = {
  course: CourseDashboard
  filter: ApplicationsFilter
  counts: ApplicationPage['counts']
}

/** Which applications are looked at, and how many there are of each kind. */
export function ApplicationFilters({ course, filter, counts }: ApplicationFiltersProps) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-4">
      <nav aria-label="Which applications" className="flex flex-wrap gap-2">
        {applicationsShown.map((status) => (
          <ButtonLink
            key={status}
            to={applicationsAddress(course.slug, { ...filter, status })}
            preventScrollReset
            variant={status === filter.status ? 'primary' : 'secondary'}
            size="sm"
            aria-current={status === filter.status ? 'page' : undefined}
          >
            {filterLabels[status]}
            <span className="tabular-nums">{counts[status]}</span>
          </ButtonLink>
        ))}
      </nav>
      <search className="w-full sm:w-auto">
        <Form preventScrollReset className="flex gap-2">
          <input type="hidden" name="tab" value="applications" />
          <input type="hidden" name="status" value={filter.status} />
          <Field label="Search applications" hideLabel className="flex-1 sm:w-64">
            {/* It holds what is looked for, so another search needs another field. */}
            <Input
              key={filter.search}
              type="search"
              name="search"
              maxLength={200}
              defaultValue={filter.search}
              placeholder="Name, email or answer"
            />
          </Field>
          <Button type="submit" variant="secondary" size="icon" aria-label="Search">
            <Search size={18} aria-hidden />
          </Button>
        </Form>
      </search>
    </div>
  )
}

/** Nothing to show: none yet, none of this kind, or none that contains what is looked for. */
export function NoApplications({ course, filter, counts }: ApplicationFiltersProps) {
  if (filter.search !== '') {
    return (
      <EmptyState
        level={3}
        icon={SearchX}
        title="No applications found"
        description={`Nothing in ${filterLabels[filter.status]} contains “${filter.search}”.`}
        action={
          <ButtonLink
            to={applicationsAddress(course.slug, { status: filter.status })}
            variant="secondary"
          >
            Clear search
          </ButtonLink>
        }
      />
    )
  }
  if (counts.all === 0) {
    return (
      <EmptyState
        level={3}
        icon={Inbox}
        title="No applications yet"
        description={
          course.applicationRequired
            ? 'When somebody applies to this course, the application appears here at once.'
            : 'This course asks for none: people join it without one.'
        }
      />
    )
  }
  return (
    <EmptyState
      level={3}
      icon={ListChecks}
      title={filter.status === 'pending' ? 'Nobody is waiting' : 'None of these'}
      description={
        filter.status === 'pending'
          ? `No application waits for you. ${course.applicationRequired ? 'New ones appear here at once.' : 'People join without one by now.'}`
          : `No application is ${filter.status} at the moment.`
      }
    />
  )
}
