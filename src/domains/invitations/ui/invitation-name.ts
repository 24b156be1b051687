import type { Invitation } from '../schema.ts'

/** The part of a link that tells it from others. */
export const nameOf = ({ url, email }: Invitation) =>
  email ?? url?.replace(/^https?:\/\//, '') ?? ''
