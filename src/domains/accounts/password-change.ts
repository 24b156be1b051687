// Changing the password (spec 2, section 5), for the form and for the page without JavaScript.
import { limits, readSignUp } from './rules.ts'

export interface PasswordChange {
  current: string
  next: string
  confirm: string
}

const trimmed = (value: unknown) => readSignUp({ password: value }).password

/** The fields of the form, trimmed. */
export const readPasswordChange = (form: Record<string, unknown>): PasswordChange => ({
  current: trimmed(form.currentPassword),
  next: trimmed(form.newPassword),
  confirm: trimmed(form.confirmPassword),
})

export const isFilled = ({ current, next, confirm }: PasswordChange) =>
  current !== '' && next !== '' && confirm !== ''

/** The first rule that is broken, or null; whether the current one is right is the server's to say. */
export function passwordChangeProblem(change: PasswordChange): string | null {
  if (!isFilled(change)) return 'Please fill in all three fields'
  if (change.next !== change.confirm) return 'New passwords do not match'
  if (change.next.length < 6) return 'New password must be at least 6 characters long'
  if (change.next.length > limits.password) {
    return `New password can have at most ${limits.password} characters`
  }
  return null
}
