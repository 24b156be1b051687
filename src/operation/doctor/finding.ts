import { reasonOf } from '../../server/reason-of.ts'

/** What a check found, in words for whoever runs it. */
export interface Finding {
  check: string
  state: 'well' | 'note' | 'wrong'
  found: string
  /** What to do about it. */
  todo?: string
}

export const well = (check: string, found: string): Finding => ({ check, state: 'well', found })
/** Nothing is broken, but it should be known. */
export const note = (check: string, found: string, todo?: string): Finding => ({
  check,
  state: 'note',
  found,
  todo,
})
export const wrong = (check: string, found: string, todo: string): Finding => ({
  check,
  state: 'wrong',
  found,
  todo,
})

/** A check that fails is a finding: the others still have to be made. */
export const found = (
  check: string,
  todo: string,
  looks: () => Promise<Finding | Finding[]>,
): Promise<Finding[]> =>
  looks().then(
    (findings) => [findings].flat(),
    (error: unknown) => [wrong(check, `${reasonOf(error)}.`.replace(/\.\.$/, '.'), todo)],
  )

export const counted = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`

const units = ['bytes', 'KB', 'MB', 'GB', 'TB']

export function sizeOf(bytes: number): string {
  const power = Math.min(units.length - 1, bytes < 1 ? 0 : Math.floor(Math.log2(bytes) / 10))
  return `${(bytes / 1024 ** power).toFixed(power > 2 ? 1 : 0)} ${units[power]}`
}
