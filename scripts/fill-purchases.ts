// People who pay, for the pictures of what they see: the seller of two courses, and how her buyers stand.
import { paragraph } from './paragraph.ts'

type Buyer = 'subscriber' | 'debtor' | 'canceler'
export type Payer = 'seller' | Buyer

/** What is read of the answers. */
interface Answer {
  id: string
  slug: string
  contentVersion: number
  url: string
  purchases: { id: string }[]
}

interface Market {
  /** One call of the API, as this person. */
  call: (as: Payer, method: string, path: string, body?: unknown) => Promise<Answer>
  inDatabase: (statement: string, values?: unknown[]) => Promise<void>
}

const names: Record<Payer, string> = {
  seller: 'Salma Seller',
  subscriber: 'Sam Subscriber',
  debtor: 'Dora Debtor',
  canceler: 'Cleo Canceler',
}
const demoMail = (person: string) => `${person}@demo.thunder.example`

/** Everybody with Pro, two courses that cost something, and their buyers; answers what the screens lead to. */
export async function fillPurchases({ call, inDatabase }: Market) {
  for (const [person, name] of Object.entries(names) as [Payer, string][]) {
    const account = { name, email: demoMail(person), password: 'demo1234' }
    await call(person, 'POST', '/auth/v1/sign-up/email', account)
    const plan = person === 'subscriber' ? 'annual' : 'monthly'
    await call(person, 'POST', '/rest/v1/billing/demo-upgrade', { plan })
  }
  await inDatabase("update users set role = 'admin' where email = $1", [demoMail('seller')])

  const sell = async (title: string, price: object) => {
    const described = { title, description: paragraph(`All about ${title}.`), category: 'Cooking' }
    const { id, slug } = await call('seller', 'POST', '/rest/v1/courses', described)
    const { contentVersion } = await call('seller', 'GET', `/rest/v1/courses/${id}/content`)
    const evening = { title: 'The first evening', content: paragraph('Flour, water, salt.') }
    const lessons = [{ ...evening, isPreview: true }]
    const chapters = [{ title: 'The dough', lessons }]
    await call('seller', 'PUT', `/rest/v1/courses/${id}/content`, { contentVersion, chapters })
    await call('seller', 'POST', `/rest/v1/courses/${id}/publish`)
    await call('seller', 'PATCH', `/rest/v1/courses/${id}`, price)
    return { id, slug }
  }
  const monthly = await sell('Sourdough by the Month', { pricingType: 'monthly', priceAmount: 900 })
  const oneTime = await sell('Croissants for Good', { pricingType: 'one_time', priceAmount: 4900 })

  const startPaying = async (as: Payer, course: { id: string }): Promise<string> => {
    const order = { course_id: course.id }
    return (await call(as, 'POST', '/functions/v1/course-checkout', order)).url
  }
  const buy = async (as: Buyer, course: { id: string; slug: string }) => {
    const form = new URLSearchParams({
      email: demoMail(as),
      number: '4242 4242 4242 4242',
      expiry: '12/40',
      cvc: '123',
      name: names[as],
    })
    const page = await startPaying(as, course)
    const paid = await fetch(page, { method: 'POST', body: form, redirect: 'manual' })
    if (paid.status !== 303) throw new Error(`The payment page answered ${paid.status}`)
    // As the page does to which one returns: it asks the provider.
    await call(as, 'GET', `/rest/v1/courses/${course.slug}/checkout`)
  }
  await buy('subscriber', monthly)
  await buy('subscriber', oneTime)
  await buy('debtor', monthly)
  await buy('canceler', monthly)

  const { purchases } = await call('canceler', 'GET', '/rest/v1/billing')
  const purchaseId = purchases[0]!.id
  await call('canceler', 'POST', `/rest/v1/purchases/${purchaseId}/cancel`)
  await call('canceler', 'POST', '/rest/v1/billing/subscription/cancel')

  const coupons = `/rest/v1/courses/${oneTime.id}/coupons`
  const spring = { code: 'SPRING25', percentOff: 25, maxRedemptions: 100 }
  await call('seller', 'POST', coupons, spring)
  const friends = { code: 'FRIENDS-OF-BREAD', amountOff: 1000, endsAt: '2040-12-31T23:00:00Z' }
  await call('seller', 'POST', coupons, friends)
  const { pathname: paymentPage } = new URL(await startPaying('canceler', oneTime))
  return { monthly, oneTime, purchaseId, paymentPage }
}

/** As if the last payments of this person had failed. */
export async function missPayments({ inDatabase }: Pick<Market, 'inDatabase'>, person: Buyer) {
  for (const table of ['plan_subscriptions', 'purchases']) {
    await inDatabase(
      `update ${table} set status = 'past_due'
        where user_id = (select id from users where email = $1)`,
      [demoMail(person)],
    )
  }
}
