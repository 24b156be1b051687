import { useRouteLoaderData } from 'react-router'
import type { loader } from '../../../root.tsx'
import { Banner } from '../../../ui/banner.tsx'
import { ButtonLink } from '../../../ui/button.tsx'

/** Why no further course can be made, and the way to more. */
export function CourseLimitNotice() {
  const plan = useRouteLoaderData<typeof loader>('root')?.me?.plan
  return (
    <Banner
      tone="warning"
      action={
        <ButtonLink to="/billing" variant="secondary" size="sm">
          Billing
        </ButtonLink>
      }
    >
      {plan === 'pro'
        ? 'You have reached your course creation limit.'
        : 'Free plan users can create up to 1 course. You have reached this limit.'}
    </Banner>
  )
}
