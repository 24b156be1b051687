const names = new Map<string, string>()

/** There is one for each place that asks; more would be texts that change, each of which a connection would keep. */
const mostNames = 300

/** The name under which connections prepare this text; none for a text that comes when there are too many. */
export function nameOfStatement(text: string): string | undefined {
  const known = names.get(text)
  if (known !== undefined || names.size >= mostNames) return known
  const name = `prepared-${names.size + 1}`
  names.set(text, name)
  return name
}
