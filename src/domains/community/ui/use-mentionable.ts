import { safe } from '@orpc/client'
import { useEffect, useState } from 'react'
import { client } from '../../../web/api-client.ts'
import type { Mentionable } from '../schema.ts'

const nobody: Mentionable[] = []
/** Who writes fast asks once. */
const pause = 150

/** Whom the begun name could mean; nobody while it is not known, or cannot be. Null asks nothing. */
export function useMentionable(slug: string, search: string | null): Mentionable[] {
  const [answer, setAnswer] = useState({ slug, search: '', people: nobody })

  useEffect(() => {
    if (search === null) return undefined
    let isLatest = true
    const timer = setTimeout(async () => {
      const [, people] = await safe(client.community.findMentionable({ slug, search }))
      if (isLatest) setAnswer({ slug, search, people: people ?? nobody })
    }, pause)
    return () => {
      isLatest = false
      clearTimeout(timer)
    }
  }, [slug, search])

  if (search === null || answer.slug !== slug) return nobody
  // Those of the shorter beginning stay until the answer comes, as far as they fit.
  return search.startsWith(answer.search)
    ? answer.people.filter((person) => isMeant(person, search.toLowerCase()))
    : nobody
}

const isMeant = ({ name, username }: Mentionable, search: string) =>
  name.toLowerCase().startsWith(search) || username.startsWith(search)
