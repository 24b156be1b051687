/** The last post of a page: what the next one goes on after, in any order. */
export interface FeedPlace {
  likes: number
  /** Microseconds since 1970: a JavaScript date would lose the last three digits of a place. */
  at: string
  id: string
}

const pattern =
  /^(\d{1,9})\.(\d{1,16})\.([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$/

export const feedCursor = ({ likes, at, id }: FeedPlace) => `${likes}.${at}.${id}`

/** Null for what `feedCursor` never made. */
export function readFeedCursor(cursor: string): FeedPlace | null {
  const found = pattern.exec(cursor)
  return found && { likes: Number(found[1]), at: found[2]!, id: found[3]! }
}
