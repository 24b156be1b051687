import { globSync, readFileSync } from 'node:fs'
import { extendTailwindMerge } from 'tailwind-merge'
import { expect, test } from 'vitest'
import { cn } from './cn.ts'

test('of two utilities for the same property the later one wins, beside the same modifiers', () => {
  expect(cn('p-4 text-muted', 'px-2', false, ['text-danger'])).toBe('p-4 px-2 text-danger')
  expect(cn('px-2 pt-1', 'p-4')).toBe('p-4')
  expect(cn('hover:bg-wash bg-surface', 'bg-paper')).toBe('hover:bg-wash bg-paper')
  expect(cn('[&>svg]:size-4.5', '[&>svg]:size-4')).toBe('[&>svg]:size-4')
  expect(cn('rich-text', 'rich-text-area')).toBe('rich-text rich-text-area')
})

// tailwind-merge knows all of Tailwind: too large for each page, but the judge of ours.
const judge = extendTailwindMerge({
  extend: {
    theme: {
      font: ['display', 'text', 'mono'],
      radius: ['card', 'control'],
      shadow: ['card', 'raised'],
    },
  },
})

/** Every word of our sources that could be a class, without its modifiers. */
function utilities() {
  const sources = globSync('src/**/*.{ts,tsx}', { exclude: ['**/*.test.*', 'src/ui/cn.ts'] })
  const words = sources.flatMap((file) => {
    const literals = readFileSync(file, 'utf8').match(/(["'`])[^"'`\n]*\1/g) ?? []
    return literals.flatMap((literal) => literal.slice(1, -1).split(/\s+/))
  })
  const classes = words.filter((word) => /^-?[a-z[][\w./%()&>=+,*:[\]-]*$/.test(word))
  return [...new Set(classes.map((word) => word.replace(/^([\w/-]+:)+(?=[^:])/, '')))]
}

/** One that is told from the others by tailwind-merge: a word it does not know it never drops. */
const isUtility = (word: string) => judge(`${word} ${word}`) === word

test('any two utilities of our sources are joined as tailwind-merge joins them', () => {
  // One of each shape: `p-4` stands for `p-6`, too.
  const shapes = new Map(utilities().map((word) => [word.replaceAll(/[\d.]+/g, '0'), word]))
  const known = [...shapes.values()].filter(isUtility)
  expect(known.length).toBeGreaterThan(200)
  const otherwise = known.flatMap((first) =>
    known.flatMap((second) => {
      const [ours, theirs] = [cn(first, second), judge(`${first} ${second}`)]
      return ours === theirs ? [] : [`${first} + ${second}: '${ours}' instead of '${theirs}'`]
    }),
  )
  // A new kind of utility needs its line in cn.ts.
  expect(otherwise).toEqual([])
})
