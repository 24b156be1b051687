import { Building2, KeyRound, LogIn, Mail } from 'lucide-react'
import { Banner } from '../../../../ui/banner.tsx'
import { Button, ButtonLink } from '../../../../ui/button.tsx'
import type { SignInWays } from '../../schema.ts'
import type { usePasskey } from './use-passkey.ts'

type OtherWaysProps = {
  ways: SignInWays
  passkey: ReturnType<typeof usePasskey>
  /** The page to come back to. */
  to: string
}

/** What works beside a password. */
export function OtherWays({ ways, passkey, to }: OtherWaysProps) {
  const search = `?to=${encodeURIComponent(to)}`
  return (
    <section aria-label="Other ways to log in" className="mt-6 grid gap-3">
      <p aria-hidden className="flex items-center gap-3 text-sm text-muted">
        <span className="flex-1 border-t" /> or <span className="flex-1 border-t" />
      </p>
      {passkey.problem && <Banner tone="danger">{passkey.problem}</Banner>}
      {passkey.available === undefined && (
        // Keeps the place: a link that moves away under the finger is not followed.
        <div className="min-h-11 noscript:hidden" />
      )}
      {passkey.available && (
        <Button
          variant="secondary"
          onClick={passkey.logIn}
          busy={passkey.busy}
          busyText="Waiting for your passkey..."
        >
          <KeyRound size={18} aria-hidden /> Log in with a passkey
        </Button>
      )}
      <ButtonLink to={`/login/link${search}`} variant="secondary">
        <Mail size={18} aria-hidden /> Email me a link
      </ButtonLink>
      {ways.providers.map(({ id, name }) => (
        // A full load: the way leads through another site.
        <ButtonLink key={id} to={`/login/with/${id}${search}`} reloadDocument variant="secondary">
          <LogIn size={18} aria-hidden /> Continue with {name}
        </ButtonLink>
      ))}
      {ways.sso && (
        <ButtonLink to={`/login/sso${search}`} variant="secondary">
          <Building2 size={18} aria-hidden /> Log in with SSO
        </ButtonLink>
      )}
    </section>
  )
}
