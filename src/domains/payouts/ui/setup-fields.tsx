import { Banknote, CreditCard, Landmark } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import { cn } from '../../../ui/cn.ts'
import { Field, Input } from '../../../ui/field.tsx'
import { Radio } from '../../../ui/radio.tsx'
import { paypalFeePercent } from '../rules.ts'
import type { PayoutSetup } from '../schema.ts'
import type { PayoutFieldName, PayoutProblems } from './payout-fields.ts'
import { methodWords } from './payout-words.ts'

/** `way` is for the styles, which show the fields of the chosen one also before the page is hydrated. */
const methods = [
  { method: 'bank_account', way: 'bank', icon: Landmark },
  { method: 'debit_card', way: 'card', icon: CreditCard },
  { method: 'paypal', way: 'paypal', icon: Banknote },
] as const

type Typed = Record<string, string>

export function MethodChoice({ setup, typed }: { setup: PayoutSetup; typed: Typed }) {
  const offered = methods.filter(({ method }) => method !== 'paypal' || setup.offersPaypal)
  const wanted = typed.method ?? setup.method?.method
  const chosen = offered.find(({ method }) => method === wanted) ?? offered[0]
  return (
    <fieldset className="grid min-w-0 gap-3">
      <legend className="mb-1.5 text-sm font-semibold">Payout method</legend>
      <div
        className={cn(
          'grid grid-cols-1 gap-3',
          offered.length > 2 ? 'sm:grid-cols-3' : 'sm:grid-cols-2',
        )}
      >
        {offered.map(({ method, way, icon: Icon }) => (
          <label
            key={method}
            className={cn(
              'flex min-h-11 cursor-pointer items-center gap-2.5 rounded-control border border-edge px-3.5 py-2',
              'font-semibold hover:border-ink has-checked:border-primary has-checked:bg-primary-soft',
              'has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-primary',
            )}
          >
            <Radio
              name="method"
              value={method}
              data-way={way}
              defaultChecked={method === chosen?.method}
            />
            <Icon size={18} aria-hidden className="text-muted sm:hidden" />
            {methodWords[method]}
          </label>
        ))}
      </div>
    </fieldset>
  )
}

type NumberFieldsProps = { setup: PayoutSetup; problems: PayoutProblems; typed: Typed }

/** What the chosen method needs. */
export function NumberFields({ setup, problems, typed }: NumberFieldsProps) {
  return (
    <>
      {setup.tokens ? (
        <BankAndCard setup={setup} problems={problems} typed={typed} />
      ) : (
        <p className="text-pretty text-muted group-has-[[data-way=paypal]:checked]/setup:hidden sm:col-span-2">
          The payment provider asks for your bank account or card on its own pages, and brings you
          back here.
        </p>
      )}
      <div className="hidden grid-cols-1 gap-5 group-has-[[data-way=paypal]:checked]/setup:grid sm:col-span-2">
        <Field
          label="PayPal email"
          error={problems.paypalEmail}
          hint={`PayPal’s processing fee is ${paypalFeePercent}% of what it pays out.`}
          required
        >
          <Input
            name="paypalEmail"
            data-field="paypalEmail"
            type="email"
            autoComplete="email"
            defaultValue={typed.paypalEmail ?? setup.method?.paypalEmail ?? undefined}
          />
        </Field>
      </div>
    </>
  )
}

function BankAndCard({ setup, problems, typed }: NumberFieldsProps) {
  return (
    <>
      <div className="hidden grid-cols-1 gap-5 group-has-[[data-way=bank]:checked]/setup:grid sm:col-span-2 sm:grid-cols-2">
        <Field label="Bank name" error={problems.bankName} required className="sm:col-span-2">
          <Input
            name="bankName"
            data-field="bankName"
            autoComplete="off"
            maxLength={80}
            defaultValue={typed.bankName}
          />
        </Field>
        <NumberField label="Routing number" field="routingNumber" problems={problems} />
        <NumberField label="Account number" field="accountNumber" problems={problems} />
      </div>
      <div className="hidden grid-cols-1 gap-5 group-has-[[data-way=card]:checked]/setup:grid sm:col-span-2 sm:grid-cols-2">
        <NumberField
          label="Card number"
          field="cardNumber"
          problems={problems}
          autoComplete="cc-number"
          className="sm:col-span-2"
        />
        <NumberField
          label="Expiry date"
          field="expiryDate"
          problems={problems}
          autoComplete="cc-exp"
          placeholder="MM/YY"
        />
        <NumberField label="CVV" field="cvv" problems={problems} autoComplete="cc-csc" />
      </div>
      <Note>
        Your browser gives these numbers to the payment provider. They never reach us.
        {setup.isTestMode && (
          <>
            {' '}
            Test mode: use routing number 110000000 with account number 000123456789, or the card
            4000 0566 5566 5556.
          </>
        )}
      </Note>
      <noscript>
        <p className="font-semibold text-pretty sm:col-span-2">
          A bank account or a card can only be connected with JavaScript.
        </p>
      </noscript>
    </>
  )
}

function Note({ children }: { children: ReactNode }) {
  return (
    <p className="text-sm text-pretty text-muted group-has-[[data-way=paypal]:checked]/setup:hidden sm:col-span-2">
      {children}
    </p>
  )
}

type NumberFieldProps = ComponentProps<typeof Input> & {
  label: string
  field: PayoutFieldName
  problems: PayoutProblems
}

/** Without a name and without state: what is typed is in the control and nowhere else. */
function NumberField({ label, field, problems, className, ...rest }: NumberFieldProps) {
  return (
    <Field label={label} error={problems[field]} required className={className}>
      <Input
        autoComplete="off"
        inputMode={field === 'expiryDate' ? undefined : 'numeric'}
        spellCheck={false}
        maxLength={40}
        {...rest}
        data-field={field}
      />
    </Field>
  )
}
