// The fields of the payout form. What checks them comes later (payout-form.ts).

/** What the form asks for, as it was typed. The numbers are in no request of ours. */
export interface PayoutFields {
  method: string
  accountType: string
  firstName: string
  lastName: string
  email: string
  bankName: string
  routingNumber: string
  accountNumber: string
  cardNumber: string
  expiryDate: string
  cvv: string
  paypalEmail: string
}
export type PayoutFieldName = keyof PayoutFields
export type PayoutProblems = Partial<Record<PayoutFieldName, string>>

/** In the order of the form, so that the first of them is the first that is seen. */
export const fieldOrder: PayoutFieldName[] = [
  'method',
  'accountType',
  'firstName',
  'lastName',
  'email',
  'bankName',
  'routingNumber',
  'accountNumber',
  'cardNumber',
  'expiryDate',
  'cvv',
  'paypalEmail',
]
