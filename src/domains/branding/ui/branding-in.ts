// What is meant by the fields of the form for a course's look. Looked at on the server: the browser does without it.
import { type Branding, noBranding } from '../rules.ts'
import { brandingForm } from '../schema.ts'
import {
  type BegunFields,
  type BrandingFields,
  type BrandingProblems,
  colourIn,
  fieldsFrom,
} from './branding-fields.ts'

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

/** The look that a form began with, as far as it says; of one that nobody could have stored, nothing. */
export function begunIn(begun: BegunFields): Partial<Branding> {
  const whole = brandingIn({ ...fieldsFrom(noBranding), ...begun })
  if ('problems' in whole) return {}
  return Object.fromEntries(Object.entries(whole.branding).filter(([name]) => name in begun))
}
