const frames = [
  { ratio: 16 / 9, className: 'aspect-video' },
  { ratio: 4 / 3, className: 'aspect-4/3' },
  { ratio: 1, className: 'aspect-square' },
] as const

/** Of 16:9, 4:3 and 1:1 the frame that leaves the least black around a picture; 16:9 where nobody knows its size. */
export function frameOf(width: number | null, height: number | null): string {
  if (!width || !height) return frames[0].className
  const distance = (ratio: number) => Math.abs(Math.log(width / height / ratio))
  return frames.reduce((best, frame) =>
    distance(frame.ratio) < distance(best.ratio) ? frame : best,
  ).className
}
