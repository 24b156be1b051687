import { clsx, type ClassValue } from 'clsx'
import { extendTailwindMerge } from 'tailwind-merge'

const merge = extendTailwindMerge({
  extend: {
    theme: {
      font: ['display', 'text', 'mono'],
      radius: ['card', 'control'],
      shadow: ['card', 'raised'],
    },
  },
})

/** Joins class names; of two Tailwind classes for the same property the later one wins. */
export function cn(...classes: ClassValue[]) {
  return merge(clsx(classes))
}
