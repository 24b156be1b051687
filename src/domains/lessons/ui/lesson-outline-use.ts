import { useEffect, useState } from 'react'
import { client } from '../../../web/api-client.ts'
import type { LessonOutline } from '../schema.ts'
import { filledIn, type OutlinePart } from './lesson-outline-part.ts'

async function fetchOutline(slug: string): Promise<LessonOutline | null> {
  try {
    return await client.lessons.getOutline({ slug })
  } catch {
    return null
  }
}

/** A long course's outline: what the page carries, and the rest once somebody asks for it. */
export function useWholeOutline(slug: string, part: OutlinePart) {
  const [whole, setWhole] = useState<{ outline: LessonOutline; fetchedFor: OutlinePart } | null>(
    null,
  )
  const isOld = whole !== null && whole.fetchedFor !== part

  // The page was loaded again, so something may have changed.
  useEffect(() => {
    if (!isOld) return
    let isHere = true
    void fetchOutline(slug).then(
      (outline) => isHere && outline && setWhole({ outline, fetchedFor: part }),
    )
    return () => {
      isHere = false
    }
  }, [slug, part, isOld])

  return {
    outline: filledIn(part, whole?.outline ?? null),
    /** False when it could not be fetched. */
    async loadWhole(): Promise<boolean> {
      const outline = await fetchOutline(slug)
      if (outline) setWhole({ outline, fetchedFor: part })
      return outline !== null
    },
  }
}
