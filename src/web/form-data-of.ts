/** The fields that a page was sent; none when the body is no form at all. */
export const formDataOf = (request: Request): Promise<FormData> =>
  request.formData().catch(() => new FormData())
