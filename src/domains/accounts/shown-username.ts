/**
 * For statements: the username of the row of users that `person` names, which leads to the profile; null where no
 * profile is shown, as of who is suspended.
 */
export const shownUsername = (person: string): string =>
  `case when ${person}.suspended_at is null then ${person}.username end`
