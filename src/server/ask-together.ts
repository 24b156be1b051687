// What many requests ask of PostgreSQL at the same time is asked in one statement: to send one, to wake the process
// that answers it and to begin it costs more than to answer it. Who asks alone waits for nobody.
import { DatabaseError, type Pool, type QueryResultRow } from 'pg'
import { underWay, type Work } from './under-way.ts'

/** Questions in a statement. */
const most = 64
/** Milliseconds after which nobody waits for the statements under way any longer: they may never be answered. */
const patience = 50

/** A statement that answers many: it reads what they ask from `asked`, and each row of an answer has the `n` of its question. */
export interface Question {
  /** Of the prepared statement. */
  readonly name: string
  readonly text: string
  /** Names of what is asked with, in order. */
  readonly given: readonly string[]
}

/**
 * `given` are the columns of `asked` with their types; `text` is made with the SQL of `asked`, for its FROM.
 * A sub-select hides from the planner how many ask, so that it need not plan for each number anew.
 */
export function question(
  name: string,
  given: Record<string, string>,
  text: (asked: string) => string,
): Question {
  const names = Object.keys(given)
  const lists = Object.values(given).map((type, at) => `(select $${at + 1}::${type}[])`)
  const asked = `unnest(${lists.join(', ')}) with ordinality as asked (${[...names, 'n'].join(', ')})`
  return { name, given: names, text: text(asked) }
}

const known = new Map<string, Question>()

/** For questions of which there are several kinds: each is made when it is first asked. */
export function questionNamed(name: string, make: (name: string) => Question): Question {
  let one = known.get(name)
  if (!one) known.set(name, (one = make(name)))
  return one
}

type Values = Readonly<Record<string, unknown>>

interface Asker {
  values: Values
  work: Work | undefined
  resolve: (rows: QueryResultRow[]) => void
  reject: (error: unknown) => void
}

/** Those who ask the same of a pool. */
interface Line {
  waiting: Asker[]
  /** Statements that are not answered yet: one, unless it takes longer than our patience. */
  unanswered: number
  timer?: NodeJS.Timeout
}

const lines = new WeakMap<Pool, Map<string, Line>>()

/** From now on what is asked of this pool at the same time is asked together. */
export function gatherOn(pool: Pool): void {
  lines.set(pool, new Map())
}

async function answers(pool: Pool, { name, given, text }: Question, all: readonly Values[]) {
  const values = given.map((key) => all.map((one) => one[key] ?? null))
  const { rows } = await pool.query<QueryResultRow>({ name, text, values })
  const byNumber = Map.groupBy(rows, (row) => Number(row.n))
  return all.map((_, at) => byNumber.get(at + 1) ?? [])
}

/** What PostgreSQL refused was not done, so each can ask again alone: the fault of one is nobody else's. */
const isRefusal = (error: unknown): boolean =>
  error instanceof DatabaseError && error.severity === 'ERROR'

async function answer(pool: Pool, asked: Question, askers: readonly Asker[]): Promise<void> {
  const all = askers.map(({ values }) => values)
  // It belongs to the request of the first; the others have to be told that they took a statement.
  for (const { work } of askers.slice(1)) if (work) work.facts.statements += 1
  try {
    const found = await underWay.run(askers[0]!.work!, () => answers(pool, asked, all))
    for (const [at, asker] of askers.entries()) asker.resolve(found[at]!)
  } catch (error) {
    if (askers.length > 1 && isRefusal(error)) {
      await Promise.all(askers.map((asker) => answer(pool, asked, [asker])))
    } else for (const asker of askers) asker.reject(error)
  }
}

async function answerNext(pool: Pool, asked: Question, line: Line): Promise<void> {
  clearTimeout(line.timer)
  delete line.timer
  const askers = line.waiting.splice(0, most)
  if (askers.length === 0) return
  line.unanswered += 1
  if (line.waiting.length > 0) goOnInTime(pool, asked, line)
  await answer(pool, asked, askers)
  line.unanswered -= 1
  if (line.unanswered === 0) void answerNext(pool, asked, line)
}

function goOnInTime(pool: Pool, asked: Question, line: Line): void {
  line.timer ??= setTimeout(() => void answerNext(pool, asked, line), patience)
}

/** The rows that answer this one: by a statement that begins after the call, which may answer others as well. */
export async function askTogether<Row extends object>(
  pool: Pool,
  asked: Question,
  values: Values,
): Promise<Row[]> {
  const ofPool = lines.get(pool)
  if (!ofPool) return (await answers(pool, asked, [values]))[0] as Row[]
  let line = ofPool.get(asked.name)
  if (!line) ofPool.set(asked.name, (line = { waiting: [], unanswered: 0 }))
  const { promise, resolve, reject } = Promise.withResolvers<QueryResultRow[]>()
  line.waiting.push({ values, work: underWay.getStore(), resolve, reject })
  if (line.unanswered > 0) goOnInTime(pool, asked, line)
  // What came in one turn of the event loop goes together.
  else if (line.waiting.length === 1) setImmediate(answerNext, pool, asked, line)
  return (await promise) as Row[]
}
