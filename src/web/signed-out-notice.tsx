import { signedOutWords } from '../domains/courses/ui/call-problem.ts'
import { Banner } from '../ui/banner.tsx'
import { ButtonLink } from '../ui/button.tsx'
import { useSignedOut } from './signed-out.ts'

type SignedOutNoticeProps = { className?: string; words?: string }

/** In the place of the way to /login, where that would take what somebody has written. Dialogs have one of their own. */
export function SignedOutNotice({ className, words = signedOutWords }: SignedOutNoticeProps) {
  if (!useSignedOut()) return null
  return (
    <Banner
      tone="danger"
      className={className}
      action={
        // The page that waits here is not opened a second time beside itself.
        <ButtonLink to="/login?to=%2Fdashboard" target="_blank" variant="secondary" size="sm">
          Log In
        </ButtonLink>
      }
    >
      {words}
    </Banner>
  )
}
