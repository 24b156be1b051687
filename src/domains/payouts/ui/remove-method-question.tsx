import type { BillingQuestion } from '../../billing/ui/billing-questions.tsx'

export const removeMethodQuestion: BillingQuestion = {
  page: '/payments/remove',
  title: 'Remove your payout method?',
  text: (
    <ul className="grid list-disc gap-2 pl-5 text-pretty text-muted marker:text-edge">
      <li>Nothing is paid out until you set one up again.</li>
      <li>What you earned stays yours, and sales go on.</li>
      <li>
        We forget the bank account, card or PayPal address; Stripe keeps a bank account or card
        until you give it another.
      </li>
    </ul>
  ),
  stay: 'Keep It',
  go: 'Remove',
  going: 'Removing...',
  tone: 'danger',
}
