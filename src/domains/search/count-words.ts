import { type SQL, sql } from 'drizzle-orm'
import type { Services } from '../../server/services.ts'

const counts = (column: string): SQL =>
  sql.raw(
    `select word collate "C" as word, ndoc from ts_stat('select ${column} from course_search_documents')`,
  )

/** Counts how many courses use each word, and takes away the words that none uses any more. */
export async function countWords({ db }: Pick<Services, 'db'>): Promise<void> {
  await db.execute(sql`
    with everywhere as materialized (${counts('words')}),
         in_titles as materialized (${counts('title_words')})
    update search_words w
       set courses_count = coalesce(e.ndoc, 0), titles_count = coalesce(t.ndoc, 0)
      from search_words known
           left join everywhere e on e.word = known.word
           left join in_titles t on t.word = known.word
     where w.word = known.word
       and (w.courses_count, w.titles_count)
           is distinct from (coalesce(e.ndoc, 0), coalesce(t.ndoc, 0))`)
  await db.transaction(async (transaction) => {
    // Whoever saves a course waits for a moment, so that none of its words is taken for unused.
    await transaction.execute(sql`lock table search_words in exclusive mode`)
    // What has been used since it was counted is kept.
    await transaction.execute(sql`
      delete from search_words w
       where w.courses_count = 0
         and not exists (select from course_search_documents d
                          where d.words @@ quote_literal(w.word)::tsquery)`)
  })
}
