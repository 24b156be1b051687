// The fields of the form for a course's look, as somebody typed them.
import type { Branding } from '../rules.ts'

const names = [
  'colour',
  'logoId',
  'coverId',
  'certificateHeading',
  'certificateWords',
  'certificateSignatory',
] as const satisfies (keyof Branding)[]

export type BrandingFields = Record<(typeof names)[number], string>
export type BrandingProblems = Partial<BrandingFields>

export const fieldsOf = (form: FormData) => namedIn(form, (name) => name)

function namedIn(form: FormData, named: (name: string) => string): BrandingFields {
  const text = (name: string) => {
    const value = form.get(named(name))
    return typeof value === 'string' ? value : ''
  }
  return Object.fromEntries(names.map((name) => [name, text(name)])) as BrandingFields
}

/** The field that says with what another one began: another tab may have saved since. */
const begunName = (name: string) => `begun-${name}`

export const begunInputs = (begun: BrandingFields) =>
  names.map((name) => ({ name: begunName(name), value: begun[name] }))

/** With what the form began; null where it does not say. */
export const begunOf = (form: FormData): BrandingFields | null =>
  names.every((name) => form.has(begunName(name))) ? namedIn(form, begunName) : null

export const fieldsFrom = (branding: Branding): BrandingFields =>
  Object.fromEntries(names.map((name) => [name, branding[name] ?? ''])) as BrandingFields

/** Null for none; people leave the # out. */
export function colourIn(typed: string): string | null {
  const colour = typed.trim().toLowerCase()
  if (colour === '') return null
  return /^[0-9a-f]{6}$/.test(colour) ? `#${colour}` : colour
}
