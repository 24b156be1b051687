/** Whoever reads what a program says may end before it does (`| tee`, `| head`): that is no reason to end as well. */
export function outliveReaders() {
  for (const output of [process.stdout, process.stderr]) output.on('error', () => {})
}
