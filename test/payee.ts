// A creator who is paid, and sales of that creator, for tests: through the API and the sandbox.
import { eq } from 'drizzle-orm'
import { courses } from '../src/domains/courses/tables.ts'
import { ledgerAccounts } from '../src/domains/ledger/tables.ts'
import { payments } from '../src/domains/payments/tables.ts'
import { connectedAccounts } from '../src/domains/payouts/tables.ts'
import type { TestApp } from './app.ts'
import { makeCourse, makePerson, sessionCookieOf } from './factories.ts'
import { payHere, releaseFunds, setAccount, tokenize } from './sandbox.ts'
import { settled } from './settled.ts'

export async function makeSeller(app: TestApp, priceAmount = 2900) {
  const person = await makePerson(app.services)
  const course = await makeCourse(app.services, person)
  await app.services.db
    .update(courses)
    .set({ pricingType: 'one_time', priceAmount })
    .where(eq(courses.id, course.id))
  return { ...person, cookie: await sessionCookieOf(app.services, person.id), course }
}
export type Seller = Awaited<ReturnType<typeof makeSeller>>

export async function accountOf(app: TestApp, { id }: { id: string }): Promise<string> {
  const [account] = await app.services.db
    .select({ id: ledgerAccounts.id })
    .from(ledgerAccounts)
    .where(eq(ledgerAccounts.userId, id))
  return account!.id
}

const payee = { accountType: 'individual', firstName: 'Cleo', lastName: 'Creator' }

/** A bank account that the provider pays out to; `number` 000111111116 sends everything back. */
export async function setUpBank(app: TestApp, seller: Seller, number = '000123456789') {
  const token = await tokenize(app, {
    bank_account: { routing_number: '110000000', account_number: number },
  })
  const { status, body } = await app.request('/rest/v1/payout-setup', {
    method: 'PUT',
    cookie: seller.cookie,
    body: { method: 'bank_account', ...payee, bankName: 'A bank', token },
  })
  if (status !== 200) throw new Error(JSON.stringify(body))
  const [connected] = await app.services.db
    .select({ id: connectedAccounts.id })
    .from(connectedAccounts)
    .where(eq(connectedAccounts.ledgerAccountId, await accountOf(app, seller)))
  await setAccount(app, connected!.id, 'enabled')
  await settled(app)
  return connected!.id
}

export async function setUpPaypal(app: TestApp, seller: Seller, paypalEmail: string) {
  const { status, body } = await app.request('/rest/v1/payout-setup', {
    method: 'PUT',
    cookie: seller.cookie,
    body: { method: 'paypal', ...payee, paypalEmail },
  })
  if (status !== 200) throw new Error(JSON.stringify(body))
}

/** Somebody buys the course; answers with the charge. */
export async function sell(app: TestApp, { course }: Seller, { isReleased = true } = {}) {
  const buyer = await makePerson(app.services)
  const cookie = await sessionCookieOf(app.services, buyer.id)
  const { body } = await app.request('/functions/v1/course-checkout', {
    body: { course_id: course.id },
    cookie,
  })
  await payHere(app, body.url)
  await settled(app)
  const [payment] = await app.services.db
    .select()
    .from(payments)
    .where(eq(payments.payerId, buyer.id))
  if (isReleased) {
    await releaseFunds(app, payment!.chargeId)
    await settled(app)
  }
  return payment!
}
