const longest = 200

/** From the first quotation mark that opens to the last that closes, or to the end: quotes hold quotes. */
const quoted = /(?:["`“«]|(?<!\p{L})['‘])(?:.*["'`”’»](?!\p{L})|.*)/u

/** Words, names like resource_missing and ECONNREFUSED, and what servers answer: 404, 550. */
const harmless =
  /^[([]?(?:\p{L}{1,30}(?:[-_'’]\p{L}{1,30}){0,5}(?:\(\))?|[45]\d\d|…)[\])]?[.,:;!?]*$/u

/**
 * The first line of what a job threw, for people who need not know whom it was about: of the words only those
 * stay that look like words. Addresses, numbers, ids, tokens, paths and everything in quotes are left out.
 */
export function cleanedError(text: string): string {
  const [line = ''] = text.trim().split(/[\r\n\u2028\u2029]/u, 1)
  return line
    .slice(0, 2000)
    .replace(quoted, ' … ')
    .split(/\s+/u)
    .filter((word) => word !== '')
    .map((word) => (harmless.test(word) ? word : '…'))
    .join(' ')
    .replace(/…(?: …)+/gu, '…')
    .slice(0, longest)
}
