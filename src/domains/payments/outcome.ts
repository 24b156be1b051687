/** What an event of the provider did, in words for administrators. */
export interface Outcome {
  status: 'applied' | 'ignored'
  outcome: string
}

export const applied = (outcome: string): Outcome => ({ status: 'applied', outcome })
export const ignored = (outcome: string): Outcome => ({ status: 'ignored', outcome })

export const unknownCustomer = ignored('About a customer whom we do not know')

/** The provider answers with an id, or with the object when it was asked to. */
export function idOf(value: string | { id: string } | null | undefined): string | null {
  if (!value) return null
  return typeof value === 'string' ? value : value.id
}

export const dateOf = (seconds: number) => new Date(seconds * 1000)
