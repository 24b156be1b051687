import * as z from 'zod'

/**
 * What is said of an input where a schema says nothing itself: zod's own sentences are for programmers.
 * Set once, for every schema.
 */
export function speakToPeople(): void {
  z.config({
    customError: (issue) => {
      const name = issue.path?.findLast((part) => typeof part === 'string') ?? 'The input'
      switch (issue.code) {
        case 'invalid_type':
          return issue.input === undefined
            ? `${name} is missing`
            : `${name} must be ${described(issue.expected)}`
        case 'too_big':
          return `${name} is too long or too large: at most ${issue.maximum}`
        case 'too_small':
          return `${name} is too short or too small: at least ${issue.minimum}`
        case 'invalid_value':
          return `${name} must be one of: ${issue.values.join(', ')}`
        default:
          return `${name} is not valid`
      }
    },
  })
}

function described(expected: string): string {
  const names: Record<string, string> = {
    string: 'text',
    number: 'a number',
    int: 'a whole number',
    boolean: 'true or false',
    object: 'an object with fields',
    array: 'a list',
  }
  return names[expected] ?? `a ${expected}`
}
