import { Search } from 'lucide-react'
import { Form, useNavigation } from 'react-router'
import { Button } from '../../../ui/button.tsx'
import { Field, Input, Select } from '../../../ui/field.tsx'
import { categories } from '../rules.ts'

/** What is looked for lives in the address: works unhydrated, and can be shared. */
export function CourseSearchForm({ search, category }: { search: string; category: string }) {
  const { state, location } = useNavigation()
  const searching = state !== 'idle' && location?.pathname === '/explore'

  return (
    <search>
      <Form
        action="/explore"
        className="grid grid-cols-[minmax(0,1fr)_auto] gap-3 sm:grid-cols-[minmax(0,1fr)_13rem_auto]"
      >
        <Field label="Search courses" hideLabel className="max-sm:col-span-2">
          <div className="relative grid">
            <Search
              size={19}
              aria-hidden
              className="pointer-events-none absolute top-1/2 left-3.5 -translate-y-1/2 text-muted"
            />
            <Input
              type="search"
              name="search"
              defaultValue={search}
              maxLength={200}
              placeholder="Search for anything"
              enterKeyHint="search"
              className="pl-11"
            />
          </div>
        </Field>
        <Field label="Category" hideLabel>
          <Select name="category" defaultValue={category}>
            <option value="All">All</option>
            {categories.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </Select>
        </Field>
        <Button type="submit" busy={searching}>
          Search
        </Button>
      </Form>
    </search>
  )
}
