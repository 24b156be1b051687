// The fields of the form for a new coupon, as somebody typed them.

const names = ['code', 'kind', 'off', 'starts', 'ends', 'maxRedemptions', 'maxPerPerson'] as const
export type CouponFieldName = (typeof names)[number]

export type CouponFields = Record<CouponFieldName, string>
export type CouponProblems = Partial<Record<CouponFieldName, string>>

export const emptyCoupon: CouponFields = {
  code: '',
  kind: 'percent',
  off: '20',
  starts: '',
  ends: '',
  maxRedemptions: '',
  maxPerPerson: '1',
}

export function fieldsOf(form: FormData): CouponFields {
  const text = (name: CouponFieldName) => {
    const value = form.get(name)
    return typeof value === 'string' ? value.trim() : ''
  }
  return Object.fromEntries(names.map((name) => [name, text(name)])) as CouponFields
}
