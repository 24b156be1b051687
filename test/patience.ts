/** Seconds; fewer where what a mutant holds up is waited for thousands of times. */
export const patienceSeconds = Number(process.env.SETTLES_WITHIN ?? 50)

/**
 * For `vi.waitFor`, which gives up after a second by itself: what has to happen is waited for on a machine that may have
 * much else to do. Not a goal of speed.
 */
export const patience = { timeout: patienceSeconds * 1000, interval: 20 }
