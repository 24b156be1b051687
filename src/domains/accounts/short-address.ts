/** An address of the internet as people write it: `2001:db8::` for its 39 signs; null where none is known. */
export function shortAddress(address: string | null): string | null {
  if (!address?.includes(':')) return address || null
  return URL.parse(`http://[${address}]`)?.hostname.slice(1, -1) ?? address
}
