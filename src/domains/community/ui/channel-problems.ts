/** What is wrong with each of the names; null where nothing is. The server decides for good. */
export function channelProblems(names: string[]): (string | null)[] {
  const read = names.map((name) =>
    name.trim().replace(/\s+/gu, ' ').normalize('NFKC').toLowerCase(),
  )
  return read.map((name, index) => {
    if (name === '') return 'Please name every channel'
    return read.indexOf(name) < index ? 'Two channels cannot have the same name.' : null
  })
}
