/**
 * The pattern that an address matches: `/course/:slug` of `/course/wood`. What logs, metrics and traces say of a
 * request is this, since an address itself names people, and there is no end of addresses.
 */
export interface RouteNames {
  add(patterns: Iterable<string>): void
  of(path: string): string
}

interface Place {
  fixed: Map<string, Place>
  /** Any one part. */
  any?: Place
  /** The pattern that ends here. */
  pattern?: string
  /** The pattern of whatever is below. */
  rest?: string
}

const newPlace = (): Place => ({ fixed: new Map() })

/** What is said of an address that nothing matches. */
const unknown = '(none)'

export function createRouteNames(patterns: Iterable<string> = []): RouteNames {
  const top = newPlace()

  function add(pattern: string): void {
    let places = [top]
    for (const part of pattern.split('/').filter(Boolean)) {
      if (part === '*') {
        for (const place of places) place.rest ??= pattern
        return
      }
      // `:name?` may be left out.
      const before = part.endsWith('?') ? places : []
      const isAny = part.startsWith(':') || part.startsWith('{')
      const next = places.map((place) => {
        if (isAny) return (place.any ??= newPlace())
        const name = part.replace(/\?$/, '')
        const known = place.fixed.get(name) ?? newPlace()
        place.fixed.set(name, known)
        return known
      })
      places = [...before, ...next]
    }
    for (const place of places) place.pattern ??= pattern
  }

  function find(place: Place, parts: string[], at: number): string | undefined {
    const part = parts[at]
    if (part === undefined) return place.pattern ?? place.rest
    const fixed = place.fixed.get(part)
    return (
      (fixed && find(fixed, parts, at + 1)) ??
      (place.any && find(place.any, parts, at + 1)) ??
      place.rest
    )
  }

  for (const pattern of patterns) add(pattern)
  return {
    add: (more) => {
      for (const pattern of more) add(pattern)
    },
    of: (path) => find(top, path.split('/').filter(Boolean), 0) ?? unknown,
  }
}
