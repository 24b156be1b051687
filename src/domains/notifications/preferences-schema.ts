import * as z from 'zod'
import { switches } from './kinds.ts'
import { paces, switchWords } from './rules.ts'

const preference = z.object({ inApp: z.boolean(), email: z.enum(paces) })

export const preferences = z.record(z.enum(switches), preference)

const changeOf = ({ label }: { label: string }) =>
  z
    .object(
      {
        inApp: z.boolean(`${label}: in-app is on (true) or off (false).`),
        email: z.enum(paces, `${label}: email is one of ${paces.join(', ')}.`),
      },
      `${label}: say inApp, email or both.`,
    )
    .partial()

/** Only what is named changes: of the switches, and of what each has. */
export const preferencesUpdate = z
  .object({
    new_signup: changeOf(switchWords.new_signup),
    system_announcements: changeOf(switchWords.system_announcements),
    comment_alert: changeOf(switchWords.comment_alert),
    sales_alert: changeOf(switchWords.sales_alert),
  })
  .partial()

/** From the address in a mail. */
export const byMailToken = z.object({
  token: z.string('The address is incomplete: its token is missing.').max(200),
})

export const mailSubscription = z.object({
  /** The switches whose mails this link stops, in words; none when they are stopped already. */
  stops: z.array(z.string()),
})
