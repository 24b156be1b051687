import { useState } from 'react'
import { useLocation, useSearchParams } from 'react-router'
import { Banner } from '../../../ui/banner.tsx'
import { usePlainAddress } from '../../../web/use-plain-address.ts'
import type { PayoutSetup } from '../schema.ts'
import { OnboardingButton } from './onboarding-button.tsx'

/** Milliseconds for which a notice shows, as after the payment page. */
const noticeTime = 5000

/** What came of the provider's own pages that one returns from; what is still missing, the card says. */
export function OnboardingBanner({ standing }: { standing: PayoutSetup['standing'] }) {
  const [query] = useSearchParams()
  const { pathname, hash } = useLocation()
  const said = query.get('onboarding')
  const [isAgain] = useState(said === 'again')
  const isDone = said === 'done'

  // The address is cleaned at once where the banner has something to press, which stays.
  usePlainAddress({ pathname, hash }, isDone ? noticeTime : said === 'again' ? 0 : null)

  if (isDone) {
    return standing === 'ready' ? (
      <Banner tone="success" title="You are all set">
        The payment provider knows all that it needs. You can be paid now.
      </Banner>
    ) : (
      <Banner title="Thank you">
        The payment provider looks at what you told it. Where it stands, you see below.
      </Banner>
    )
  }
  if (!isAgain || standing === 'ready') return null
  return (
    <Banner
      tone="warning"
      title="That link has run out"
      action={<OnboardingButton label="Continue" />}
    >
      What you told the payment provider is kept. Go on with a new link.
    </Banner>
  )
}
