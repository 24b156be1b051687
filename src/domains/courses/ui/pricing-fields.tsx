import { useFormState, type UseFormReturn, useWatch } from 'react-hook-form'
import { Banner } from '../../../ui/banner.tsx'
import { Field, Input, Select } from '../../../ui/field.tsx'
import { openingObstacle } from '../opening-rules.ts'
import { amountIn, defaultPrice, textOfAmount } from '../pricing.ts'
import type { CourseForm } from '../schema.ts'
import type { CourseFields } from './course-form-fields.ts'

const pricings = [
  ['free', 'Free'],
  ['one_time', 'One-time payment'],
  ['monthly', 'Monthly subscription'],
] as const

/** Free, once or each month; a price appears with what costs something. */
export function PricingFields({
  form,
}: {
  form: UseFormReturn<CourseFields, unknown, CourseForm>
}) {
  const { control, register, getValues, setValue, clearErrors } = form
  const { errors } = useFormState({ control })
  const pricingType = useWatch({ control, name: 'pricingType' })
  const obstacle = openingObstacle({ pricingType })

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
      {obstacle && <Banner tone="warning">{obstacle}</Banner>}
    </>
  )
}
