import { useLoaderData } from 'react-router'
import { Banner } from '../../../ui/banner.tsx'
import { useHydrated } from '../../../ui/use-hydrated.ts'
import { ProofProvider } from '../../accounts/ui/security/proof.tsx'
import type { loader } from '../../accounts/ui/settings.tsx'
import { WebhooksSection } from '../../webhooks/ui/webhooks-section.tsx'
import { AccessTokens } from './access-tokens.tsx'

/** What connects programs to an account, a section for each way. */
export function DevelopersTab() {
  const { security, tokens } = useLoaderData<typeof loader>()
  const hydrated = useHydrated()
  return (
    <ProofProvider hasPassword={security.hasPassword} tab="developers">
      <noscript>
        <Banner>What connects programs to your account needs JavaScript.</Banner>
      </noscript>
      <div inert={!hydrated} className="grid grid-cols-1 gap-6">
        <AccessTokens {...tokens} />
        <WebhooksSection />
      </div>
    </ProofProvider>
  )
}
