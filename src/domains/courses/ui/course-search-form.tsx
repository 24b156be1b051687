import { Search } from 'lucide-react'
import type { ReactNode } from 'react'
import { Form, useNavigation } from 'react-router'
import { Button } from '../../../ui/button.tsx'
import { Field, Input, Select } from '../../../ui/field.tsx'
import type { CourseSearch, Price, Sort } from '../../search/schema.ts'
import { categories } from '../rules.ts'

const priceNames: Record<Price, string> = { all: 'All', free: 'Free', paid: 'Paid' }
const sortNames: Record<Sort, string> = {
  newest: 'Newest',
  popular: 'Popular',
  trending: 'Trending',
  price_low: 'Price: Low to High',
  price_high: 'Price: High to Low',
}

type CourseSearchFormProps = {
  filters: CourseSearch
  /** Of what says that this cannot be looked for. */
  problemId?: string
}

/** What is looked for lives in the address: works unhydrated, and can be shared. */
export function CourseSearchForm({ filters, problemId }: CourseSearchFormProps) {
  const { state, location } = useNavigation()
  const searching = state !== 'idle' && location?.pathname === '/explore'
  const { search, category, price } = filters
  // What nobody chose is not sent, so that a search begun here shows its best match first.
  const unsent = search === '' ? 'newest' : null

  return (
    <search>
      <Form action="/explore" className="grid gap-3">
        <div className="grid grid-cols-[minmax(0,1fr)_auto] gap-3">
          <Field label="Search courses" hideLabel>
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
                aria-invalid={problemId ? true : undefined}
                aria-describedby={problemId}
                enterKeyHint="search"
                className="pl-11"
              />
            </div>
          </Field>
          <Button type="submit" busy={searching}>
            Search
          </Button>
        </div>
        <div className="grid grid-cols-2 gap-3 sm:grid-cols-3 lg:max-w-3xl">
          <Choice label="Category" name="category" chosen={category} className="max-sm:col-span-2">
            <option value="All">All</option>
            {categories.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </Choice>
          <Choice label="Price" name="price" chosen={price}>
            {Object.entries(priceNames).map(([value, name]) => (
              <option key={value} value={value}>
                {name}
              </option>
            ))}
          </Choice>
          <Choice
            label="Sort by"
            name="sort"
            chosen={filters.sort === unsent ? '' : (filters.sort ?? '')}
          >
            {search !== '' && <option value="">Best Match</option>}
            {Object.entries(sortNames).map(([value, name]) => (
              <option key={value} value={value === unsent ? '' : value}>
                {name}
              </option>
            ))}
          </Choice>
        </div>
      </Form>
    </search>
  )
}

type ChoiceProps = {
  label: string
  name: string
  chosen: string
  className?: string
  children: ReactNode
}

function Choice({ label, name, chosen, className, children }: ChoiceProps) {
  return (
    <Field label={label} className={className}>
      <Select name={name} defaultValue={chosen}>
        {children}
      </Select>
    </Field>
  )
}
