import { Form } from 'react-router'
import { Button } from '../../../ui/button.tsx'
import { Field, Input } from '../../../ui/field.tsx'

type PaymentEventSearchProps = { status: string | undefined; search: string }

/** By an id; it stays in the address, and works without scripts. */
export function PaymentEventSearch({ status, search }: PaymentEventSearchProps) {
  return (
    <search>
      <Form preventScrollReset className="flex flex-wrap items-end gap-3">
        {status && <input type="hidden" name="status" value={status} />}
        <Field label="Search by id" className="min-w-0 flex-1 basis-60">
          <Input
            key={search}
            type="search"
            name="search"
            defaultValue={search}
            maxLength={200}
            autoComplete="off"
            spellCheck={false}
            placeholder="evt_, cs_, sub_, in_, ch_, cus_…"
          />
        </Field>
        <Button type="submit" variant="secondary">
          Search
        </Button>
      </Form>
    </search>
  )
}
