// A browser finds the brand in its page.
import { afterEach, expect, test, vi } from 'vitest'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.resetModules()
})

const brandWith = async (textContent: string | null) => {
  vi.resetModules()
  vi.stubGlobal('document', {
    getElementById: (id: string) =>
      id === 'brand' && textContent !== null ? { textContent } : null,
  })
  return import('./brand.ts')
}

test('what the page carries goes before what is usual', async () => {
  const { brand, defaultBrand } = await brandWith('{"name":"Birch","logo":"/logo.svg"}')
  expect(brand).toEqual({ ...defaultBrand, name: 'Birch', logo: '/logo.svg' })
})

test.each([null, ''])('a page that carries %j has the usual one', async (text) => {
  const { brand, defaultBrand } = await brandWith(text)
  expect(brand).toEqual(defaultBrand)
})
