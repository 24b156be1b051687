import { linkAddress } from '../rules.ts'

/** As rich-text.ts counts. */
const maxLength = 2000

/** What a person typed or pasted as the address of a link, as it is stored; null when it is none. */
export function storableHref(typed: string): string | null {
  const href = linkAddress(typed.trim())
  return href && href.length <= maxLength ? href : null
}

/**
 * What the address field starts with for this selected text: itself where it is an address, with
 * 'mailto:' before an email address (spec 2, section 5).
 */
export function suggestedAddress(selected: string): string {
  const text = selected.trim()
  const looksLikeAddress =
    /^(https?:\/\/|www\.|mailto:)\S+$/i.test(text) || /^[^\s/]+@[^\s/]+$/.test(text)
  return (looksLikeAddress && storableHref(text)) || ''
}
