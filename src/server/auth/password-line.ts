import { inTurns } from '../turns.ts'

/** Requests for each password from which on others would wait while passwords are checked. */
const manyOthers = 10
/** Milliseconds after which it is looked anew how many they were; when nobody logged in for so long, nobody waits. */
const look = { soonest: 100, latest: 1000 }
/** Milliseconds: on a slow machine people still get in. */
const longestBreak = 50

/**
 * Passwords in line. While little else is asked for, `atOnce` are checked at a time. While pages are, one at a time, with
 * a break twice as long as each check, but a short one: else a storm of log-ins would take from the pages what it gets, and more.
 */
export function createPasswordLine(options: { atOnce: number; requestsBegun: () => number }) {
  const together = inTurns(options.atOnce)
  const oneByOne = inTurns(1)
  let last = { at: performance.now(), requests: options.requestsBegun() }
  let passwords = 0
  let othersAsk = false

  function lookForOthers(): boolean {
    passwords += 1
    const now = { at: performance.now(), requests: options.requestsBegun() }
    const time = now.at - last.at
    if (time < look.soonest) return othersAsk
    othersAsk = time < look.latest && now.requests - last.requests >= manyOthers * passwords
    last = now
    passwords = 0
    return othersAsk
  }

  return async function inLine<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = await together.take('password')
    const lastDone = lookForOthers() ? await oneByOne.take('password') : null
    const began = performance.now()
    try {
      return await work()
    } finally {
      if (lastDone) {
        setTimeout(
          () => {
            lastDone()
            done()
          },
          Math.min(2 * (performance.now() - began), longestBreak),
        )
      } else done()
    }
  }
}
