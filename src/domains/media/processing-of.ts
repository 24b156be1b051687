import { sql } from 'drizzle-orm'
import type * as z from 'zod'
import type { lessonVideo } from '../courses/schema.ts'

/** How far the processing of a file is, where `video_processings` is joined; null where there is none. */
export const processingOf = sql<z.output<typeof lessonVideo>['processing']>`
  case when video_processings.media_id is not null then
    json_build_object('status', video_processings.status, 'percent', video_processings.percent,
                      'problem', video_processings.problem) end`
