import { useLoaderData } from 'react-router'
import { Banner } from '../../../../ui/banner.tsx'
import { useHydrated } from '../../../../ui/use-hydrated.ts'
import type { loader } from '../settings.tsx'
import { DeleteAccountCard } from './delete-account.tsx'
import { EmailSetting } from './email-setting.tsx'
import { IdentitiesSetting } from './identities-setting.tsx'
import { PasskeysSetting } from './passkeys-setting.tsx'
import { PasswordSetting } from './password-setting.tsx'
import { ProofProvider } from './proof.tsx'
import { SessionsSetting } from './sessions-setting.tsx'
import { TwoStepSetting } from './two-step-setting.tsx'
import { YourDataCard } from './your-data.tsx'

/** Everything that protects an account, and where it is open. */
export function SecurityTab() {
  const { security } = useLoaderData<typeof loader>()
  const hydrated = useHydrated()
  return (
    <ProofProvider hasPassword={security.hasPassword}>
      <PasswordSetting {...security} />
      <noscript>
        <Banner>
          Two-step verification, passkeys, sessions and the email address need JavaScript.
        </Banner>
      </noscript>
      <div inert={!hydrated} className="grid grid-cols-1 gap-6">
        <TwoStepSetting {...security} />
        <PasskeysSetting {...security} />
        <IdentitiesSetting {...security} />
        <SessionsSetting {...security} />
        <EmailSetting {...security} />
      </div>
      <YourDataCard />
      <DeleteAccountCard />
    </ProofProvider>
  )
}
