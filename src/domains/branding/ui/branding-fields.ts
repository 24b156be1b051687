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
/** What fields are known to have held. */
export type BegunFields = Partial<BrandingFields>
export type BrandingProblems = Partial<BrandingFields>

export const fieldsOf = (form: FormData) =>
  Object.fromEntries(names.map((name) => [name, textIn(form, name)])) as BrandingFields

function textIn(form: FormData, name: string): string {
  const value = form.get(name)
  return typeof value === 'string' ? value : ''
}

/** The field that says with what another one began: another tab may have saved since. */
const begunName = (name: string) => `begun-${name}`

export const begunInputs = (begun: BegunFields) =>
  names.flatMap((name) => {
    const value = begun[name]
    return value === undefined ? [] : [{ name: begunName(name), value }]
  })

/** With what the form began, as far as it says. */
export const begunOf = (form: FormData): BegunFields =>
  Object.fromEntries(
    names
      .filter((name) => form.has(begunName(name)))
      .map((name) => [name, textIn(form, begunName(name))]),
  )

/** Without what was sent in other words: whether that was stored, only an answer can say. */
export const unchangedIn = (begun: BegunFields, sent: BrandingFields): BegunFields =>
  Object.fromEntries(
    names.filter((name) => begun[name] === sent[name]).map((name) => [name, sent[name]]),
  )

export const fieldsFrom = (branding: Branding): BrandingFields =>
  Object.fromEntries(names.map((name) => [name, branding[name] ?? ''])) as BrandingFields

/** Null for none; people leave the # out. */
export function colourIn(typed: string): string | null {
  const colour = typed.trim().toLowerCase()
  if (colour === '') return null
  return /^[0-9a-f]{6}$/.test(colour) ? `#${colour}` : colour
}
