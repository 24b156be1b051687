// The logo and the icons of this installation, made from its configuration when it starts.
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import type { Config } from '../../server/config.ts'
import { accentOf, accentStyle } from '../../ui/accent.ts'
import { BOLT, markColours, TILE } from '../../ui/mark.ts'
import { type Brand, setBrand } from './brand.ts'

interface Picture {
  type: string
  bytes: Buffer
}

export interface BrandPictures {
  brand: Brand
  /** By the name of its file, such as 'icon-192.png'; null when there is none of this name. */
  picture(name: string): Promise<Picture | null>
  /** '#rrggbb' of the mark's tile. */
  colour: string
}

const maxLogo = 512 * 1024
const paper = '#ffffff'

/** Pixels of each icon, and what part of it the picture takes; `full` ones have no transparent edge. */
const icons: Record<string, { size: number; part: number; full: boolean }> = {
  'favicon-32.png': { size: 32, part: 1, full: false },
  'icon-192.png': { size: 192, part: 1, full: false },
  'icon-512.png': { size: 512, part: 1, full: false },
  // A launcher may cut everything but the middle 80 %.
  'maskable-512.png': { size: 512, part: 0.56, full: true },
  'apple-touch-icon.png': { size: 180, part: 0.66, full: true },
}

const svg = (inner: string, box = 24) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${box} ${box}">${inner}</svg>`

const markSvg = (tile: string) =>
  svg(`<path fill="${tile}" d="${TILE}"/><path fill="${markColours.bolt}" d="${BOLT}"/>`)

const boltSvg = svg(`<path fill="${markColours.bolt}" d="${BOLT}"/>`)

/** @throws {Error} with a sentence for whoever starts this, when it is no picture. */
async function readLogo(path: string): Promise<Picture> {
  const refuse = (why: string, cause?: unknown) =>
    new Error(`BRAND_LOGO is ${JSON.stringify(path)}, but ${why}.`, { cause })
  const bytes = await readFile(path).catch((error: unknown) => {
    throw refuse('this file cannot be read', error)
  })
  if (bytes.length > maxLogo) throw refuse('this file has more than 512 KB')
  const { format } = await sharp(bytes)
    .metadata()
    .catch((error: unknown) => {
      throw refuse('this file is no picture', error)
    })
  if (format !== 'svg' && format !== 'png') throw refuse('this file is no SVG or PNG')
  return { type: format === 'svg' ? 'image/svg+xml' : 'image/png', bytes }
}

/** An ICO of one PNG: what browsers ask for at /favicon.ico. */
function icoOf(png: Buffer, size: number): Buffer {
  const head = Buffer.alloc(22)
  head.writeUInt16LE(1, 2)
  head.writeUInt16LE(1, 4)
  head.writeUInt8(size, 6)
  head.writeUInt8(size, 7)
  head.writeUInt16LE(1, 10)
  head.writeUInt16LE(32, 12)
  head.writeUInt32LE(png.length, 14)
  head.writeUInt32LE(head.length, 18)
  return Buffer.concat([head, png])
}

/**
 * Gives the product its name, colours and pictures. Nothing that shows them may be rendered before.
 * @throws {Error} with a sentence, when the logo cannot be used.
 */
export async function openBrand({ brand: own, appUrl }: Config): Promise<BrandPictures> {
  const accent = own.colour ? accentOf(own.colour) : null
  const colour = accent?.mark[0] ?? markColours.tile
  const logo = own.logo ? await readLogo(own.logo) : null
  const mark = markSvg(colour)
  const version = createHash('sha256')
    .update(logo?.bytes ?? mark)
    .update(colour)
    .digest('hex')
    .slice(0, 10)
  const logoName = logo?.type === 'image/png' ? 'logo.png' : 'logo.svg'
  const brand = setBrand({
    name: own.name,
    legalEntity: own.legalEntity,
    supportEmail: own.supportEmail,
    appUrl,
    logo: logo && `/brand/${version}/${logoName}`,
    icon: logo || accent ? `/brand/${version}/${logo ? 'favicon-32.png' : 'favicon.svg'}` : null,
    version,
    style: accent ? accentStyle(accent) : '',
  })

  async function drawn({ size, part, full }: (typeof icons)[string]): Promise<Buffer> {
    const inner = Math.round(size * part)
    const source = logo?.bytes ?? Buffer.from(full ? boltSvg : mark)
    // An SVG is drawn at the size that it says: sharp enough for the largest icon.
    const { width = inner, height = inner } = await sharp(source).metadata()
    const density = logo?.type === 'image/png' ? 72 : (72 * inner) / Math.max(width, height)
    const picture = await sharp(source, { density: Math.min(2400, Math.max(72, density)) })
      .resize(inner, inner, { fit: 'contain', background: '#00000000' })
      .png()
      .toBuffer()
    const ground = full ? (logo ? paper : colour) : '#00000000'
    return sharp({ create: { width: size, height: size, channels: 4, background: ground } })
      .composite([{ input: picture, gravity: 'centre' }])
      .png({ compressionLevel: 9 })
      .toBuffer()
  }

  const made = new Map<string, Promise<Buffer>>()
  function icon(name: string): Promise<Buffer> | null {
    const wanted = icons[name]
    if (!wanted) return null
    const found = made.get(name) ?? drawn(wanted)
    made.set(name, found)
    return found
  }

  return {
    brand: { ...brand },
    colour,
    async picture(name) {
      if (name === 'favicon.svg' && !logo) {
        return { type: 'image/svg+xml', bytes: Buffer.from(mark) }
      }
      if (name === logoName) return logo
      if (name === 'favicon.ico') {
        return { type: 'image/x-icon', bytes: icoOf(await icon('favicon-32.png')!, 32) }
      }
      const bytes = Object.hasOwn(icons, name) ? await icon(name) : null
      return bytes && { type: 'image/png', bytes }
    },
  }
}
