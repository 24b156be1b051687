import { Search } from 'lucide-react'
import { Form, useNavigation } from 'react-router'
import { Button } from '../../../ui/button.tsx'
import { Field, Input } from '../../../ui/field.tsx'
import { communityLimits } from '../rules.ts'

type CommunitySearchProps = {
  slug: string
  /** Empty when nothing is looked for. */
  search: string
}

/** What is looked for in a discussion; the address holds it. Works before the page is hydrated. */
export function CommunitySearch({ slug, search }: CommunitySearchProps) {
  const { state, location } = useNavigation()
  const asked = new URLSearchParams(location?.search)
  const searching = state === 'loading' && asked.has('search') && asked.get('tab') === 'discussion'
  return (
    <search>
      <Form
        action={`/course/${slug}/dashboard`}
        preventScrollReset
        className="grid grid-cols-[minmax(0,1fr)_auto] gap-2 sm:gap-3"
      >
        <input type="hidden" name="tab" value="discussion" />
        <Field label="Search the discussion" hideLabel>
          <div className="relative grid">
            <Search
              size={19}
              aria-hidden
              className="pointer-events-none absolute top-1/2 left-3.5 -translate-y-1/2 text-muted max-sm:hidden lg:hidden"
            />
            <Input
              type="search"
              name="search"
              defaultValue={search}
              maxLength={communityLimits.search}
              placeholder="Search posts and comments"
              enterKeyHint="search"
              className="max-sm:px-3 sm:max-lg:pl-11"
            />
          </div>
        </Field>
        <Button type="submit" variant="secondary" busy={searching} className="max-sm:px-4">
          Search
        </Button>
      </Form>
    </search>
  )
}
