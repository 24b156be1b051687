import { useState } from 'react'
import { isBlank } from '../../../is-blank.ts'
import { limits } from '../rules.ts'

/** What is wrong with a title while somebody writes it; a missing one is named once the field was left. */
export function useTitleProblem(title: string, name: string) {
  const [left, setLeft] = useState(false)
  const problem =
    title.trim().length > limits.title
      ? `${name} can have at most ${limits.title} characters`
      : left && isBlank(title)
        ? `${name} is required`
        : undefined
  return { problem, onBlur: () => setLeft(true) }
}
