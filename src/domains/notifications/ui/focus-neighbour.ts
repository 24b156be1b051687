/** The keyboard goes on at the next notice, else at the one before, else there. */
export function focusNeighbour(inside: Element, there: HTMLElement | null) {
  const item = inside.closest('li')
  const neighbour = item?.nextElementSibling ?? item?.previousElementSibling
  const next = neighbour?.querySelector<HTMLElement>('button') ?? there
  next?.focus()
}
