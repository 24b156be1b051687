import { Form, useNavigation } from 'react-router'
import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card, CardHeader } from '../../../ui/card.tsx'
import { Field, Input, Select } from '../../../ui/field.tsx'
import { couponLimits } from '../rules.ts'
import { type CouponFields, type CouponProblems, emptyCoupon } from './coupon-form-fields.ts'

/** Why it was not made, or not switched off or on, and what was typed. */
export type CouponRefusal = {
  intent: 'create' | 'switch'
  fields: CouponFields
  problems: CouponProblems
  problem: string | null
}

type CouponFormProps = { courseId: string; refusal: CouponRefusal | undefined }

/** A form that needs no script: what is wrong comes back beside what was typed. */
export function CouponForm({ courseId, refusal }: CouponFormProps) {
  const { formData } = useNavigation()
  const { fields, problems, problem } = refusal ?? {
    fields: emptyCoupon,
    problems: {},
    problem: null,
  }
  return (
    <Card as="section" aria-label="New coupon">
      <CardHeader
        title="New coupon"
        description="The discount cannot be changed later, because people may already have the code."
      />
      <Form method="post" replace noValidate className="grid gap-5">
        <input type="hidden" name="intent" value="create" />
        <input type="hidden" name="courseId" value={courseId} />
        {problem && <Banner tone="danger">{problem}</Banner>}
        <Field
          label="Code"
          required
          hint={`At least ${couponLimits.code.least} letters, digits or hyphens.`}
          error={problems.code}
        >
          <Input
            name="code"
            defaultValue={fields.code}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            maxLength={couponLimits.code.most}
            className="uppercase"
          />
        </Field>
        <div className="grid grid-cols-2 gap-4">
          <Field label="Discount" required error={problems.off}>
            <Input name="off" defaultValue={fields.off} inputMode="decimal" autoComplete="off" />
          </Field>
          <Field label="Unit">
            <Select name="kind" defaultValue={fields.kind}>
              <option value="percent">Percent</option>
              <option value="amount">US dollars</option>
            </Select>
          </Field>
        </div>
        <div className="grid gap-4 sm:max-lg:grid-cols-2">
          <Field label="First day" optional error={problems.starts}>
            <Input name="starts" type="date" defaultValue={fields.starts} />
          </Field>
          <Field label="Last day" optional error={problems.ends}>
            <Input name="ends" type="date" defaultValue={fields.ends} />
          </Field>
        </div>
        <p className="-mt-3 text-sm text-muted">Days begin and end at midnight, UTC.</p>
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label="Total uses" optional error={problems.maxRedemptions}>
            <Input
              name="maxRedemptions"
              type="number"
              inputMode="numeric"
              min={1}
              max={couponLimits.redemptions}
              defaultValue={fields.maxRedemptions}
            />
          </Field>
          <Field label="Uses per person" required error={problems.maxPerPerson}>
            <Input
              name="maxPerPerson"
              type="number"
              inputMode="numeric"
              min={1}
              max={100}
              defaultValue={fields.maxPerPerson}
            />
          </Field>
        </div>
        <Button type="submit" busy={formData?.get('intent') === 'create'} busyText="Creating...">
          Create Coupon
        </Button>
      </Form>
    </Card>
  )
}
