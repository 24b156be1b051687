// A form that was sent is sent, also when its page is closed in the same moment: what is shown at once, such as a
// lesson's tick, would be gone at the next visit.

/**
 * Browsers let 64 KB of requests outlive their page, all together. What is longer, such as the text of a course,
 * is not shown before the server has it.
 */
const longest = 8_000

/** `fetch` whose short forms, which React Router sends as text, outlive the page. */
export function withLastingForms(fetchOnce: typeof fetch): typeof fetch {
  return (address, init) => {
    const isForm =
      address instanceof URL &&
      address.pathname.endsWith('.data') &&
      init?.method === 'POST' &&
      (typeof init.body === 'string' || init.body instanceof URLSearchParams)
    if (!isForm || String(init.body).length > longest) return fetchOnce(address, init)
    return fetchOnce(address, { ...init, keepalive: true })
  }
}
