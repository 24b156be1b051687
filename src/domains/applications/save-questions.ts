import { eq, sql } from 'drizzle-orm'
import type { Transaction } from '../../server/db.ts'
import { questionsOf } from './queries.ts'
import { defaultQuestions } from './rules.ts'
import type { QuestionList } from './schema.ts'
import { courseApplicationQuestions as questions } from './tables.ts'

/**
 * Makes these the questions of a course whose row the caller has locked. A question that is known by its
 * id keeps it; one that went meanwhile, or belongs to another course, comes back as a new one.
 */
export async function saveQuestions(
  transaction: Transaction,
  courseId: string,
  list: QuestionList,
): Promise<void> {
  const free = new Set((await questionsOf(transaction, courseId)).map(({ id }) => id))
  const items = list.map(({ id, question, required }, index) => ({
    // Named twice in a list, the first one is meant.
    id: id !== undefined && free.delete(id) ? id : null,
    question,
    required,
    orderIndex: index + 1,
  }))
  const rows = sql`jsonb_to_recordset(${JSON.stringify(items)}::jsonb)
                     as x("id" uuid, "question" text, "required" bool, "orderIndex" int)`
  await transaction.execute(sql`
    delete from ${questions} q where q.course_id = ${courseId}
       and not exists (select 1 from ${rows} where x."id" = q.id)`)
  await transaction.execute(sql`
    insert into course_application_questions as q (id, course_id, question, required, order_index)
    select coalesce(x."id", uuidv7()), ${courseId}, x."question", x."required", x."orderIndex"
      from ${rows}
    on conflict (id) do update
       set question = excluded.question, required = excluded.required,
           order_index = excluded.order_index
     where q.course_id = excluded.course_id`)
}

/** A course that asks for applications asks at least one question. */
export async function ensureQuestions(transaction: Transaction, courseId: string): Promise<void> {
  const [any] = await transaction
    .select({ id: questions.id })
    .from(questions)
    .where(eq(questions.courseId, courseId))
    .limit(1)
  if (!any) await saveQuestions(transaction, courseId, defaultQuestions)
}
