// The icons that are made when the server starts, of the mark as it comes and of a logo, by their pixels.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from '../../server/config.ts'
import { markColours } from '../../ui/mark.ts'
import { brand, brandText, defaultBrand, setBrand } from './brand.ts'
import { openBrand } from './brand-pictures.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'thunder-brand-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

type Pictures = Awaited<ReturnType<typeof openBrand>>

async function pixelsOf(pictures: Pictures, name: string) {
  const { bytes, type } = (await pictures.picture(name))!
  expect(type).toBe('image/png')
  const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true })
  const at = (x: number, y: number) => {
    const start = (Math.round(y) * info.width + Math.round(x)) * info.channels
    const [red, green, blue, alpha = 255] = data.subarray(start, start + info.channels)
    const hex = [red, green, blue].map((one) => one!.toString(16).padStart(2, '0')).join('')
    return alpha === 0 ? 'nothing' : `#${hex}`
  }
  return { width: info.width, height: info.height, at }
}

/** Twice as wide as high, red. */
const wide = (size: number) => ({
  svg: `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size / 2}"><path fill="#ff0000" d="M0 0h${size}v${size / 2}H0z"/></svg>`,
  png: () =>
    sharp({ create: { width: size, height: size / 2, channels: 4, background: '#ff0000' } })
      .png()
      .toBuffer(),
})

async function withLogo(name: string, bytes: string | Buffer, more: Record<string, string> = {}) {
  const path = join(folder, name)
  await writeFile(path, bytes)
  return openBrand(readConfig({ BRAND_LOGO: path, ...more }))
}

const sizes = [
  ['favicon-32.png', 32],
  ['icon-192.png', 192],
  ['icon-512.png', 512],
  ['maskable-512.png', 512],
  ['apple-touch-icon.png', 180],
] as const

describe('the mark as it comes', () => {
  test('is the icon in every size, on its tile', async () => {
    const pictures = await openBrand(readConfig({}))
    expect(pictures.colour).toBe(markColours.tile)
    expect(pictures.brand).toMatchObject({ logo: null, icon: null, style: '' })
    for (const [name, size] of sizes) {
      const { width, height, at } = await pixelsOf(pictures, name)
      expect([width, height], name).toEqual([size, size])
      // A tile of ours has round corners; one that a launcher cuts is full.
      const isFull = /maskable|apple/.test(name)
      expect(at(0, 0), name).toBe(isFull ? markColours.tile : 'nothing')
      expect(at(size / 2, size / 2), name).toBe(markColours.bolt)
      expect(at(size * 0.08, size / 2), name).toBe(markColours.tile)
    }
  })

  test('is the icon that browsers ask for by themselves, one picture of 32 pixels', async () => {
    const pictures = await openBrand(readConfig({}))
    const { type, bytes } = (await pictures.picture('favicon.ico'))!
    const png = (await pictures.picture('favicon-32.png'))!.bytes
    expect(type).toBe('image/x-icon')
    expect([...bytes.subarray(0, 22)]).toEqual(
      [
        [0, 0, 1, 0, 1, 0],
        [32, 32, 0, 0, 1, 0, 32, 0],
        [png.length & 255, png.length >> 8, 0, 0],
        [22, 0, 0, 0],
      ].flat(),
    )
    expect(bytes.subarray(22).equals(png)).toBe(true)
  })

  test('is drawn once, and has nothing of other names', async () => {
    const pictures = await openBrand(readConfig({}))
    const [once, again] = [
      await pictures.picture('icon-192.png'),
      await pictures.picture('icon-192.png'),
    ]
    expect(again!.bytes).toBe(once!.bytes)
    expect((await pictures.picture('favicon.svg'))!.bytes.toString()).toContain(markColours.tile)
    for (const name of ['logo.png', 'logo.svg', 'icon-64.png', 'toString', '']) {
      expect(await pictures.picture(name), name).toBeNull()
    }
  })

  test('takes another colour on, and its address changes with it', async () => {
    const usual = await openBrand(readConfig({}))
    const green = await openBrand(readConfig({ BRAND_COLOR: '#0b6b4f' }))
    expect(green.colour).toBe('#0b6b4f')
    expect(green.brand.version).not.toBe(usual.brand.version)
    expect(green.brand.icon).toBe(`/brand/${green.brand.version}/favicon.svg`)
    expect(green.brand.style).not.toBe('')
    const { at } = await pixelsOf(green, 'maskable-512.png')
    expect(at(0, 0)).toBe('#0b6b4f')
    expect((await green.picture('favicon.svg'))!.bytes.toString()).toContain('#0b6b4f')
  })
})

describe('a logo', () => {
  test.each([
    ['logo.svg', 'image/svg+xml', 20],
    ['logo.png', 'image/png', 200],
  ])('%s stands in the middle of its icons, whole', async (name, type, size) => {
    const made = wide(size)
    const bytes = name === 'logo.svg' ? made.svg : await made.png()
    const pictures = await withLogo(name, bytes)
    const { version } = pictures.brand
    expect(pictures.brand.logo).toBe(`/brand/${version}/${name}`)
    expect(pictures.brand.icon).toBe(`/brand/${version}/favicon-32.png`)
    const kept = (await pictures.picture(name))!
    expect([kept.type, kept.bytes.toString()]).toEqual([type, bytes.toString()])
    expect(await pictures.picture('favicon.svg')).toBeNull()

    const icon = await pixelsOf(pictures, 'icon-192.png')
    const atHeights = [0.2, 0.27, 0.5, 0.73, 0.8].map((part) => icon.at(96, part * 192))
    expect(atHeights).toEqual(['nothing', '#ff0000', '#ff0000', '#ff0000', 'nothing'])
    expect([icon.at(2, 96), icon.at(189, 96)]).toEqual(['#ff0000', '#ff0000'])
  })

  test('keeps away from the edges that a launcher cuts, on paper', async () => {
    const pictures = await withLogo('logo.svg', wide(20).svg, { BRAND_COLOR: '#0b6b4f' })
    for (const [name, size, part] of [
      ['maskable-512.png', 512, 0.56],
      ['apple-touch-icon.png', 180, 0.66],
    ] as const) {
      const { at } = await pixelsOf(pictures, name)
      const edge = (size * (1 - part)) / 2
      const [outside, inside] = [edge - 3, edge + 3]
      expect([at(0, 0), at(outside, size / 2), at(inside, size / 2)], name).toEqual([
        '#ffffff',
        '#ffffff',
        '#ff0000',
      ])
      expect([at(size - outside, size / 2), at(size - inside, size / 2)], name).toEqual([
        '#ffffff',
        '#ff0000',
      ])
    }
  })

  test('that is small is drawn as sharp as a large one', async () => {
    const [small, large] = [
      await withLogo('small.svg', wide(4).svg),
      await withLogo('large.svg', wide(400).svg),
    ]
    // Where it ends there is no blur of half a picture.
    for (const pictures of [small, large]) {
      const { at } = await pixelsOf(pictures, 'icon-512.png')
      expect([at(256, 125), at(256, 131)]).toEqual(['nothing', '#ff0000'])
    }
  })

  test('of another kind is refused', async () => {
    const jpeg = await sharp({
      create: { width: 8, height: 8, channels: 3, background: '#ff0000' },
    })
      .jpeg()
      .toBuffer()
    await expect(withLogo('photo.png', jpeg)).rejects.toThrow('but this file is no SVG or PNG.')
    const most = wide(20).svg.padEnd(512 * 1024, ' ')
    expect((await withLogo('most.svg', most)).brand.logo).toMatch(/logo\.svg$/)
    await expect(withLogo('more.svg', `${most} `)).rejects.toThrow('more than 512 KB.')
  })
})

test('nothing that is configured is Thunder, and its mark', () => {
  expect(defaultBrand).toEqual({
    name: 'Thunder',
    legalEntity: 'Thunder',
    supportEmail: 'support@thunder.example',
    appUrl: 'http://localhost:3000',
    logo: null,
    icon: null,
    version: 'mark',
    style: '',
  })
})

test('what pages carry of the brand ends no element of theirs', () => {
  setBrand({ ...defaultBrand, name: '</script><b>Birch' })
  expect(brandText()).not.toContain('<')
  expect(JSON.parse(brandText())).toEqual(brand)
  expect(brand.name).toBe('</script><b>Birch')
})
