/** Minor units as people read them in messages: '$29.00'. */
export const amountLabel = (amount: number, currency: string) =>
  (amount / 100).toLocaleString('en-US', { style: 'currency', currency })
