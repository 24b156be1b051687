/** Whether If-None-Match names what is there. */
export const isKnown = (request: Request, etag: string) => {
  const header = request.headers.get('if-none-match')
  if (header === null) return false
  return header.trim() === '*' || header.split(',').some((one) => one.trim() === etag)
}
