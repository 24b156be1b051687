// The fields of the form for a course's look, as somebody typed them.
import { brandingForm } from '../schema.ts'
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

/** The look as the API takes it, or what is wrong with which field. */
export function brandingIn(
  fields: BrandingFields,
): { branding: Branding } | { problems: BrandingProblems } {
  const checked = brandingForm.safeParse({
    ...fields,
    colour: colourIn(fields.colour),
    logoId: fields.logoId || null,
    coverId: fields.coverId || null,
  })
  if (checked.success) return { branding: checked.data }
  const problems: BrandingProblems = {}
  for (const { path, message } of checked.error.issues) {
    problems[path[0] as keyof BrandingFields] ??= message
  }
  return { problems }
}

/** Null for none; people leave the # out. */
export function colourIn(typed: string): string | null {
  const colour = typed.trim().toLowerCase()
  if (colour === '') return null
  return /^[0-9a-f]{6}$/.test(colour) ? `#${colour}` : colour
}
