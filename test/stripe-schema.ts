// JSON schemas of Stripe's objects, made from the types that its SDK ships: the SDK has no other description of them.
import { fileURLToPath } from 'node:url'
import { Ajv, type ValidateFunction } from 'ajv'
import ts from 'typescript-api'

type Schema = Record<string, unknown>

const sdk = fileURLToPath(
  new URL('../node_modules/stripe/esm/stripe.esm.node.d.ts', import.meta.url),
)

/** The checker of a program in which each of these types of Stripe's namespace has an alias of its own. */
function readTypes(names: readonly string[]) {
  const entry = fileURLToPath(new URL('stripe-types.ts', import.meta.url))
  const source = [
    "import type Stripe from 'stripe'",
    ...names.map((name, index) => `export type T${index} = Stripe.${name}`),
  ].join('\n')
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2024,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    strict: true,
    skipLibCheck: true,
    types: ['node'],
  }
  const host = ts.createCompilerHost(options)
  const { getSourceFile, fileExists } = host
  host.fileExists = (path) => path === entry || fileExists(path)
  host.getSourceFile = (path, version, ...rest) =>
    path === entry
      ? ts.createSourceFile(path, source, version)
      : getSourceFile.call(host, path, version, ...rest)
  const program = ts.createProgram([entry, sdk], options, host)
  const checker = program.getTypeChecker()
  const file = program.getSourceFile(entry)
  if (!file) throw new Error('the types of Stripe were not read')
  const aliases = file.statements.filter(ts.isTypeAliasDeclaration)
  return {
    checker,
    types: new Map(
      aliases.map((alias, index) => [names[index] ?? '', checker.getTypeAtLocation(alias.name)]),
    ),
  }
}

/**
 * A validator for each of these types of Stripe's namespace: `validatorsOf(['Charge'])`. Fields that the types do
 * not know are refused. Takes some seconds.
 */
export function validatorsOf(names: readonly string[]): Map<string, ValidateFunction> {
  const { checker, types } = readTypes(names)
  const definitions: Record<string, Schema> = {}
  const keys = new Map<ts.Type, string>()

  const schemaOf = (type: ts.Type): Schema => {
    if (type.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) return {}
    if (type.isStringLiteral() || type.isNumberLiteral()) return { const: type.value }
    if (type.flags & ts.TypeFlags.BooleanLiteral) {
      return { const: checker.typeToString(type) === 'true' }
    }
    if (type.flags & ts.TypeFlags.StringLike) return { type: 'string' }
    if (type.flags & ts.TypeFlags.NumberLike) return { type: 'number' }
    if (type.flags & ts.TypeFlags.BooleanLike) return { type: 'boolean' }
    if (type.flags & ts.TypeFlags.Null) return { type: 'null' }
    if (type.flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Never)) return { not: {} }
    if (type.isUnion()) {
      const parts = type.types.filter((part) => !(part.flags & ts.TypeFlags.Undefined))
      return parts.length === 1 && parts[0] ? schemaOf(parts[0]) : { anyOf: parts.map(schemaOf) }
    }
    // 'a' | OtherString: a string that is not checked further.
    if (type.isIntersection() && type.types.some((part) => part.flags & ts.TypeFlags.StringLike)) {
      return { type: 'string' }
    }
    if (checker.isArrayType(type)) {
      const [item] = checker.getTypeArguments(type as ts.TypeReference)
      return { type: 'array', items: item ? schemaOf(item) : {} }
    }
    // A class of the SDK and its mark; on the wire it is text.
    const parts = type.isIntersection() ? type.types : [type]
    if (parts.some(({ symbol }) => symbol?.name === 'DecimalImpl')) return { type: 'string' }
    return { $ref: `stripe#/definitions/${keyOf(type)}` }
  }

  const keyOf = (type: ts.Type): string => {
    const known = keys.get(type)
    if (known) return known
    const key = `${type.symbol?.name ?? 'type'}_${keys.size}`
    keys.set(type, key)
    const properties: Record<string, Schema> = {}
    const required: string[] = []
    for (const property of type.getProperties()) {
      // Added by the SDK to what was answered.
      if (property.name === 'lastResponse') continue
      properties[property.name] = schemaOf(checker.getTypeOfSymbol(property))
      if (!(property.flags & ts.SymbolFlags.Optional)) required.push(property.name)
    }
    const index = checker.getIndexTypeOfType(type, ts.IndexKind.String)
    definitions[key] = {
      type: 'object',
      properties,
      required,
      additionalProperties: index ? schemaOf(index) : false,
    }
    return key
  }

  const schemas = names.map((name) => {
    const type = types.get(name)
    if (!type) throw new Error(`Stripe has no type ${name}`)
    return [name, schemaOf(type)] as const
  })
  // Half of the time would go into making quicker validators.
  const ajv = new Ajv({
    strict: false,
    allErrors: true,
    inlineRefs: false,
    code: { optimize: false },
  })
  ajv.addSchema({ $id: 'stripe', definitions })
  return new Map(schemas.map(([name, schema]) => [name, ajv.compile(schema)]))
}
