import { hasMailbox } from './shown-email.ts'
import { type IdentityProvider, identityProviders } from '../../server/auth/identity-providers.ts'
import type { Services } from '../../server/services.ts'
import type { Viewer } from '../../server/viewer.ts'
import { deviceName } from './device-name.ts'
import { liveSessions, outsideIdentities, passkeysOf, protectionOf } from './security-queries.ts'
import { shortAddress } from './short-address.ts'

/** A wallet by its ends, as people recognise it; any other service by its name. */
function identityName(
  identity: { provider: string; accountId: string },
  known: IdentityProvider[],
) {
  if (identity.provider === 'siwe') {
    const wallet = identity.accountId.split(':')[0] ?? ''
    return `Wallet ${wallet.slice(0, 6)}…${wallet.slice(-4)}`
  }
  return known.find(({ id }) => id === identity.provider)?.name ?? identity.provider
}

/** Everything that the person may know about the safety of the own account; null when it is gone. */
export async function mySecurity({ db, config }: Services, viewer: Viewer) {
  const [protection, passkeys, identities, sessions] = await Promise.all([
    protectionOf(db, viewer.id),
    passkeysOf(db, viewer.id),
    outsideIdentities(db, viewer.id),
    liveSessions(db, viewer.id),
  ])
  if (!protection) return null
  const known = identityProviders(config.identityProviders)
  const isCurrent = ({ id }: { id: string }) => id === viewer.sessionId
  return {
    ...protection,
    now: new Date(),
    hasMailbox: hasMailbox(protection.email),
    passkeys: passkeys.map((passkey) => ({ ...passkey, name: passkey.name ?? 'Passkey' })),
    identities: identities.map((identity) => ({
      ...identity,
      name: identityName(identity, known),
    })),
    connectable: known.filter(({ id }) => !identities.some(({ provider }) => provider === id)),
    sessions: [...sessions.filter(isCurrent), ...sessions.filter((one) => !isCurrent(one))].map(
      (session) => ({
        ...session,
        current: isCurrent(session),
        device: deviceName(session.userAgent),
        address: shortAddress(session.address),
      }),
    ),
  }
}
