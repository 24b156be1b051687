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

export function fieldsOf(form: FormData): BrandingFields {
  const text = (name: string) => {
    const value = form.get(name)
    return typeof value === 'string' ? value : ''
  }
  return Object.fromEntries(names.map((name) => [name, text(name)])) as BrandingFields
}

export const fieldsFrom = (branding: Branding): BrandingFields =>
  Object.fromEntries(names.map((name) => [name, branding[name] ?? ''])) as BrandingFields

/** Null for none; people leave the # out. */
export function colourIn(typed: string): string | null {
  const colour = typed.trim().toLowerCase()
  if (colour === '') return null
  return /^[0-9a-f]{6}$/.test(colour) ? `#${colour}` : colour
}
