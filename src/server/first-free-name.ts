/** Asked about at once; a name that 500 others share takes three questions. */
const batch = 200

const numbered = (base: string, number: number) => (number === 1 ? base : `${base}-${number}`)

/**
 * The first of `base`, `base-2`, `base-3`… that nobody has. `takenOf` says which of those it is asked about somebody
 * has; that none of them is taken meanwhile is the caller's business.
 */
export async function firstFreeName(
  base: string,
  takenOf: (names: string[]) => Promise<string[]>,
): Promise<string> {
  for (let first = 1; ; first += batch) {
    const names = Array.from({ length: batch }, (_, index) => numbered(base, first + index))
    const taken = new Set(await takenOf(names))
    const free = names.find((name) => !taken.has(name))
    if (free !== undefined) return free
  }
}
