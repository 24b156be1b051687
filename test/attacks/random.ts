// Chance that can be repeated: the same seed makes the same inputs on every machine.

export interface Random {
  /** A whole number from 0 up to, and without, `limit`. */
  below(limit: number): number
  pick<Value>(values: readonly Value[]): Value
  /** True in `percent` of 100 cases. */
  chance(percent: number): boolean
}

/** Of its own for each input, so that one can be sent again without those before it. */
export function randomOf(...seed: (string | number)[]): Random {
  // FNV-1a for the words, mulberry32 for the numbers.
  let state = 0x811c9dc5
  for (const unit of seed.join(' ')) state = Math.imul(state ^ unit.codePointAt(0)!, 0x01000193)
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number) => Math.floor(next() * limit)
  return {
    below,
    pick: (values) => values[below(values.length)]!,
    chance: (percent) => next() * 100 < percent,
  }
}
