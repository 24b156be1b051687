// Making a passkey (WebAuthn). Loaded when somebody makes one.
import { deviceName } from '../../device-name.ts'
import { deviceRefusal } from '../../passkey-words.ts'
import { canceled } from '../../security-words.ts'
import { type AuthCall, type AuthReply, refused } from './auth-call.ts'

/** What a passkey of this device is called, until its owner has a better idea. */
export const nameOfThisDevice = () => deviceName(navigator.userAgent)

/** Asks this device for a passkey and the server to keep it. */
export async function makePasskey(call: AuthCall, name: string): Promise<AuthReply> {
  const asked = await call('/passkey/generate-register-options')
  if (!asked.ok) return asked
  let credential: Credential | null
  try {
    credential = await navigator.credentials.create({
      publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(
        asked.body as unknown as PublicKeyCredentialCreationOptionsJSON,
      ),
    })
  } catch (error) {
    return refused({ code: '', message: deviceRefusal(error instanceof Error ? error.name : '') })
  }
  if (!(credential instanceof PublicKeyCredential)) return refused(canceled)
  return call('/passkey/verify-registration', { response: credential.toJSON(), name })
}
