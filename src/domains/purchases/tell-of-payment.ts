import { eq } from 'drizzle-orm'
import { quoted } from '../../isolated.ts'
import type { Transaction } from '../../server/db.ts'
import { publishToPerson } from '../../server/publish.ts'
import { courses } from '../courses/tables.ts'
import { ledgerAccounts } from '../ledger/tables.ts'
import { notify } from '../notifications/notify.ts'
import type { Notice } from '../notifications/tell-people.ts'
import { inTestMode } from '../payments/payment-mode.ts'
import type { RecordedCharge } from '../payments/record-charge.ts'
import { payments } from '../payments/tables.ts'
import { testMark } from '../payments/test-mode.ts'
import type { WebhookEventType } from '../webhooks/events.ts'
import { keepEvent } from '../webhooks/keep-event.ts'
import { amountLabel } from './amount-label.ts'

/** Where receipts are. */
const receipts = '/billing#purchases'

/**
 * Tells who paid, and the creator, what `recordCharge` found to be new; nothing when nothing was. Nobody is
 * named: notices stay when the other one deletes the account. Where there are two, the caller holds them.
 */
export async function tellOfPayment(
  transaction: Transaction,
  recorded: RecordedCharge,
): Promise<void> {
  const { isNew, newlyRefunded, cameBack, dispute, disputeChanged, isChanged } = recorded
  if (!isChanged) return
  const facts = await factsOf(transaction, recorded.paymentId)
  if (isNew) await tellOfReceipt(transaction, facts)
  if (newlyRefunded > 0) await tellOfRefund(transaction, facts, recorded)
  if (cameBack > 0) await tellOfReturn(transaction, facts, cameBack)
  if (disputeChanged && dispute) await tellOfDispute(transaction, facts, dispute)
  if (facts.creatorId) await publishToPerson(transaction, facts.creatorId, { type: 'earnings' })
}

/** The same of what was refused: who paid for it knows that it is paid back, but not that this did not work. */
export async function tellOfRefused(
  transaction: Transaction,
  { paymentId, cameBack }: RecordedCharge,
): Promise<void> {
  if (cameBack > 0) await tellOfReturn(transaction, await factsOf(transaction, paymentId), cameBack)
}

type Facts = Awaited<ReturnType<typeof factsOf>>

async function factsOf(transaction: Transaction, paymentId: string) {
  const [found] = await transaction
    .select({
      payment: payments,
      creatorId: ledgerAccounts.userId,
      slug: courses.slug,
      isTest: inTestMode,
    })
    .from(payments)
    .leftJoin(ledgerAccounts, eq(ledgerAccounts.id, payments.creatorAccountId))
    .leftJoin(courses, eq(courses.id, payments.courseId))
    .where(eq(payments.id, paymentId))
  const { kind, description, currency } = found!.payment
  return {
    ...found!,
    what: kind === 'course' ? quoted(description) : description,
    money: (amount: number) => amountLabel(amount, currency),
    mark: testMark(found!.isTest),
  }
}

/** Nobody of a payment for a plan, nor in place of who has left. */
async function tell(transaction: Transaction, userId: string | null, notice: Notice) {
  // Stryker disable next-line ConditionalExpression: nobody is found to tell
  if (userId) await notify(transaction, { userId, ...notice })
}

async function tellOfReceipt(
  transaction: Transaction,
  { payment, creatorId, slug, what, money, mark }: Facts,
): Promise<void> {
  const { payerId, gross, feePercent, platformFee, providerFee } = payment
  await tell(transaction, payerId, {
    kind: 'payment_received',
    title: 'Payment Received',
    message: `Thank you! You paid ${money(gross)} for ${what}.${mark}`,
    href: payment.kind === 'plan' ? '/billing' : receipts,
  })
  await keepSale(transaction, 'sale.completed', payment)
  const ours = platformFee === 0 ? '' : `our fee of ${money(platformFee)} (${feePercent}%) and `
  await tell(transaction, creatorId, {
    kind: 'sale_made',
    title: 'You Made a Sale',
    // Only the first payment comes by a checkout.
    message: `${payment.checkoutId ? `Somebody bought ${what}` : `Another month of ${what} was paid`} for ${money(gross)}. After ${ours}the card fee of ${money(providerFee)}, ${money(gross - platformFee - providerFee)} are yours.${mark}`,
    href: slug ? `/course/${slug}/dashboard` : undefined,
  })
}

async function tellOfRefund(
  transaction: Transaction,
  { payment, creatorId, slug, what, money, mark }: Facts,
  { newlyRefunded, refundedInFull }: RecordedCharge,
): Promise<void> {
  const amount = money(newlyRefunded)
  const part = refundedInFull ? '' : ` of ${money(payment.gross)}`
  await tell(transaction, payment.payerId, {
    kind: 'payment_refunded',
    title: 'Payment Refunded',
    message: `${amount}${part} that you paid for ${what} were paid back. It can take some days until your card shows it.${mark}`,
    href: payment.kind === 'plan' ? '/billing' : receipts,
  })
  const refund = { amount: newlyRefunded, inFull: refundedInFull }
  await keepSale(transaction, 'sale.refunded', payment, { refund })
  const fee =
    payment.platformFee === 0
      ? 'The card fee is not given back.'
      : 'Our fee is given back in proportion, the card fee is not.'
  await tell(transaction, creatorId, {
    kind: 'sale_refunded',
    title: 'A Sale Was Refunded',
    message: `${amount}${part} that somebody paid for ${what} were paid back. ${fee}${mark}`,
    href: slug ? `/course/${slug}/dashboard` : undefined,
  })
}

/** A bank did not take what was paid back. What is over by the refund stays so: somebody had wished it. */
async function tellOfReturn(
  transaction: Transaction,
  { payment, creatorId, what, money, mark }: Facts,
  cameBack: number,
): Promise<void> {
  await keepSale(transaction, 'sale.refund_failed', payment, { refund: { amount: cameBack } })
  const amount = money(cameBack)
  await tell(transaction, payment.payerId, {
    kind: 'payment_not_refunded',
    title: 'Your Refund Did Not Arrive',
    message: `${amount} that were paid back to you for ${what} did not arrive, and are with us again. Please write to us: we find another way to pay you.${mark}`,
    href: '/support?topic=payments',
  })
  const fee = payment.platformFee === 0 ? '' : ', less our fee in proportion'
  await tell(transaction, creatorId, {
    kind: 'refund_refused',
    title: 'A Refund Did Not Arrive',
    message: `${amount} that were paid back for ${what} did not arrive, and are in your balance again${fee}. You can try once more to pay the sale back. What the refund ended stays ended.${mark}`,
    href: '/payments',
  })
}

type SaleEvent = Extract<WebhookEventType, `sale.${string}`>

async function keepSale(
  transaction: Transaction,
  type: SaleEvent,
  { id, courseId, payerId, gross, currency }: Facts['payment'],
  more: object = {},
): Promise<void> {
  // Stryker disable next-line ConditionalExpression: a course that is gone has no endpoints
  if (!courseId) return
  const sale = { id, amount: gross, currency }
  await keepEvent(transaction, { type, courseId, personId: payerId, more: { sale, ...more } })
}

const disputeWords = {
  open: (what: string) => ({
    title: 'A Payment Is Disputed',
    message: `Somebody asked the bank to take back a payment for ${what}. Until the bank decides, the amount and the bank’s fee are taken from your balance.`,
  }),
  won: (what: string) => ({
    title: 'A Dispute Was Won',
    message: `The bank decided for you: the disputed payment for ${what} is yours again, and of the fee what was given back.`,
  }),
  lost: (what: string) => ({
    title: 'A Dispute Was Lost',
    message: `The bank decided for the buyer: the disputed payment for ${what} is lost, and the access that it paid for has ended.`,
  }),
}

async function tellOfDispute(
  transaction: Transaction,
  { payment, creatorId, slug, what, mark }: Facts,
  dispute: NonNullable<RecordedCharge['dispute']>,
): Promise<void> {
  await keepSale(transaction, 'sale.disputed', payment, { dispute: { status: dispute } })
  const { title, message } = disputeWords[dispute](what)
  await tell(transaction, creatorId, {
    kind: 'sale_disputed',
    title,
    message: message + mark,
    href: slug ? `/course/${slug}/dashboard` : undefined,
  })
}
