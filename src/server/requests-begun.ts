let begun = 0

export const noteRequest = (): void => {
  begun += 1
}

/** How many requests this process has begun to answer. */
export const requestsBegun = (): number => begun
