/** Whole percent of all votes; 0 while there are none. */
export const percentOf = (votes: number, all: number) =>
  all === 0 ? 0 : Math.round((votes / all) * 100)
