import type { ClientBase, Pool } from 'pg'

/** What a row says is stored: a file under this key, or a folder with something in it. */
export interface ExpectedFile {
  mediaId: string
  key: string
}

/** What must be stored, by the rows that are ready: of what is still under way nobody was told that it is there. */
export async function expectedFiles(
  executor: Pick<ClientBase, 'query'> | Pool,
): Promise<ExpectedFile[]> {
  const { rows } = await executor.query<ExpectedFile>(
    `select id as "mediaId",
            case when purpose in ('video', 'post_video', 'import') then 'uploads/'
                 when purpose = 'post_image' then 'post-images/'
                 else 'images/' end || id as key
       from media_files where status = 'ready'
     union all
     select v.media_id, 'videos/' || v.media_id
       from video_processings v join media_files m on m.id = v.media_id
      where v.status = 'done' and m.status = 'ready' and (v.has_poster or v.heights <> '[]')
      order by 2`,
  )
  return rows
}

/** Those of which nothing is among the keys. */
export function missingAmong(expected: ExpectedFile[], keys: Iterable<string>): ExpectedFile[] {
  const there = new Set<string>()
  for (const key of keys) {
    there.add(key)
    there.add(key.split('/').slice(0, 2).join('/'))
  }
  return expected.filter(({ key }) => !there.has(key))
}
