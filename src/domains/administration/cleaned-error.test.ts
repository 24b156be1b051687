import { describe, expect, test } from 'vitest'
import { cleanedError } from './cleaned-error.ts'

describe('what a job threw keeps what tells the trouble', () => {
  test.each([
    ['connect ECONNREFUSED 127.0.0.1:25', 'connect ECONNREFUSED …'],
    ['getaddrinfo ENOTFOUND smtp.example.com', 'getaddrinfo ENOTFOUND …'],
    ['The mail server answered 421, try later.', 'The mail server answered 421, try later.'],
    ['No such customer: cus_QXg1o8vcGmoR32', 'No such customer: …'],
    ['this decision can still be taken back', 'this decision can still be taken back'],
    [
      "Cannot read properties of undefined (reading 'name')",
      'Cannot read properties of undefined (reading …',
    ],
    ['resource_missing: couldn’t find it (again)', 'resource_missing: couldn’t find it (again)'],
    ['', ''],
    [`cannot mail 'Ada Lovelace', and don't know why`, `cannot mail … and don't know why`],
    [`it doesn't work`, `it doesn't work`],
    ['cannot mail “Ada Lovelace” at all', 'cannot mail … at all'],
    ['cannot mail «Ada» or `Ada` at all', 'cannot mail … at all'],
    [`"Ada's friend" is gone`, '… is gone'],
    ['an open quote: "Ada and more', 'an open quote: …'],
    ['calls send() and [stop]; 404, 599! 600 399 45 4044', 'calls send() and [stop]; 404, 599! …'],
    ['a-b_c’d-e-f fits, a-b-c-d-e-f-g does not', 'a-b_c’d-e-f fits, … does not'],
    [`${'x'.repeat(30)} fits, ${'x'.repeat(31)} does not`, `${'x'.repeat(30)} fits, … does not`],
    ['  two   words  \nof more lines', 'two words'],
  ])('%s', (said, shown) => {
    expect(cleanedError(said)).toBe(shown)
  })
})

describe('nothing about anybody is left of', () => {
  test.each([
    'invalid input syntax for type uuid: "ada@private.example"',
    '550 5.1.1 <ada@private.example>: Recipient address rejected',
    'no mailbox for ada@private.example, ADA+x@PRIVATE.EXAMPLE; or ada＠private.example',
    'user 0198b0a2-7c1e-7d55-8d51-111122223333 is gone',
    'Unexpected token in {"to":"ada@private.example","name":"Ada Lovelace"}',
    `cannot mail 'Ada Lovelace', and don't know why`,
    `cannot mail 'Ada O'Neil Lovelace' twice`,
    'cannot mail “Ada Lovelace”',
    'cannot mail «Ada Lovelace»',
    'cannot mail `Ada Lovelace`',
    'name="Ada Lovelace" is taken',
    'an open quote: "Ada\nLovelace" and more',
    'first line\nKey (email)=(ada@private.example) already exists.',
    'first line\u2028ada@private.example',
    '\r\n\r\nfirst line\r\nLovelace',
    'call +49 (0) 151 2345678 or 0151-2345678',
    'Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJBZGEifQ.c2lnbmF0dXJl refused',
    'key sk_live_51H8private and whsec_A1b2C3 refused',
    'GET https://private.example/reset?token=abcdef failed',
    'code 123456 was refused',
    'ENOENT: no such file /srv/data/storage/uploads/Lovelace.mp4',
    `x${'Lovelace'.repeat(10)}`,
    `${'word '.repeat(38)}ada@private.example`,
  ])('%j', (said) => {
    const shown = cleanedError(said)
    expect(shown).not.toMatch(
      /ada\b|lovelace|neil|private|\bsk_|whsec|eyJ|token=|0198b0a2|12345|151/i,
    )
    expect(shown).not.toMatch(/[@"`“«{<\n]/)
  })

  test('a million characters, before this test is out of time', () => {
    for (const piece of ['a', '"', "'a", 'a-', '… ', ' ']) {
      expect(cleanedError(piece.repeat(1_000_000)).length).toBeLessThanOrEqual(200)
    }
  })
})
