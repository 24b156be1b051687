// Addresses of receipts and of invoices' files lead somewhere for a while only; who asks for the object gets new ones.
import type Stripe from 'stripe'
import type { Unit } from './store.ts'

/** Seconds, as at Stripe. */
const lastsFor = 30 * 24 * 60 * 60

export const lastingLink = (unit: Unit, path: string, from: number) =>
  unit.address(`${path}?until=${from + lastsFor}`)

type Linked = Stripe.Charge | Stripe.Invoice

const customerOf = ({ customer }: Linked) => customer as string | null

/** The same, with addresses that begin to last now. */
export async function withNewLinks<T extends Linked>(unit: Unit, object: T): Promise<T> {
  const now = await unit.now(customerOf(object))
  if (object.object === 'charge') {
    return object.receipt_url === null
      ? object
      : { ...object, receipt_url: lastingLink(unit, `/receipts/${object.id}`, now) }
  }
  return { ...object, invoice_pdf: lastingLink(unit, `/i/${object.id}/pdf`, now) }
}

/** Of an address that somebody opened; the sandbox's own pages say no `until`. */
export async function isWornOut(unit: Unit, object: Linked, until: string | undefined) {
  return until !== undefined && Number(until) < (await unit.now(customerOf(object)))
}
