import type { ReactNode } from 'react'
import { BOLT } from './mark.ts'

/** Each is a few strokes around 0,0 that reach 330 to the left and right; dashes repeat them. */
const patterns = {
  rays: <circle r="170" strokeWidth="340" strokeDasharray="8.9 44.5" />,
  rings: [46, 86, 126, 166, 206, 246].map((r) => <circle key={r} r={r} />),
  waves: [-80, -50, -20, 10, 40, 70, 100].map((y) => (
    <path key={y} d={`M-330 ${y}q30-34 60 0t60 0 60 0 60 0 60 0 60 0 60 0 60 0 60 0 60 0`} />
  )),
  dots: (
    <g strokeLinecap="round" strokeWidth="7" strokeDasharray="0 24">
      {[-84, -60, -36, -12, 12, 36, 60, 84].map((y) => (
        <path key={y} d={`M-360 ${y}h720`} />
      ))}
    </g>
  ),
  blocks: (
    <g strokeWidth="22" strokeDasharray="22 22">
      {[-88, -66, -44, -22, 0, 22, 44, 66, 88].map((y, row) => (
        <path key={y} d={`M${row % 2 ? -352 : -330} ${y}h660`} opacity=".45" />
      ))}
    </g>
  ),
  stripes: <path d="M-330-222 330 222" strokeWidth="700" strokeDasharray="3 21" />,
  steps: [-7, -6, -5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, 6, 7].map((step) => (
    <path key={step} d={`M${step * 30} 90v${-30 - (((step + 9) * 47) % 110)}`} strokeWidth="12" />
  )),
} satisfies Record<string, ReactNode>

/** Hue (OKLCH degrees) and pattern of each category of the spec. */
const pictures: Record<string, [hue: number, pattern: keyof typeof patterns]> = {
  Art: [345, 'stripes'],
  Business: [250, 'steps'],
  Cooking: [45, 'rings'],
  Crypto: [75, 'blocks'],
  Gaming: [305, 'blocks'],
  Gardening: [145, 'rays'],
  Hobbies: [210, 'dots'],
  Marketing: [20, 'rings'],
  Music: [325, 'waves'],
  Photography: [235, 'rays'],
  Relationships: [5, 'dots'],
  'Self-improvement': [285, 'steps'],
  Sports: [125, 'stripes'],
  'Sports Betting': [160, 'dots'],
  Tech: [265, 'blocks'],
  Wellness: [190, 'waves'],
}

const categories = Object.keys(pictures)

type DefaultPictureProps = { category: string; seed: string; alt: string; className?: string }

/**
 * The picture of a course without one: a field in the colour of its category, split by the bolt
 * as the mark is. The same for the same category and seed; no ids, no styles, under 1 KB.
 */
export function DefaultPicture({ category, seed, alt, className }: DefaultPictureProps) {
  const known = pictures[category] ?? pictures[categories[hash(category) % categories.length] ?? '']
  const [hue, pattern] = known ?? [275, 'rays']
  const x = 44 + (hash(seed) % 4) * 30

  return (
    <svg
      viewBox="0 0 320 180"
      preserveAspectRatio="xMidYMid slice"
      className={className}
      {...(alt ? { role: 'img', 'aria-label': alt } : { 'aria-hidden': true })}
    >
      <path d="M0 0h320v180H0z" fill={`oklch(.35 .085 ${hue})`} />
      <g
        transform={`translate(${x + 90} 90)`}
        fill="none"
        stroke={`oklch(.47 .105 ${hue})`}
        strokeWidth="3"
      >
        {patterns[pattern]}
      </g>
      <g transform={`translate(${x} 0) scale(7.5)`}>
        {/* Past the bottom, so that the pattern does not show through its last row. */}
        <path d="M13.6 0 4.2 13.7h5.9L7.6 24v1H-40V0Z" fill={`oklch(.29 .075 ${hue})`} />
        <path d={BOLT} fill={`oklch(.81 .12 ${hue})`} />
      </g>
    </svg>
  )
}

function hash(text: string) {
  let sum = 7
  for (const sign of text) sum = (sum * 31 + (sign.codePointAt(0) ?? 0)) >>> 0
  return sum
}
