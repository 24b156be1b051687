/** For the place where a button was that is gone with what it changed; who is elsewhere by now stays there. */
export function takeLostFocus(place: HTMLElement | null | undefined) {
  if (document.activeElement === document.body) place?.focus({ preventScroll: true })
}
