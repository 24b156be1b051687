import { Form } from 'react-router'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { Field, Select } from '../../../ui/field.tsx'
import { withoutLightning } from '../../courses/rules.ts'
import { saleStates } from '../rules.ts'
import type { Sale } from '../schema.ts'
import { saleStateWords } from './sale-words.ts'

export type SalesFilterProps = {
  courses: { id: string; title: string }[]
  filter: { courseId?: string; state?: Sale['state'] }
}

/** Which sales are shown; in the address of /payments, also where the history is a tab of the settings. */
export function SalesFilter({ courses, filter }: SalesFilterProps) {
  const isFiltered = filter.courseId !== undefined || filter.state !== undefined
  return (
    <Form
      action="/payments#history"
      preventScrollReset
      className="grid grid-cols-1 items-end gap-3 sm:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_auto]"
    >
      <Field label="Course">
        <Select name="course" defaultValue={filter.courseId ?? ''}>
          <option value="">All courses</option>
          {courses.map(({ id, title }) => (
            <option key={id} value={id}>
              {withoutLightning(title)}
            </option>
          ))}
        </Select>
      </Field>
      <Field label="Status">
        <Select name="state" defaultValue={filter.state ?? ''}>
          <option value="">All statuses</option>
          {saleStates.map((state) => (
            <option key={state} value={state}>
              {saleStateWords[state].label}
            </option>
          ))}
        </Select>
      </Field>
      <div className="flex gap-2">
        <Button type="submit" variant="secondary">
          Show
        </Button>
        {isFiltered && (
          <ButtonLink to="/payments#history" preventScrollReset variant="ghost">
            Show all
          </ButtonLink>
        )}
      </div>
    </Form>
  )
}
