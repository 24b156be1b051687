// Fills an empty database with more courses and people than any cache should hold, by bulk SQL.
import { createHmac } from 'node:crypto'
import type { Client } from 'pg'
import { categories } from '../src/domains/courses/rules.ts'
import type { RichText, RichTextNode } from '../src/domains/lessons/rich-text.ts'
import { sessionCookieName } from '../src/server/viewer.ts'
import { layOutWords } from './seed-words.ts'

export interface Size {
  /** Published courses. */
  courses: number
  /** How many of them, the newest, have chapters and lessons. */
  taught: number
  /** People with a session; the first of them are the creators. */
  people: number
  creators: number
}

const chaptersPerCourse = 4
const lessonsPerChapter = 5
const lessonsPerCourse = chaptersPerCourse * lessonsPerChapter
const coursesPerPerson = 5

const counted = [
  ['enrollments', 'enrollments_course_day'],
  ['lesson_completions', 'lesson_completions_course_day'],
] as const

/** Rows are numbered from 1; the number is the end of the id. */
const idOf = (number: string) =>
  `('00000000-0000-7000-8000-' || lpad(to_hex(${number}), 12, '0'))::uuid`

const paragraph = (text: string): RichTextNode => ({
  type: 'paragraph',
  content: [{ type: 'text', text }],
})
const heading = (text: string): RichTextNode => ({
  type: 'heading',
  attrs: { level: 2 },
  content: [{ type: 'text', text }],
})
const list = (...items: string[]): RichTextNode => ({
  type: 'bulletList',
  content: items.map((text) => ({ type: 'listItem', content: [paragraph(text)] })),
})

const sentences = [
  'Begin with the smallest thing that works, and look at it before you go on.',
  'Most people rush this step and spend an evening mending what a minute would have shown.',
  'Write down what you expect, then try it: the difference is where you learn.',
  'Your tools matter less than the order in which you use them.',
  'Come back to this page when the next lesson feels hard; the answer is usually here.',
]

/** About 3 KB of JSON, as an ordinary lesson has; `NUMBER` stands for the row's. */
const lessonText: RichText = {
  type: 'doc',
  content: [
    paragraph(
      'Text of lesson NUMBER. In this lesson you make a first version and put it to the test.',
    ),
    heading('What you need'),
    list('A quiet half hour', 'Paper and a pen', 'What you made in the lesson before'),
    heading('Step by step'),
    ...sentences.map((_, at) =>
      paragraph([0, 1, 2].map((step) => sentences[(at + step) % 5]).join(' ')),
    ),
    heading('Before you go on'),
    list(
      'You can say in one sentence what you did',
      'Somebody else understood it',
      'You know what you would change',
    ),
  ],
}

const courseText: RichText = {
  type: 'doc',
  content: [
    paragraph(
      'About course NUMBER. A practical course: short lessons, one small piece of work in each.',
    ),
    heading('Who it is for'),
    paragraph(sentences.slice(0, 3).join(' ')),
    heading('What you will be able to do'),
    list(
      'Plan a piece of work and finish it',
      'See early what goes wrong',
      'Explain to others how you did it',
    ),
    paragraph(sentences.slice(2).join(' ')),
  ],
}

const json = (text: RichText, number: string) =>
  `replace('${JSON.stringify(text).replaceAll("'", "''")}', 'NUMBER', (${number})::text)::jsonb`
const pick = (values: readonly string[], number: string) =>
  `(array[${values.map((value) => `'${value.replaceAll("'", "''")}'`).join(', ')}])[1 + (${number}) % ${values.length}]`

/** Which course of 1 to `taught` a person's nth enrollment is in; scattered, and never twice the same. */
const courseOfPerson = (person: string, nth: string, taught: number) =>
  `1 + ((${person}) * 7919 + (${nth}) * ${Math.floor(taught / coursesPerPerson)}) % ${taught}`

const addPeople = ({ people }: Size) => [
  `insert into users (id, email, email_verified, name, username, welcomed_at)
     select ${idOf('n')}, 'person-' || n || '@bench.example', true, 'Person ' || n, 'person-' || n, now()
       from generate_series(1, ${people}) n`,
  `insert into sessions (token, user_id, expires_at)
     select 'bench-session-' || n, ${idOf('n')}, now() + interval '30 days' from generate_series(1, ${people}) n`,
]

/** Courses `first` to `last`, of which the search learns as it does of any other course. */
const addCourses = ({ taught, creators }: Size, first: number, last: number) =>
  `insert into courses (id, slug, title, description, description_text, instructor_id, pricing_type, category,
                        level, students_count, lessons_count, status, published_at)
   select ${idOf('n')}, 'bench-course-' || n, w.title, ${json(courseText, 'n')}, w.description,
          ${idOf(`1 + n % ${creators}`)}, 'free', ${pick(categories, 'n')},
          ${pick(['Beginner', 'Intermediate', 'Advanced'], 'n')}, (n * 13) % 900,
          case when n <= ${taught} then ${lessonsPerCourse} else 0 end, 'published', now() - n * interval '1 minute'
     from generate_series(${first}, ${last}) n join bench_words w on w.number = n`

function addContent({ taught, people }: Size): string[] {
  return [
    `insert into course_slugs (slug, course_id) select slug, id from courses where slug like 'bench-course-%'`,
    `insert into chapters (id, course_id, title, order_index)
     select ${idOf(`c * ${chaptersPerCourse} + h`)}, ${idOf('c')}, 'Part ' || h, h
       from generate_series(1, ${taught}) c, generate_series(1, ${chaptersPerCourse}) h`,
    `insert into lessons (id, course_id, chapter_id, title, slug, content, order_index)
     select ${idOf(`c * ${lessonsPerCourse} + (h - 1) * ${lessonsPerChapter} + l`)}, ${idOf('c')},
            ${idOf(`c * ${chaptersPerCourse} + h`)},
            'Step ' || ((h - 1) * ${lessonsPerChapter} + l) || ' of course ' || c,
            'step-' || ((h - 1) * ${lessonsPerChapter} + l),
            ${json(lessonText, `c * ${lessonsPerCourse} + (h - 1) * ${lessonsPerChapter} + l`)}, l
       from generate_series(1, ${taught}) c, generate_series(1, ${chaptersPerCourse}) h,
            generate_series(1, ${lessonsPerChapter}) l`,
    `insert into lesson_slugs (course_id, slug, lesson_id)
     select course_id, slug, id from lessons where slug like 'step-%'`,
    `insert into lesson_resources (lesson_id, title, url, order_index)
     select id, 'Further reading ' || n, 'https://example.com/reading/' || n, n
       from lessons, generate_series(1, 2) n where slug like 'step-%'`,
    // Days of these courses are not what is measured, and would take minutes.
    ...counted.map(([table, trigger]) => `alter table ${table} disable trigger ${trigger}`),
    `insert into enrollments (user_id, course_id)
     select ${idOf('p')}, ${idOf(courseOfPerson('p', 'n', taught))}
       from generate_series(1, ${people}) p, generate_series(0, ${coursesPerPerson - 1}) n
     on conflict do nothing`,
    `insert into enrollments (user_id, course_id)
     select instructor_id, id from courses where slug like 'bench-course-%' on conflict do nothing`,
    // Everybody is half through their courses.
    `insert into lesson_completions (user_id, lesson_id, course_id)
     select e.user_id, l.id, l.course_id
       from enrollments e join lessons l on l.course_id = e.course_id
       join chapters h on h.id = l.chapter_id and h.order_index <= ${chaptersPerCourse / 2}
      where l.slug like 'step-%' on conflict do nothing`,
    ...counted.map(([table, trigger]) => `alter table ${table} enable trigger ${trigger}`),
    'vacuum analyze',
  ]
}

const coursesAtOnce = 20_000

/** Indexes that cost less when they are made at the end. */
const madeLast = ['course_search_documents_title_words', 'course_search_documents_words']

/** About 1 ms for each course. */
export async function seedMany(client: Client, size: Size): Promise<void> {
  for (const statement of addPeople(size)) await client.query(statement)
  await layOutWords(client, size.courses)
  const { rows: indexes } = await client.query<{ definition: string }>(
    'select pg_get_indexdef(name::regclass) as definition from unnest($1::text[]) name',
    [madeLast],
  )
  await client.query(`drop index ${madeLast.join(', ')}`)
  for (let first = 1; first <= size.courses; first += coursesAtOnce) {
    const last = Math.min(size.courses, first + coursesAtOnce - 1)
    await client.query(addCourses(size, first, last))
    if (last % 100_000 === 0) console.log(`  ${last} courses`)
  }
  for (const { definition } of indexes) await client.query(definition)
  for (const statement of addContent(size)) await client.query(statement)
}

/** The session cookie of person `number`, signed as better-auth signs it. */
export function cookieOf(number: number, secret: string): string {
  return `${sessionCookieName(false)}=${sessionValueOf(number, secret)}`
}

export function sessionValueOf(number: number, secret: string): string {
  const token = `bench-session-${number}`
  const signature = createHmac('sha256', secret).update(token).digest('base64')
  return encodeURIComponent(`${token}.${signature}`)
}

export interface Place {
  person: number
  course: number
  lesson: number
}

/** Which lesson a person has open: one they are enrolled in, scattered over people and courses. */
export function placeOf(at: number, { people, taught }: Size): Place {
  const person = 1 + ((at * 31) % people)
  const nth = at % coursesPerPerson
  const course = 1 + ((person * 7919 + nth * Math.floor(taught / coursesPerPerson)) % taught)
  return { person, course, lesson: 1 + ((at * 7) % lessonsPerCourse) }
}

/** The number that the text of a lesson names. */
export const lessonNumber = ({ course, lesson }: Place) => course * lessonsPerCourse + lesson

/** The person who made a course. */
export const creatorOf = (course: number, { creators }: Size) => 1 + (course % creators)

/** Of any row that the seed numbers. */
export const idNumbered = (number: number) =>
  `00000000-0000-7000-8000-${number.toString(16).padStart(12, '0')}`
