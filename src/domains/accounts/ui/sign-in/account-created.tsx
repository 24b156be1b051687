import { useEffect, useRef } from 'react'
import { Banner } from '../../../../ui/banner.tsx'
import { ButtonLink } from '../../../../ui/button.tsx'
import { useHydrated } from '../../../../ui/use-hydrated.ts'
import { ResendConfirmation } from './resend-confirmation.tsx'

/** Milliseconds in which the message can be read before the next page comes by itself. */
const readingTime = 3000

type AccountCreatedProps = {
  email: string
  /** False while the address has to be confirmed first. */
  loggedIn: boolean
  /** The page to go on to. */
  to: string
}

/** Said when the server has made the account, and not before. */
export function AccountCreated({ email, loggedIn, to }: AccountCreatedProps) {
  const message = useRef<HTMLDivElement>(null)
  const hydrated = useHydrated()

  useEffect(() => {
    // The button that was pressed is disabled now, so the keyboard would be nowhere.
    message.current?.focus()
    if (!loggedIn) return
    // A full load, as after every change of who this is.
    const timer = setTimeout(() => location.replace(to), readingTime)
    return () => clearTimeout(timer)
  }, [loggedIn, to])

  return (
    <div ref={message} tabIndex={-1} className="grid gap-4 rounded-card outline-offset-4">
      {loggedIn ? (
        <Banner
          tone="success"
          title="Account created successfully!"
          action={
            <ButtonLink to={to} reloadDocument replace size="sm">
              Continue
            </ButtonLink>
          }
        >
          You are logged in.{hydrated && ' The next page opens by itself.'}
        </Banner>
      ) : (
        <>
          <Banner tone="success" title="Account created successfully!">
            Please check your email and click the confirmation link to activate your account.
          </Banner>
          <ResendConfirmation email={email} to={to} />
        </>
      )}
    </div>
  )
}
