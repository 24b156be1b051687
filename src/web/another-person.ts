// A page that was shown to somebody must not go on as somebody else's, who logged in in another tab: what the first one
// wrote would stand under the second one's name, and be kept among the second one's drafts.
import { useEffect, useState } from 'react'

/** Who was signed in here first. Outlives a log-out, after which what was written is still here. */
let owner: string | undefined

/**
 * Whether somebody else is signed in by now; this tab then begins anew. Show nothing meanwhile, so that no part of the
 * page goes on for them, or asks whether to leave.
 */
export function useAnotherPerson(userId: string | undefined): boolean {
  const [isTold, setTold] = useState(false)
  const isAnother = isTold || (owner !== undefined && userId !== undefined && userId !== owner)

  useEffect(() => {
    if (isAnother) return location.reload()
    owner ??= userId
    if (owner === undefined) return
    // A tab in the background reads nothing, and would hear of it only from its next page.
    const tabs = new BroadcastChannel('signed-in')
    tabs.addEventListener('message', ({ data }) => data !== owner && setTold(true))
    // A channel reaches our own tabs only, and takes no origin.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    if (userId !== undefined) tabs.postMessage(userId)
    return () => tabs.close()
  }, [userId, isAnother])

  return isAnother
}
