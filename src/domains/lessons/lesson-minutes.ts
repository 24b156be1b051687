/** The length of a video in whole minutes, in SQL; null where the file does not say. */
export const videoMinutes = (mediaFile: string) =>
  `case when ${mediaFile}.duration_seconds > 0
        then greatest(1, round(${mediaFile}.duration_seconds / 60))::int end`

/** How long lesson `l` takes: as long as its video, media file `m`, else what its creator says, else null. */
export const lessonMinutes = `coalesce(${videoMinutes('m')}, l.duration_minutes)`
