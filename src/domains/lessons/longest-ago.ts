/** Seconds. Where somebody was in a video is told for so long. */
export const longestAgo = 30 * 86_400
