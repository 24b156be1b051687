// What is meant by the fields of the form for a course's look. Looked at on the server: the browser does without it.
import type { Branding } from '../rules.ts'
import { brandingForm } from '../schema.ts'
import { type BrandingFields, type BrandingProblems, colourIn } from './branding-fields.ts'

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
