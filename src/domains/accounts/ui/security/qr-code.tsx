import { encode } from 'uqr'

/** The dark squares, one path for all of them: rows of `h`, as wide as they are dark. */
function darkSquares(rows: boolean[][]): string {
  let path = ''
  rows.forEach((row, y) => {
    for (let x = 0; x < row.length; x++) {
      if (!row[x]) continue
      const start = x
      while (row[x + 1]) x++
      path += `M${start} ${y}h${x - start + 1}v1H${start}z`
    }
  })
  return path
}

/** A QR code with its quiet zone; dark on light in both themes, as cameras expect it. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { ecc: 'M', border: 4 })
  return (
    <svg
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      role="img"
      aria-label={label}
      className="size-52 rounded-control border"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={darkSquares(data)} fill="#000" />
    </svg>
  )
}
