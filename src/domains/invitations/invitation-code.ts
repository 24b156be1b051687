import * as z from 'zod'

/** What somebody gives who comes by an invitation; whether it leads anywhere is looked up. */
export const invitationCode = z
  .string('The invitation must be its code')
  .max(100, 'This is no invitation')
