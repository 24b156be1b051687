// What Stryker need not change: the words of messages for people and of the log. That a message is there, with its code and
// status, is tested; its wording is not worth a test each. SQL is never among these: a statement has to be tested.
/** Keys whose value is words for people. */
const wordKeys = new Set(['message', 'label', 'title', 'description', 'summary'])
/** What refuses a call; what administrators read about an event of the provider. */
const wordedCalls = new Set(['refuse', 'applied', 'ignored'])
/** What says of a field, in a schema, what is wrong with what was typed. */
const wordedFields = new Set([
  'line',
  'clearableLine',
  'optionalLine',
  'clearableText',
  'uuid',
  'required',
])
const wordedChecks = new Set(['string', 'min', 'max', 'length', 'regex', 'refine', 'email'])
const logMethods = new Set(['trace', 'debug', 'info', 'warn', 'error', 'fatal'])

const isWords = ({ node }) =>
  (node.type === 'StringLiteral' && node.value.includes(' ')) || node.type === 'TemplateLiteral'

/** Of an error that is thrown, of a field that is wrong, or of a line in the log. */
function takesWords({ type, callee }) {
  if (type === 'NewExpression') return callee.type === 'Identifier' && callee.name.endsWith('Error')
  if (type !== 'CallExpression') return false
  if (callee.type === 'Identifier')
    return wordedCalls.has(callee.name) || wordedFields.has(callee.name)
  if (callee.type !== 'MemberExpression') return false
  if (wordedChecks.has(callee.property.name)) return true
  return (
    /^log$/.test(callee.object.name ?? callee.object.property?.name ?? '') &&
    logMethods.has(callee.property.name)
  )
}

/** Words stay words where one of two is chosen. */
function placeOf(path) {
  let child = path
  while (child.parent.type === 'ConditionalExpression' && child.key !== 'test') {
    child = child.parentPath
  }
  return child
}

/** An ignorer of Stryker's instrumenter. */
export const textsForPeople = {
  shouldIgnore(path) {
    if (!isWords(path)) return undefined
    const { parent, key, listKey } = placeOf(path)
    const isWorded =
      parent.type === 'ObjectProperty'
        ? key === 'value' && wordKeys.has(parent.key.name)
        : parent.type === 'VariableDeclarator'
          ? parent.id.name === 'message'
          : listKey === 'arguments' && takesWords(parent)
    return isWorded ? 'words for people or the log' : undefined
  },
}
