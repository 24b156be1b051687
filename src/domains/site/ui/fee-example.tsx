import { catalogue, feePercents, shareOf } from '../../billing/rules.ts'
import { money } from '../../billing/ui/plan-words.ts'
import { Example } from './pro-benefit.tsx'

const price = 4900
const { currency } = catalogue.monthly

/** What becomes of one sale on either plan, by the function that the form for prices asks. */
export function FeeExample() {
  const free = shareOf(price, feePercents.free)
  const pro = shareOf(price, feePercents.pro)
  const rows: [string, number, number][] = [
    ['Price', price, price],
    ['Our fee', 0 - free.platformFee, 0 - pro.platformFee],
    ['Card processing, typically', -free.cardFee, -pro.cardFee],
    ['You receive', free.received, pro.received],
  ]
  return (
    <Example title={`A course for ${money(price, currency)}, sold once`}>
      <table className="w-full text-left tabular-nums">
        <thead className="text-sm text-muted">
          <tr>
            <th scope="col">
              <span className="sr-only">What becomes of it</span>
            </th>
            <th scope="col" className="py-1.5 pl-3 text-right font-medium">
              Free
            </th>
            <th scope="col" className="py-1.5 pl-3 text-right font-medium">
              Pro
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, onFree, onPro], index) => (
            <tr key={name} className={index === rows.length - 1 ? 'border-t font-semibold' : ''}>
              <th scope="row" className="py-1.5 font-[inherit]">
                {name}
              </th>
              <td className="py-1.5 pl-3 text-right">{money(onFree, currency)}</td>
              <td className="py-1.5 pl-3 text-right">{money(onPro, currency)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Example>
  )
}

/** Sales in a month, in minor units, at which Pro costs as much as the fee that it saves. */
export const paysForItself = Math.round((catalogue.monthly.amount * 100) / feePercents.free)
