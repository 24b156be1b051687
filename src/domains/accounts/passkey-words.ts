/** Of a device that was asked to make a passkey, by the name of its error (WebAuthn, section 5.1.3). */
export function deviceRefusal(name: string): string {
  switch (name) {
    case 'AbortError':
      return ''
    case 'NotAllowedError':
      return 'No passkey was made: it was canceled, or it took too long. Please try again.'
    case 'InvalidStateError':
      return 'This device has a passkey for your account already.'
    case 'ConstraintError':
    case 'NotSupportedError':
      return 'This device cannot make a passkey. Set a screen lock on it, or use another device.'
    case 'SecurityError':
      return 'Passkeys do not work at this address of the site.'
    default:
      return 'Your device could not make a passkey. Please try again.'
  }
}
