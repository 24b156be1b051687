import { expect, test } from 'vitest'
import { mailPage } from '../../server/mail-page.ts'
import { type AccountMail, mailText } from './account-mails.ts'

const appUrl = 'https://school.example'
const to = 'ann@example.com'
const name = '<b>Ann & "Bo"</b>'
const url = `${appUrl}/confirm-email?token=${'a.b-c_'.repeat(40)}&to=%2Fdashboard`

/** One of each kind: a new kind does not compile until it is here. */
const mails: { [Kind in AccountMail['kind']]: Extract<AccountMail, { kind: Kind }> } = {
  'confirm-email': { kind: 'confirm-email', to, name, url },
  'allow-email-change': {
    kind: 'allow-email-change',
    to,
    name,
    newEmail: 'new+tag@example.com',
    url,
  },
  'reset-password': { kind: 'reset-password', to, name, url },
  'login-link': { kind: 'login-link', to, url },
  code: { kind: 'code', to, code: '048213' },
  warning: { kind: 'warning', to, name, what: 'Your password was changed' },
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

test('a mail’s first sentence is what a list of mails shows of it', () => {
  const { html } = mailPage(mailText(mails['login-link'], appUrl))
  const [, preview] = /<div style="display:none[^>]*>([^&]*)/.exec(html) ?? []
  expect(preview).toBe(mailText(mails['login-link'], appUrl).paragraphs[0])
})
