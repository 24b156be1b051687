import { expect, test } from 'vitest'
import { mailPage } from '../../server/mail-page.ts'
import { type AccountMail, mailText } from './account-mails.ts'

const appUrl = 'https://school.example'
const to = 'ann@example.com'
const name = '<b>Ann & "Bo"</b>'
const url = `${appUrl}/confirm-email?token=${'a.b-c_'.repeat(40)}&to=%2Fdashboard`

/** One of each kind: a new kind does not compile until it is here. */
const mails: { [Kind in AccountMail['kind']]: Extract<AccountMail, { kind: Kind }> } = {
  'confirm-email': { kind: 'confirm-email', to, url },
  'allow-email-change': {
    kind: 'allow-email-change',
    to,
    name,
    newEmail: 'new+tag@example.com',
    url,
  },
  'reset-password': { kind: 'reset-password', to, url },
  'login-link': { kind: 'login-link', to, url },
  code: { kind: 'code', to, code: '048213' },
  warning: { kind: 'warning', to, name, what: 'Your password was changed' },
  'address-changed': { kind: 'address-changed', to, name },
  goodbye: { kind: 'goodbye', to, name },
}

const unescaped = (html: string) =>
  html.replace(/&#(\d+);/g, (_whole, code: string) => String.fromCharCode(Number(code)))

test.each(Object.values(mails))('$kind says the same in both forms', (mail) => {
  const { subject, ...content } = mailText(mail, appUrl)
  const { text, html } = mailPage(content)
  expect(subject).toMatch(/\S/)
  expect(subject).not.toMatch(/[\r\n]/)

  const links = [...html.matchAll(/href="([^"]+)"/g)].map(([, link]) => unescaped(link!))
  for (const link of links) {
    expect(text).toContain(link)
    expect(link.startsWith(`${appUrl}/`)).toBe(true)
  }
  // The button, and the address to copy when it does nothing.
  if (content.action) expect(links).toEqual([content.action.url, content.action.url])
  if (content.code) expect([text, html].every((form) => form.includes(content.code!))).toBe(true)

  const words = unescaped(html.replace(/<style>.*?<\/style>/s, '').replace(/<[^>]+>/g, ' '))
  for (const part of [content.heading, ...content.paragraphs, content.reason]) {
    expect(text).toContain(part)
    expect(words).toContain(part)
  }
  expect(html).not.toContain('<b>Ann')
  // Nothing is fetched from anywhere when the mail is opened.
  expect(html).not.toMatch(/<img|src=|@import|url\(/)
})

test.each(['confirm-email', 'reset-password', 'login-link', 'code'] as const)(
  '%s has nothing that a stranger typed: the address may be somebody else’s',
  (kind) => {
    const typed = 'You won: evil.example'
    const mail: AccountMail = Object.assign({ name: typed }, mails[kind])
    const { subject, ...content } = mailText(mail, appUrl)
    expect(subject + JSON.stringify(mailPage(content))).not.toContain(typed)
  },
)

test('a mail’s first sentence is what a list of mails shows of it', () => {
  const { html } = mailPage(mailText(mails['login-link'], appUrl))
  const [, preview] = /<div style="display:none[^>]*>([^&]*)/.exec(html) ?? []
  expect(preview).toBe(mailText(mails['login-link'], appUrl).paragraphs[0])
})

test('a warning that an older version put in the queue is sent as it was', () => {
  expect(mailText(mails.warning, appUrl).paragraphs).toHaveLength(2)
})

test.each(['a way in', 'the second step', 'a webhook'] as const)(
  'a warning says the same in both forms of %s, which a new password leaves',
  (outlastsReset) => {
    const { subject: _, ...content } = mailText({ ...mails.warning, outlastsReset }, appUrl)
    const { text, html } = mailPage(content)
    const words = unescaped(html.replace(/<[^>]+>/g, ' '))
    expect(content.paragraphs).toHaveLength(3)
    for (const paragraph of content.paragraphs) {
      expect(text).toContain(paragraph)
      expect(words).toContain(paragraph)
    }
  },
)

test('what the mails say, as their readers get it', () => {
  const written = Object.values(mails).map((mail) => {
    const { subject, ...content } = mailText(
      { ...mail, name: 'Ann', url: appUrl } as AccountMail,
      appUrl,
    )
    return `${subject}\n\n${mailPage(content).text}`
  })
  expect(written.join('\n-----\n')).toMatchInlineSnapshot(`
    "Confirm your email address

    Is this your address?

    Confirm that ann@example.com is yours, and it can be used to log in at Thunder.

    The link is good for 24 hours.

    Confirm my email address: https://school.example

    -- 
    Somebody gave this address at https://school.example. If it was not you, ignore this email: nothing changes.
    -----
    Allow a new email address for your account

    Change your email address?

    Hello Ann, you asked to log in with new+tag@example.com from now on.

    Allow it here, then confirm it from the new mailbox. The link is good for 24 hours.

    Allow the change: https://school.example

    -- 
    Somebody who was logged in to your account at https://school.example asked for this. If it was not you, do not follow the link, and change your password.
    -----
    Reset your password

    Choose a new password

    Follow the link to choose a new password. You will be logged out everywhere.

    The link works once, within an hour.

    Reset my password: https://school.example

    -- 
    Somebody asked for this at https://school.example. If it was not you, ignore this email: nothing changes.
    -----
    Your log-in link for Thunder

    Log in

    Follow the link to log in, without a password. It works once, within 10 minutes.

    Log in: https://school.example

    -- 
    Somebody asked for this at https://school.example. If it was not you, ignore this email: nothing changes.
    -----
    048213 is your Thunder code

    Your code

    048213

    Type this code where you were asked for it. It is good for 10 minutes.

    -- 
    Somebody asked for this at https://school.example. Never tell the code to anybody. If it was not you, ignore this email: nothing changes.
    -----
    Your password was changed

    Your password was changed

    Hello Ann, this is to let you know. If it was you, all is well.

    If it was not you, reset your password now: that ends every session and every access token of your account.

    Reset my password: https://school.example/forgot-password

    -- 
    You get this email because it is about the safety of your account at https://school.example.
    -----
    The email address of your account was changed

    The email address of your account was changed

    Hello Ann, your account has another email address from now on. If it was you, all is well.

    If it was not you, write to support@thunder.example at once.

    -- 
    You get this email because this was the address of an account at https://school.example. It is the last one.
    -----
    Your Thunder account is deleted

    Goodbye, Ann

    Your account is deleted, and you are signed out everywhere. What you chose to leave to the members of your courses no longer carries your name.

    This address is free again: you can sign up with it whenever you like, and start from the beginning.

    If it was not you who did this, write to support@thunder.example at once.

    -- 
    You get this email because the account with this address was deleted at https://school.example. It is the last one."
  `)
})
