// What the profile's form sends, and what its page says about the answer.
import { ORPCError, safe } from '@orpc/client'
import { data, redirect } from 'react-router'
import type { ApiClient } from '../../../server/contract-calls.ts'
import { callProblem } from '../../courses/ui/call-problem.ts'
import { platforms } from '../profile-links.ts'
import type { MyProfile } from '../schema.ts'

/** The values of the form's fields, as they were typed. */
export type TypedProfile = Pick<
  MyProfile,
  'name' | 'username' | 'bio' | 'website' | 'social' | 'version'
>

export const saveFailed =
  'Your profile could not be saved. Please check your connection and try again.'

/** The field's name in the form, and in what the server says about it. */
export const socialField = (platform: string) => `social.${platform}`

function readForm(form: FormData): TypedProfile {
  const text = (name: string) => {
    const value = form.get(name)
    return typeof value === 'string' ? value : ''
  }
  return {
    name: text('name'),
    username: text('username'),
    bio: text('bio'),
    website: text('website'),
    social: Object.fromEntries(
      platforms.map((platform) => [platform, text(socialField(platform))]),
    ) as TypedProfile['social'],
    version: text('version'),
  }
}

/** What is wrong with which field, in the form's order; only the first problem of each. */
function fieldProblems(error: unknown): Record<string, string> {
  if (!(error instanceof ORPCError)) return {}
  if (error.code === 'USERNAME_TAKEN') return { username: error.message }
  const found: { path: string; message: string }[] = error.data?.fields ?? []
  const problems: Record<string, string> = {}
  for (const { path, message } of found) problems[path] ??= message
  return problems
}

/** Saves and goes to the dashboard (spec 2, section 4), or answers what was typed and why it is not saved. */
export async function saveProfile(
  form: FormData,
  calls: Pick<ApiClient['accounts'], 'updateMyProfile'>,
) {
  const typed = readForm(form)
  const [error] = await safe(calls.updateMyProfile(typed))
  if (!error) return redirect('/dashboard')
  const isRefusal = error instanceof ORPCError
  return data(
    {
      problem: callProblem(error, saveFailed),
      fields: fieldProblems(error),
      conflict: isRefusal && error.code === 'PROFILE_CHANGED',
      typed,
    },
    { status: isRefusal ? error.status : 500 },
  )
}
