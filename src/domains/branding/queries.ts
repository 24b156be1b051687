import { eq } from 'drizzle-orm'
import type { Executor } from '../../server/db.ts'
import { accentOf, accentProperties } from '../../ui/accent.ts'
import { type Branding, coverUrls, logoUrl, noBranding } from './rules.ts'
import type { ShownBranding } from './schema.ts'
import { courseBrandings } from './tables.ts'

/** The branding of a course as it is stored. */
export async function brandingOf(executor: Executor, courseId: string): Promise<Branding> {
  const [row] = await executor
    .select({
      colour: courseBrandings.colour,
      logoId: courseBrandings.logoId,
      coverId: courseBrandings.coverId,
      certificateHeading: courseBrandings.certificateHeading,
      certificateWords: courseBrandings.certificateWords,
      certificateSignatory: courseBrandings.certificateSignatory,
    })
    .from(courseBrandings)
    .where(eq(courseBrandings.courseId, courseId))
  return row ?? noBranding
}

export type StoredLook = Pick<Branding, 'colour' | 'logoId' | 'coverId'> | null

/** A column for statements about `courses c`; `shown` makes of it what pages show. */
export const lookColumn = `
  (select json_build_object('colour', b.colour, 'logoId', b.logo_id, 'coverId', b.cover_id)
     from course_brandings b where b.course_id = c.id) as "look"`

export function shown(look: StoredLook): ShownBranding {
  if (!look) return null
  const { colour, logoId, coverId } = look
  if (colour === null && logoId === null && coverId === null) return null
  return {
    accent: colour === null ? null : accentProperties(accentOf(colour)),
    logoUrl: logoId === null ? null : logoUrl(logoId),
    cover: coverId === null ? null : coverUrls(coverId),
  }
}
