import { decodeJwt } from 'jose'

/**
 * What a link of `/confirm-email` is for, as it says itself: for the words beside its button. Whether it is ours is found
 * out when the button is pressed.
 */
export function wishOfLink(token: string): 'confirm' | 'allow' | 'change' {
  try {
    const { requestType, updateTo } = decodeJwt(token)
    if (requestType === 'change-email-confirmation') return 'allow'
    return updateTo === undefined ? 'confirm' : 'change'
  } catch {
    return 'confirm'
  }
}
