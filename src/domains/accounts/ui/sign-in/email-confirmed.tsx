import { Banner } from '../../../../ui/banner.tsx'
import { ButtonLink } from '../../../../ui/button.tsx'
import { AccountPage } from '../account-page.tsx'

const pages = {
  confirmed: {
    title: 'Email confirmed',
    lead: 'Your account is active.',
    said: 'Thank you. Your email address is confirmed.',
  },
  changed: {
    title: 'Email changed',
    lead: 'From now on you log in with your new address.',
    said: 'Your new email address is confirmed.',
  },
}

type Confirmation = keyof typeof pages | 'allowed'

export const isConfirmation = (done: string | null): done is Confirmation =>
  done !== null && (done === 'allowed' || Object.hasOwn(pages, done))

type EmailConfirmedProps = {
  done: Confirmation
  signedIn: boolean
  /** The page that the person wanted. */
  search: string
}

/** After a mailed link was used. Its address does not have the link, so it can be loaded again. */
export function EmailConfirmed({ done, signedIn, search }: EmailConfirmedProps) {
  if (done === 'allowed') {
    return (
      <AccountPage title="One more step" lead="The change is allowed.">
        <Banner title="Now confirm it from the new mailbox.">
          We have sent a link to your new email address. Until you follow it, you log in with the
          old one.
        </Banner>
      </AccountPage>
    )
  }
  const { title, lead, said } = pages[done]
  return (
    <AccountPage title={title} lead={lead}>
      <div className="grid gap-5">
        <Banner tone="success">{said}</Banner>
        <ButtonLink to={signedIn ? '/dashboard' : `/login?${search}`} size="lg">
          {signedIn ? 'Go to your dashboard' : 'Login'}
        </ButtonLink>
      </div>
    </AccountPage>
  )
}
