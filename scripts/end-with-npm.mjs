// A SIGTERM to npm ends npm and its shell and reaches nobody else: without them we end as if it were for us.

/** Milliseconds between two looks. */
const pause = 500

/** For a script that npm runs; one that is run by itself goes on when its shell is closed. */
export function endWithNpm() {
  const parent = process.ppid
  if (!process.env.npm_lifecycle_event) return
  setInterval(() => {
    if (process.ppid !== parent) process.kill(process.pid, 'SIGTERM')
  }, pause).unref()
}
