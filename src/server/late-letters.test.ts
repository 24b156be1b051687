import { expect, test } from 'vitest'
import { lateLetters } from './late-letters.ts'

const letters = '<link rel="preload" as="font" href="/a.woff2" crossorigin="anonymous"/>'
const waiting =
  '<link media="not all" rel="preload" as="font" href="/a.woff2" crossorigin="anonymous"/>'
const picture = '<link rel="preload" as="image" href="/a.webp"/>'

test('letters are asked for in the body, and in the head only by the script', () => {
  expect(lateLetters(`<head>${letters}</head><body class="a">text</body>`)).toBe(
    `<head>${waiting}</head><body class="a">${letters}text</body>`,
  )
})

test('the main picture comes before the letters', () => {
  expect(lateLetters(`<head>${letters}${picture}</head><body>text</body>`)).toBe(
    `<head>${waiting}${picture}</head><body>text</body>`,
  )
})
