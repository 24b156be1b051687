// What we use of fontkit, which comes without types.
declare module 'fontkit' {
  interface Path {
    scale(x: number, y: number): Path
    translate(x: number, y: number): Path
    toSVG(): string
  }
  export interface Glyph {
    path: Path
  }
  export interface Font {
    unitsPerEm: number
    hasGlyphForCodePoint(code: number): boolean
    layout(text: string): {
      glyphs: Glyph[]
      positions: { xAdvance: number; xOffset: number }[]
    }
  }
  export function create(bytes: Uint8Array): Font
}
