import { formDataOf } from '../../../../web/form-data-of.ts'

/** The fields of a form; none when the body is no form at all. */
export async function readForm(request: Request): Promise<Record<string, unknown>> {
  const form = await formDataOf(request)
  return Object.fromEntries(form)
}
