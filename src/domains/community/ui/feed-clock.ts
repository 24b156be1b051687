import { createContext, use } from 'react'

/** The server's time, for everything in the discussion that says how long ago it was. */
export const FeedClock = createContext<Date | null>(null)

export const useFeedClock = () => use(FeedClock) ?? new Date()
