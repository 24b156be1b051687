import { useState } from 'react'
import { limits } from '../rules.ts'

/** What is wrong with a title while somebody writes it; a missing one is named once the field was left. */
export function useTitleProblem(title: string, name: string) {
  const [left, setLeft] = useState(false)
  const length = title.trim().length
  const problem =
    length > limits.title
      ? `${name} can have at most ${limits.title} characters`
      : left && length === 0
        ? `${name} is required`
        : undefined
  return { problem, onBlur: () => setLeft(true) }
}
