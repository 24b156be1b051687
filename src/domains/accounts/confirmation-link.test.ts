import { UnsecuredJWT } from 'jose'
import { expect, test } from 'vitest'
import { wishOfLink } from './confirmation-link.ts'

const linkWith = (claims: Record<string, unknown>) => new UnsecuredJWT(claims).encode()

test.each([
  [{ email: 'a@example.com' }, 'confirm'],
  [{ updateTo: 'b@example.com', requestType: 'change-email-confirmation' }, 'allow'],
  [{ updateTo: 'b@example.com', requestType: 'change-email-verification' }, 'change'],
])('a link with %o wants to %s', (claims, wish) => {
  expect(wishOfLink(linkWith(claims))).toBe(wish)
})

test.each(['', 'used', 'e30.e30.e30', `a.${Buffer.from('[]').toString('base64url')}.c`])(
  'a link that is none, %j, is taken for one that confirms, and refused when it is used',
  (token) => {
    expect(wishOfLink(token)).toBe('confirm')
  },
)
