interface Statement {
  name: string
  text: string
  /** Which value is `$1`, which `$2`. */
  names: string[]
}

const known = new Map<string, Statement>()

function statementOf(template: string): Statement {
  const names: string[] = []
  const text = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    if (!names.includes(name)) names.push(name)
    return `$${names.indexOf(name) + 1}`
  })
  return { name: `search-${known.size + 1}`, text, names }
}

/** A statement with its values as `{name}`, made of parts that need not use all of them; planned once per connection. */
export function prepared(template: string, values: Record<string, unknown>) {
  const statement = known.get(template) ?? statementOf(template)
  known.set(template, statement)
  const { name, text, names } = statement
  return { name, text, values: names.map((each) => values[each]) }
}
