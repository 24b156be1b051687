/** Accounts without an email address have a stand-in, which no mail reaches. */
export const hasMailbox = (email: string): boolean => !email.endsWith('.invalid')

/** The email address of an account, empty for one without: the stand-in is not for people. */
export const mailboxOf = (email: string): string => (hasMailbox(email) ? email : '')

/**
 * For statements: the email address of the row of users that `person` names, empty for an account without one. Such an
 * account has a stand-in, which no mail reaches and which holds the address of the wallet: it is nobody else's to see.
 */
export const shownEmail = (person: string): string =>
  `case when ${person}.email like '%.invalid' then '' else ${person}.email end`
