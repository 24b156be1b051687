/** Seconds in an address such as `?t=83`; null when it says none. */
export function startOf(text: string | null): number | null {
  if (text === null || !/^\d{1,5}(?:\.\d{1,3})?$/.test(text)) return null
  const seconds = Number(text)
  return seconds <= 86_400 ? seconds : null
}

/** Once the place is saved, a reload goes on there instead. */
export function forgetStart(): void {
  const { pathname, search, hash } = location
  const rest = new URLSearchParams(search)
  if (!rest.has('t')) return
  rest.delete('t')
  const query = rest.size > 0 ? `?${rest}` : ''
  history.replaceState(history.state, '', pathname + query + hash)
}
