import { Search } from 'lucide-react'
import { Form, useNavigation } from 'react-router'
import { Button } from '../../../ui/button.tsx'
import { Field, Input } from '../../../ui/field.tsx'
import { memberLimits } from '../rules.ts'

type MemberSearchProps = { slug: string; search: string; byEmail: boolean }

/** What is looked for lives in the address, and works before the page is hydrated. */
export function MemberSearch({ slug, search, byEmail }: MemberSearchProps) {
  const { state, location } = useNavigation()
  const asked = new URLSearchParams(location?.search)
  const searching = state === 'loading' && asked.has('search') && asked.get('tab') === 'members'
  return (
    <search>
      <Form
        action={`/course/${slug}/dashboard`}
        preventScrollReset
        className="grid grid-cols-[minmax(0,1fr)_auto] gap-3"
      >
        <input type="hidden" name="tab" value="members" />
        <Field label="Search members" hideLabel>
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
              maxLength={memberLimits.search}
              placeholder={byEmail ? 'Name or email' : 'Name'}
              enterKeyHint="search"
              className="pl-11"
            />
          </div>
        </Field>
        <Button type="submit" variant="secondary" busy={searching}>
          Search
        </Button>
      </Form>
    </search>
  )
}
