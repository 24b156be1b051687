import * as z from 'zod'
import { row } from '../../contract-row.ts'
import { me } from './schema.ts'

// Signing up, in and out are better-auth's own calls under /auth/v1 (docs/architecture.md).
export const accounts = {
  getMe: row('public', 'GET', '/rest/v1/me', 'Who I am, or null').output(me.nullable()),
}

export type Me = z.output<typeof me>
