import { longestAgo } from '../longest-ago.ts'

/**
 * Answers with the seconds that have passed since it was made, and `before` that. Only the clock goes on while the computer
 * sleeps; but it may be set. What it says then, less than was counted or more than anybody sleeps, is not believed.
 */
export function secondsSince(before = 0): () => number {
  const clock = Date.now()
  const counter = performance.now()
  return () => {
    const counted = (performance.now() - counter) / 1000
    const byClock = (Date.now() - clock) / 1000
    const isBelieved = byClock > counted && byClock < longestAgo
    return Math.min(longestAgo, before + (isBelieved ? byClock : counted))
  }
}
