import { eq, sql } from 'drizzle-orm'
import { type PersonalData, personalTable } from '../../server/personal-data.ts'
import { enqueue } from '../../server/jobs.ts'
import {
  checkouts,
  couponRedemptions,
  paymentCustomers,
  paymentDisputes,
  paymentEvents,
  paymentProvider,
  paymentRefunds,
  payments,
} from './tables.ts'

const alwaysYou = { withheld: 'always you' } as const
const internal = { withheld: 'means nothing outside this database' } as const
const ofPayment = { withheld: 'is in the payment that it belongs to' } as const

const paidBy = (userId: string) =>
  sql`payment_id in (select p.id from payments p where p.payer_id = ${userId})`

export const paymentsData: PersonalData = {
  tables: {
    paymentCustomers: personalTable(paymentCustomers, {
      about: 'Under which name the payment provider knows you.',
      rowsOf: ({ id }) => eq(paymentCustomers.userId, id),
      columns: { id: 'exported', userId: alwaysYou, createdAt: 'exported' },
      onDeletion: 'anonymised',
    }),
    checkouts: personalTable(checkouts, {
      about: 'The payment pages that you were sent to. Amounts are in minor units, such as cents.',
      rowsOf: ({ id }) => eq(checkouts.userId, id),
      columns: {
        id: 'exported',
        userId: alwaysYou,
        kind: 'exported',
        courseId: 'exported',
        plan: 'exported',
        pricingType: 'exported',
        amount: 'exported',
        currency: 'exported',
        couponId: 'exported',
        invitationId: 'exported',
        successUrl: internal,
        cancelUrl: internal,
        status: 'exported',
        sessionId: internal,
        url: { withheld: 'a page on which can be paid in your name' },
        expiresAt: 'exported',
        createdAt: 'exported',
      },
      onDeletion: 'anonymised',
    }),
    couponRedemptions: personalTable(couponRedemptions, {
      about: 'The coupons that you used.',
      rowsOf: ({ id }) => eq(couponRedemptions.userId, id),
      columns: {
        id: internal,
        couponId: internal,
        userId: alwaysYou,
        checkoutId: 'exported',
        purchaseId: 'exported',
        createdAt: 'exported',
      },
      also: {
        code: sql`(select c.code from coupons c where c.id = coupon_redemptions.coupon_id)`,
      },
      onDeletion: 'anonymised',
    }),
    payments: personalTable(payments, {
      about: 'What you paid. Amounts are in minor units, such as cents.',
      rowsOf: ({ id }) => eq(payments.payerId, id),
      columns: {
        id: 'exported',
        chargeId: 'exported',
        kind: 'exported',
        checkoutId: 'exported',
        purchaseId: 'exported',
        subscriptionId: 'exported',
        payerId: alwaysYou,
        creatorAccountId: internal,
        courseId: 'exported',
        description: 'exported',
        currency: 'exported',
        gross: 'exported',
        feePercent: { withheld: 'between the creator of the course and the site' },
        platformFee: { withheld: 'between the creator of the course and the site' },
        providerFee: { withheld: 'between the creator of the course and the site' },
        refunded: 'exported',
        dispute: 'exported',
        invoiceId: 'exported',
        receiptUrl: 'exported',
        invoicePdf: 'exported',
        paidAt: 'exported',
        availableAt: { withheld: 'between the creator of the course and the site' },
        createdAt: 'exported',
      },
      onDeletion: 'anonymised',
    }),
    paymentRefunds: personalTable(paymentRefunds, {
      about: 'What was paid back to you.',
      rowsOf: ({ id }) => paidBy(id),
      columns: {
        id: 'exported',
        paymentId: 'exported',
        amount: 'exported',
        platformFee: { withheld: 'between the creator of the course and the site' },
        status: 'exported',
        createdAt: 'exported',
      },
      onDeletion: 'anonymised',
    }),
    paymentDisputes: personalTable(paymentDisputes, {
      about: 'Payments that you asked your bank to take back.',
      rowsOf: ({ id }) => paidBy(id),
      columns: {
        id: 'exported',
        paymentId: 'exported',
        amount: 'exported',
        fee: ofPayment,
        platformFee: { withheld: 'between the creator of the course and the site' },
        status: 'exported',
        createdAt: 'exported',
      },
      onDeletion: 'anonymised',
    }),
    paymentEvents: personalTable(paymentEvents, {
      about: 'What the payment provider told us about you, kept for a while.',
      rowsOf: ({ id }) =>
        sql`customer_id in (select c.id from payment_customers c where c.user_id = ${id})`,
      columns: {
        id: 'exported',
        type: 'exported',
        objectId: 'exported',
        customerId: 'exported',
        occurredAt: 'exported',
        source: internal,
        deliveries: internal,
        status: internal,
        outcome: 'exported',
        attempts: internal,
        receivedAt: 'exported',
        appliedAt: 'exported',
      },
      onDeletion: 'anonymised',
    }),
  },
  aboutNobody: [{ table: paymentProvider, because: 'whether the payment provider answers' }],

  async leave(transaction, { person }) {
    const isOwn = eq(paymentCustomers.userId, person.id)
    const customers = await transaction
      .select({ id: paymentCustomers.id })
      .from(paymentCustomers)
      .where(isOwn)
    // The provider forgets the person, too, and with that ends whatever was paid regularly.
    for (const { id: customerId } of customers) {
      await enqueue(transaction, 'deleteCustomer', { customerId }, `delete ${customerId}`)
    }
  },
}
