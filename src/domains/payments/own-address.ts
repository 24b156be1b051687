/** What programs call, and the test mode's own pages: nobody is led there after paying. */
const notPages = /^\/(auth|rest|functions|storage|realtime|webhooks|sandbox)(\/|$)/

/** Browsers read a backslash as a slash, and leave out what cannot be seen. */
// oxlint-disable-next-line no-control-regex
const treacherous = /[\s\\\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/

/** The whole address of a page of ours that somebody named, by its path or in whole; null for anything else. */
export function ownAddress(appUrl: string, given: string): string | null {
  if (treacherous.test(given)) return null
  if (!/^(\/(?!\/)|https?:\/\/)/i.test(given)) return null
  if (!URL.canParse(given, appUrl)) return null
  const address = new URL(given, appUrl)
  if (address.origin !== new URL(appUrl).origin) return null
  if (address.username || address.password || notPages.test(address.pathname)) return null
  return address.href
}
