import type { CoursePage } from '../../courses/schema.ts'

type Terms = Pick<CoursePage, 'applicationRequired' | 'application' | 'purchase' | 'pricingType'>

/** How a signed-in person comes into a course: at once, or by an application first. */
export function wayIn({
  applicationRequired,
  application,
  purchase,
}: Terms): 'join' | 'comeBack' | 'apply' | 'applyAgain' | 'pending' {
  if (purchase) return 'comeBack'
  if (!applicationRequired) return 'join'
  switch (application?.status) {
    case 'approved':
      return 'join'
    case 'pending':
      return 'pending'
    case 'rejected':
      return 'applyAgain'
    default:
      return 'apply'
  }
}

/** Whether joining leads to the payment page. Who has bought the course does not pay again. */
export const hasToPay = ({ pricingType, purchase }: Terms) => pricingType !== 'free' && !purchase
