import { expect, test } from 'vitest'
import { lateLetters } from './late-letters.ts'

test('the letters of a page wait for its script, and their stand-ins are there until then', () => {
  const letters = '<link rel="preload" as="font" href="/a.woff2" crossorigin="anonymous"/>'
  const picture = '<link rel="preload" as="image" href="/a.webp"/>'
  expect(lateLetters(`<html lang="en"><head>${letters}${picture}</head></html>`)).toBe(
    '<html data-letters="later" lang="en"><head>' +
      '<link media="not all" rel="preload" as="font" href="/a.woff2" crossorigin="anonymous"/>' +
      `${picture}</head></html>`,
  )
})
