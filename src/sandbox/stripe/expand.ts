import { wrong } from './refusal.ts'
import { listOf } from './route.ts'
import { presented, type Unit } from './store.ts'

type Shown = Record<string, unknown>

const isShown = (value: unknown): value is Shown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Lists that belong to an object and are shown only when they are asked for. */
async function included(unit: Unit, object: Shown, field: string): Promise<unknown> {
  const id = String(object.id)
  switch (`${String(object.object)}.${field}`) {
    case 'charge.refunds':
      return listOf(`/v1/charges/${id}/refunds`, await unit.find('refund', { charge: id }))
    case 'customer.subscriptions':
      return listOf(
        `/v1/customers/${id}/subscriptions`,
        (await unit.find('subscription', { customer: id })).filter(
          (one) => one.status !== 'canceled',
        ),
      )
    case 'invoice.payments':
      return listOf(
        `/v1/invoices/${id}/payments`,
        await unit.find('invoice_payment', { invoice: id }),
      )
    default: {
      const kept = await unit.get(id)
      return kept?.[`_${field}`]
    }
  }
}

async function expandAt(unit: Unit, object: Shown, path: string[], whole: string): Promise<void> {
  const [field, ...rest] = path
  if (field === undefined) return
  let value = object[field]
  if (value === undefined) {
    value = await included(unit, object, field)
    if (value === undefined) {
      throw wrong(`This property cannot be expanded (${whole}).`, 'expand')
    }
    object[field] = presented(value as object)
  } else if (typeof value === 'string') {
    const found = await unit.get(value)
    if (found) object[field] = presented(found)
  }
  value = object[field]
  const next = Array.isArray(value) ? value : [value]
  for (const entry of next) if (isShown(entry)) await expandAt(unit, entry, rest, whole)
}

/** Replaces ids by the objects that they stand for, along paths such as `data.latest_invoice.payments`. */
export async function expand(unit: Unit, answer: object, paths: string[]): Promise<object> {
  const shown = presented(answer)
  // A path goes four levels deep; what is asked for first is there for what is asked below it.
  for (const path of paths.toSorted((a, b) => a.length - b.length)) {
    await expandAt(unit, shown as Shown, path.split('.').slice(0, 6), path)
  }
  return shown
}
