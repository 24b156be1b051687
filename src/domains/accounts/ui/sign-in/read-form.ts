/** The fields of a form; none when the body is no form at all. */
export async function readForm(request: Request): Promise<Record<string, unknown>> {
  const form = await request.formData().catch(() => new FormData())
  return Object.fromEntries(form)
}
