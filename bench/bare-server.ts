// What Thunder is compared with: the same server library, driver, pool and database, and nothing else.
import { serve } from '@hono/node-server'
import { verify } from '@node-rs/argon2'
import { Hono } from 'hono'
import { streamSSE, type SSEStreamingApi } from 'hono/streaming'
import { Client, Pool } from 'pg'
import { hashPassword } from '../src/server/auth/hash-password.ts'
import { benchPassword } from './seed-passwords.ts'
import { staticPage } from './static-page.ts'

const pool = new Pool({ connectionString: process.env.DATABASE_URL, max: 20 })
const app = new Hono()

app.get('/course/:slug', async (context) => {
  const { rows } = await pool.query({
    name: 'course',
    text: `select id, slug, title, short_description, description_text, category, level, price_amount,
                  students_count, lessons_count, verified
             from courses where slug = $1 and status = 'published'`,
    values: [context.req.param('slug')],
  })
  return rows[0] ? context.json(rows[0]) : context.notFound()
})

app.get('/list', async (context) => {
  const category = context.req.query('category')
  const { rows } = await pool.query({
    name: category ? 'list of a category' : 'list',
    text: `select id, slug, title, short_description, category, level, students_count, lessons_count
             from courses where status = 'published' ${category ? 'and category = $1' : ''}
            order by published_at desc nulls last, id desc nulls last limit 24`,
    values: category ? [category] : [],
  })
  return context.json(rows)
})

app.get('/course/:slug/lesson/:lesson', async (context) => {
  const { rows } = await pool.query({
    name: 'lesson',
    text: `select l.id, l.slug, l.title, l.content
             from lessons l join courses c on c.id = l.course_id
            where c.slug = $1 and l.slug = $2`,
    values: [context.req.param('slug'), context.req.param('lesson')],
  })
  return rows[0] ? context.json(rows[0]) : context.notFound()
})

// What a feed is at the least: the newest posts with their authors, and which of them this person likes.
app.get('/feed/:course/:user', async (context) => {
  const { rows } = await pool.query({
    name: 'feed',
    text: `select p.id, p.content, p.created_at, p.likes_count, p.comments_count, u.name, u.username,
                  exists (select 1 from post_likes l where l.post_id = p.id and l.user_id = $2) as liked
             from posts p join users u on u.id = p.user_id
            where p.course_id = $1 and p.status = 'published'
            order by p.created_at desc nulls last, p.id desc nulls last limit 20`,
    values: [context.req.param('course'), context.req.param('user')],
  })
  return context.json(rows)
})

// What a position is at the least: a row of its own, on the disk before the answer.
await pool.query(`create table if not exists bench_positions (
  id bigint generated always as identity primary key, user_id uuid, lesson_id uuid, seconds real)`)
app.put('/position/:user/:lesson', async (context) => {
  const { seconds } = await context.req.json()
  await pool.query({
    name: 'position',
    text: 'insert into bench_positions (user_id, lesson_id, seconds) values ($1, $2, $3)',
    values: [context.req.param('user'), context.req.param('lesson'), seconds],
  })
  return context.json({ seconds })
})

// What a log-in is at the least: one password, checked as Thunder does it.
const stored = await hashPassword(benchPassword)
app.post('/log-in', async (context) => {
  const { password } = await context.req.json()
  return context.json({ right: await verify(stored, password) })
})

const streams = new Set<SSEStreamingApi>()
app.get('/stream', (context) =>
  streamSSE(context, async (stream) => {
    streams.add(stream)
    await stream.write(': \n\n')
    await new Promise<void>((resolve) => stream.onAbort(resolve))
    streams.delete(stream)
  }),
)
const listener = new Client({ connectionString: process.env.DATABASE_URL })
await listener.connect()
await listener.query('listen bare_events')
listener.on('notification', ({ payload = '' }) => {
  for (const stream of streams) void stream.writeSSE({ data: payload })
})

app.get('/static', (context) => context.html(staticPage))
app.get('/healthz', (context) => context.text('ready'))

const server = serve({ fetch: app.fetch, port: Number(process.env.PORT), hostname: '127.0.0.1' })
process.once('SIGTERM', () => {
  server.close()
  if ('closeAllConnections' in server) server.closeAllConnections()
  void pool.end()
  void listener.end()
})
