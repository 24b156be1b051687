import { Search } from 'lucide-react'
import { Form } from 'react-router'
import { Button } from '../../../ui/button.tsx'
import { Field, Input } from '../../../ui/field.tsx'
import { longestHelpSearch } from '../rules.ts'

/** A plain form, so that what is looked for is in the address and no script is needed. */
export function HelpSearch({ query, problem }: { query: string; problem?: string | null }) {
  return (
    <search>
      <Form
        action="/help"
        className="grid max-w-[40rem] grid-cols-[minmax(0,1fr)_auto] items-start gap-3"
      >
        <Field label="Search help" hideLabel error={problem}>
          <div className="relative grid">
            <Search
              size={19}
              aria-hidden
              className="pointer-events-none absolute top-1/2 left-3.5 -translate-y-1/2 text-muted"
            />
            <Input
              type="search"
              name="q"
              defaultValue={query}
              maxLength={longestHelpSearch}
              placeholder="Search the articles"
              enterKeyHint="search"
              className="pl-11"
            />
          </div>
        </Field>
        <Button type="submit">Search</Button>
      </Form>
    </search>
  )
}
