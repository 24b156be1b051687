import { brand } from '../site/brand.ts'

/** What the accounts write to people, beside the welcome. */
export type AccountMail =
  // These two without the name: whoever typed it may have given somebody else's address.
  | { kind: 'confirm-email'; to: string; url: string }
  | { kind: 'allow-email-change'; to: string; name: string; newEmail: string; url: string }
  | { kind: 'reset-password'; to: string; url: string }
  | { kind: 'login-link'; to: string; url: string }
  | { kind: 'code'; to: string; code: string }
  | {
      kind: 'warning'
      to: string
      name: string
      what: string
      detail?: string
      outlastsReset?: OutlastsReset
    }
  | { kind: 'address-changed'; to: string; name: string }
  | { kind: 'goodbye'; to: string; name: string }

/** What somebody who got in can set up and a new password leaves as it is. */
export type OutlastsReset = 'a way in' | 'the second step' | 'a webhook'

interface MailText {
  subject: string
  heading: string
  code?: string
  paragraphs: string[]
  action?: { label: string; url: string }
  reason: string
}

/** The words of a mail; `appUrl` is the site's address. */
export function mailText(mail: AccountMail, appUrl: string): MailText {
  const ignore = 'If it was not you, ignore this email: nothing changes.'
  switch (mail.kind) {
    case 'confirm-email':
      return {
        subject: 'Confirm your email address',
        heading: 'Is this your address?',
        paragraphs: [
          `Confirm that ${mail.to} is yours, and it can be used to log in at ${brand.name}.`,
          'The link is good for 24 hours.',
        ],
        action: { label: 'Confirm my email address', url: mail.url },
        reason: `Somebody gave this address at ${appUrl}. ${ignore}`,
      }
    case 'allow-email-change':
      return {
        subject: 'Allow a new email address for your account',
        heading: 'Change your email address?',
        paragraphs: [
          `Hello ${mail.name}, you asked to log in with ${mail.newEmail} from now on.`,
          'Allow it here, then confirm it from the new mailbox. The link is good for 24 hours.',
        ],
        action: { label: 'Allow the change', url: mail.url },
        reason: `Somebody who was logged in to your account at ${appUrl} asked for this. If it was not you, do not follow the link, and change your password.`,
      }
    case 'reset-password':
      return {
        subject: 'Reset your password',
        heading: 'Choose a new password',
        paragraphs: [
          'Follow the link to choose a new password. You will be logged out everywhere.',
          'The link works once, within an hour.',
        ],
        action: { label: 'Reset my password', url: mail.url },
        reason: `Somebody asked for this at ${appUrl}. ${ignore}`,
      }
    case 'login-link':
      return {
        subject: `Your log-in link for ${brand.name}`,
        heading: 'Log in',
        paragraphs: [
          'Follow the link to log in, without a password. It works once, within 10 minutes.',
        ],
        action: { label: 'Log in', url: mail.url },
        reason: `Somebody asked for this at ${appUrl}. ${ignore}`,
      }
    case 'code':
      return {
        subject: `${mail.code} is your ${brand.name} code`,
        heading: 'Your code',
        code: mail.code,
        paragraphs: ['Type this code where you were asked for it. It is good for 10 minutes.'],
        reason: `Somebody asked for this at ${appUrl}. Never tell the code to anybody. ${ignore}`,
      }
    case 'warning':
      return {
        subject: mail.what,
        heading: mail.what,
        paragraphs: [
          `Hello ${mail.name}, this is to let you know. If it was you, all is well.`,
          ...(mail.detail ? [mail.detail] : []),
          'If it was not you, reset your password now: that ends every session and every access token of your account.',
          ...(mail.outlastsReset ? [whatElseToDo[mail.outlastsReset]] : []),
        ],
        action: { label: 'Reset my password', url: `${appUrl}/forgot-password` },
        reason: `You get this email because it is about the safety of your account at ${appUrl}.`,
      }
    case 'address-changed':
      return {
        subject: 'The email address of your account was changed',
        heading: 'The email address of your account was changed',
        paragraphs: [
          `Hello ${mail.name}, your account has another email address from now on. If it was you, all is well.`,
          `If it was not you, write to ${brand.supportEmail} at once.`,
        ],
        reason: `You get this email because this was the address of an account at ${appUrl}. It is the last one.`,
      }
    case 'goodbye':
      return {
        subject: `Your ${brand.name} account is deleted`,
        heading: `Goodbye, ${mail.name}`,
        paragraphs: [
          'Your account is deleted, and you are signed out everywhere. What you chose to leave to the members of your courses no longer carries your name.',
          'This address is free again: you can sign up with it whenever you like, and start from the beginning.',
          `If it was not you who did this, write to ${brand.supportEmail} at once.`,
        ],
        reason: `You get this email because the account with this address was deleted at ${appUrl}. It is the last one.`,
      }
  }
}

const whatElseToDo: Record<OutlastsReset, string> = {
  'a way in':
    'A new password alone does not remove what was added. Then log in, remove it under Account & Security in your settings, and log out everywhere else there.',
  'the second step': `Also write to ${brand.supportEmail} at once. Until we have turned it off, each log-in asks for a code that only they have.`,
  'a webhook':
    'A new password alone does not end it. Then log in, and delete the webhook under Developers in your settings.',
}
