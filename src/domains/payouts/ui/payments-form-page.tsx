import type { ReactNode } from 'react'
import { Banner } from '../../../ui/banner.tsx'
import { ButtonLink } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import type { BillingAnswer } from '../../billing/ui/billing-answer.ts'

type PaymentsFormPageProps = {
  title: string
  description?: string
  answer: BillingAnswer | undefined
  /** In place of the form, where there is nothing to ask for. */
  instead?: ReactNode
  children: ReactNode
}

/** What a dialog of /payments asks, as a page of its own. */
export function PaymentsFormPage(props: PaymentsFormPageProps) {
  const { title, description, answer, instead, children } = props
  return (
    <div className="page-width grid max-w-[40rem] grid-cols-1 gap-8 py-8 lg:py-12">
      <PageHeader
        back={{ to: '/payments', label: 'Back to Payments' }}
        title={title}
        description={description}
      />
      {answer && 'done' in answer ? (
        <Banner
          tone="success"
          action={
            <ButtonLink to="/payments" variant="secondary" size="sm">
              Payments
            </ButtonLink>
          }
        >
          {answer.done}
        </Banner>
      ) : (
        (instead ?? <Card>{children}</Card>)
      )}
    </div>
  )
}
