import { useFormState, type UseFormReturn, useWatch } from 'react-hook-form'
import { Banner } from '../../../ui/banner.tsx'
import { Field, Input, Select } from '../../../ui/field.tsx'
import { YouReceive } from '../../billing/ui/you-receive.tsx'
import { amountIn, defaultPrice, priceLimits, textOfAmount } from '../pricing.ts'
import type { CourseForm } from '../schema.ts'
import type { CourseFields, StoredCourse } from './course-form-fields.ts'
import { whoPaysOn } from './price-words.ts'

const pricings = [
  ['free', 'Free'],
  ['one_time', 'One-time payment'],
  ['monthly', 'Monthly subscription'],
] as const

/** Free, once or each month; a price appears with what costs something. */
export function PricingFields({
  form,
  course,
}: {
  form: UseFormReturn<CourseFields, unknown, CourseForm>
  /** Null for a new course. */
  course: StoredCourse | null
}) {
  const { control, register, getValues, setValue, clearErrors } = form
  const { errors } = useFormState({ control })
  const [pricingType, price] = useWatch({ control, name: ['pricingType', 'price'] })
  const amount = amountIn(price)
  const isPrice =
    Number.isInteger(amount) && amount >= priceLimits.least && amount <= priceLimits.most
  const isChosen = pricingType === 'free' || isPrice
  const paysOn = course && isChosen && whoPaysOn(course, { pricingType, priceAmount: amount })

  function adaptPrice() {
    const isFree = getValues('pricingType') === 'free'
    if (isFree) setValue('price', '0', { shouldDirty: true })
    else if (amountIn(getValues('price')) === 0) {
      setValue('price', textOfAmount(defaultPrice), { shouldDirty: true })
    }
    clearErrors('price')
  }

  return (
    <>
      <Field label="Pricing" error={errors.pricingType?.message}>
        <Select {...register('pricingType', { onChange: adaptPrice })}>
          {pricings.map(([value, name]) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </Select>
      </Field>
      {pricingType !== 'free' && (
        <Field
          label="Price (USD)"
          required
          hint={
            pricingType === 'monthly'
              ? 'Each member pays it every month.'
              : 'Each member pays it once.'
          }
          error={errors.price?.message}
        >
          <div className="relative">
            <span
              aria-hidden
              className="pointer-events-none absolute inset-y-0 left-3.5 grid place-items-center text-muted"
            >
              $
            </span>
            <Input
              {...register('price')}
              inputMode="decimal"
              autoComplete="off"
              className="pl-8 tabular-nums"
            />
          </div>
        </Field>
      )}
      {pricingType !== 'free' && isPrice && (
        <YouReceive price={amount} isMonthly={pricingType === 'monthly'} />
      )}
      {paysOn && <Banner>{paysOn}</Banner>}
    </>
  )
}
