/**
 * The page of this site where a mailed token is used. The page that the person wanted goes along: the library has it in
 * the link that it would send itself, or '/' where nobody wanted any.
 */
export function mailedLink(appUrl: string, path: string, token: string, ownLink: string): string {
  const page = new URL(path, appUrl)
  page.searchParams.set('token', token)
  const to = new URL(ownLink).searchParams.get('callbackURL')
  if (to && to !== '/') page.searchParams.set('to', to)
  return page.href
}
