/** Random numbers that a seed repeats (mulberry32). */
export interface Chance {
  /** From 0 up to, not including, 1. */
  next(): number
  /** A whole number; both ends are possible. */
  between(least: number, most: number): number
  /** True in this share of the cases. */
  is(share: number): boolean
  one<T>(choices: readonly T[]): T
  shuffled<T>(all: readonly T[]): T[]
}

export function chance(seed: number): Chance {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const between = (least: number, most: number) => least + Math.floor(next() * (most - least + 1))
  return {
    next,
    between,
    is: (share) => next() < share,
    one: (choices) => choices[between(0, choices.length - 1)]!,
    shuffled(all) {
      const mixed = [...all]
      for (let last = mixed.length - 1; last > 0; last -= 1) {
        const other = between(0, last)
        ;[mixed[last], mixed[other]] = [mixed[other]!, mixed[last]!]
      }
      return mixed
    },
  }
}
