import { Form } from 'react-router'
import { Button } from '../../../ui/button.tsx'
import { Field, Input } from '../../../ui/field.tsx'
import { LinkTabs } from '../../../ui/link-tabs.tsx'
import { limits } from '../rules.ts'

type SearchBarProps = {
  here: string
  label: string
  search: string
  filter: string
  /** By their names in the address; 'all' is the first. */
  filters: Record<string, string>
}

/** What is looked for stays in the address, and works without scripts. */
export function SearchBar({ here, label, search, filter, filters }: SearchBarProps) {
  const address = (shown: string) => {
    const parameters = new URLSearchParams({
      ...(search && { search }),
      ...(shown !== 'all' && { filter: shown }),
    })
    return parameters.size > 0 ? `${here}?${parameters}` : here
  }
  return (
    <div className="grid grid-cols-1 gap-5">
      <search>
        <Form preventScrollReset className="flex flex-wrap items-end gap-3">
          {filter !== 'all' && <input type="hidden" name="filter" value={filter} />}
          <Field label={label} className="min-w-0 flex-1 basis-60">
            <Input
              key={search}
              type="search"
              name="search"
              defaultValue={search}
              maxLength={limits.search}
              autoComplete="off"
              spellCheck={false}
            />
          </Field>
          <Button type="submit" variant="secondary">
            Search
          </Button>
        </Form>
      </search>
      <LinkTabs
        label="Filter"
        tabs={Object.entries(filters).map(([value, words]) => ({
          to: address(value),
          label: words,
          current: filter === value,
        }))}
      />
    </div>
  )
}
