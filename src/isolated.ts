const fromTheRight =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u

/**
 * Somebody's words within a line of ours that is plain text, as a notice or a mail is: what is read from the right keeps
 * its direction to itself, as in a <bdi>. Without it a mail that begins with a Hebrew title would be laid out from the right.
 */
export const isolated = (words: string) =>
  fromTheRight.test(words) ? `\u2068${words}\u2069` : words

/** Somebody's words between quotation marks, isolated. */
export const quoted = (words: string) => `“${isolated(words)}”`
