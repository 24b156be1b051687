export type Preview = {
  start: number
  end: number
  url: string
  x: number
  y: number
  width: number
  height: number
}

const line = /^(?<image>[^\s#]*)#xywh=(?<x>\d+),(?<y>\d+),(?<width>\d+),(?<height>\d+)$/

/** The small pictures of a seek bar: a WebVTT file whose texts are pieces of a sheet, beside the file itself. */
export function previewsIn(
  cues: readonly { start: number; end: number; text: string }[],
  base: string,
): Preview[] {
  return cues.flatMap(({ start, end, text }) => {
    const part = line.exec(text.trim())?.groups
    const url = part && URL.parse(part.image!, base)
    // The sheet lies where the list lies; an address elsewhere is none of ours.
    if (!part || url?.origin !== new URL(base).origin) return []
    const [x, y, width, height] = [part.x, part.y, part.width, part.height].map(Number)
    if (!width || !height) return []
    return { start, end, url: url.href, x: x!, y: y!, width, height }
  })
}

export function previewAt(previews: readonly Preview[], seconds: number): Preview | null {
  return previews.find(({ start, end }) => seconds >= start && seconds < end) ?? null
}
