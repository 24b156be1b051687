// What the avatar's part of the settings says to the server. Loaded when it is used.
import { safe } from '@orpc/client'
import { client } from '../../../web/api-client.ts'
import { callProblem } from '../../courses/ui/call-problem.ts'

const failed = 'Your picture could not be changed. Please try again.'

/** Null when it worked, else why not in words for the person. */
async function problemOf(call: Promise<unknown>): Promise<string | null> {
  const [error] = await safe(call)
  return error ? callProblem(error, failed) : null
}

export const setAvatar = (mediaId: string) => problemOf(client.accounts.setMyAvatar({ mediaId }))

export const removeAvatar = () => problemOf(client.accounts.removeMyAvatar())
