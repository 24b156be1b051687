/** A day as people read it in messages, in UTC: 'January 5, 2027'. */
export const dayLabel = (moment: Date) =>
  moment.toLocaleDateString('en-US', {
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    timeZone: 'UTC',
  })
