// The call behind 'Save Preferences', and a page of its own for the form where no script runs.
import { ORPCError, safe } from '@orpc/client'
import { data, redirect } from 'react-router'
import type { Route } from './+types/preferences-page'
import { PageHeader } from '../../../ui/page-header.tsx'
import { formDataOf } from '../../../web/form-data-of.ts'
import { formApi, pageApi } from '../../../web/page-context.ts'
import { unreached } from '../../../web/unreached.ts'
import { callProblem } from '../../courses/ui/call-problem.ts'
import { pageMeta } from '../../site/ui/page-meta.ts'
import { switches } from '../kinds.ts'
import type { Pace, PreferenceChanges, Preferences } from '../rules.ts'
import {
  emailField,
  inAppField,
  inAppValue,
  PreferencesForm,
  startOf,
} from './preferences-form.tsx'

export const meta = () => pageMeta('Notifications', 'What you are told, and how.')

export async function loader({ context }: Route.LoaderArgs) {
  return { preferences: await context.get(pageApi).notifications.getNotificationPreferences() }
}

export type PreferencesAnswer = { saved: true } | { problem: string; typed: Preferences | null }

const saveFailed =
  'Your preferences could not be saved. Please check your connection and try again.'

const readForm = (form: FormData) =>
  Object.fromEntries(
    switches.map((name) => [
      name,
      // What is no pace is refused by the call, in words.
      { inApp: form.get(inAppField(name)) === 'on', email: form.get(emailField(name)) as Pace },
    ]),
  ) as Preferences

/** What was changed in the form: what was changed elsewhere since, as by the link in a mail, stays so. */
const changedIn = (form: FormData, typed: Preferences): PreferenceChanges =>
  Object.fromEntries(
    switches.map((name) => {
      const { inApp, email } = typed[name]
      const isStill = (field: string, now: string) => form.get(startOf(field)) === now
      return [
        name,
        {
          inApp: isStill(inAppField(name), inAppValue(inApp)) ? undefined : inApp,
          email: isStill(emailField(name), email) ? undefined : email,
        },
      ]
    }),
  )

export async function action({ request, context }: Route.ActionArgs) {
  const form = await formDataOf(request)
  const typed = readForm(form)
  const { saveNotificationPreferences } = context.get(formApi).notifications
  const [error] = await safe(saveNotificationPreferences(changedIn(form, typed)))
  if (!error) return data<PreferencesAnswer>({ saved: true })
  const status = error instanceof ORPCError ? error.status : 500
  if (status === 401) throw redirect('/login?to=/settings%23notifications')
  const problem = callProblem(error, saveFailed)
  return data<PreferencesAnswer>({ problem, typed }, { status })
}

/** Without a connection the form stays as it is, and says so. */
export async function clientAction({ serverAction }: Route.ClientActionArgs) {
  try {
    return await serverAction()
  } catch (error) {
    if (error instanceof Response) throw error
    return unreached<PreferencesAnswer>({ problem: saveFailed, typed: null })
  }
}

export default function PreferencesPage({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <div className="page-width grid max-w-3xl grid-cols-1 gap-8 py-8 lg:py-12">
      <PageHeader
        back={{ to: '/settings#notifications', label: 'Back to Settings' }}
        title="Notifications"
      />
      <PreferencesForm {...loaderData} first={actionData} />
    </div>
  )
}
