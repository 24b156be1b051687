import { limits } from '../rules.ts'

const natural = new Intl.Collator('en', { numeric: true })

/** '2. tea' before '10. milk', as people count. */
export const inFileOrder = <T extends { name: string }>(files: T[]): T[] =>
  files.toSorted((a, b) => natural.compare(a.name, b.name))

/** '01_', '2. ', '3 - ', '(4) ' in front of a name. */
const number = /^[([]?\d{1,3}[)\]]?[\s._-]+(?=\S)/
/** Surely a number of order, also where there is one file only. */
const surelyNumber =
  /^(?:0\d{0,2}[\s._-]+|[([]\d{1,3}[)\]]\s*|\d{1,3}(?:\.\s+|\s+-\s+|\)\s*))(?=\S)/

/**
 * Titles of lessons out of the names of their files: no ending, words apart, a capital first. Numbers in
 * front go where all files have one: the lessons are in that order already.
 */
export function titlesOfFiles(names: string[]): string[] {
  const stems = names.map((name) => name.replace(/(?<=.)\.[a-z0-9]{1,5}$/i, '').trim())
  const areNumbered = stems.length > 1 && stems.every((stem) => number.test(stem))
  return stems.map((stem, index) => {
    const words = stem
      .replace(areNumbered ? number : surelyNumber, '')
      .replace(/[\s_]+/g, ' ')
      .trim()
    // 'whole-wheat-bread' has words; 'Sour-dough bread' has a word with a hyphen.
    const spaced = words.includes(' ') ? words : words.replace(/[-.]+/g, ' ').trim()
    const title = spaced || stem || (names[index] ?? '')
    return (title.charAt(0).toUpperCase() + title.slice(1)).slice(0, limits.title).trim()
  })
}
