/** The row a page ended with: the next page begins behind it. */
interface PagePlace {
  /** Microseconds since 1970, as PostgreSQL keeps them: a JavaScript date would lose three digits. */
  time: string
  id: string
}

export const pageCursor = ({ time, id }: PagePlace) => `${time}.${id}`

/** Null for what `pageCursor` never made. */
export function readPageCursor(cursor: string): PagePlace | null {
  const [, time, id] =
    /^(\d{1,16})\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.exec(cursor) ?? []
  return time && id ? { time, id } : null
}
