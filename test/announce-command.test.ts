// npm run announce: scripts/tell-everybody.ts as a process of its own, on the database of a running app.
import { execFile } from 'node:child_process'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readAnnouncement } from '../scripts/read-announcement.ts'
import { startTestApp, type TestApp } from './app.ts'
import { makePerson } from './factories.ts'
import { mailTo } from './mailbox.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app?.stop())

function announce(...parameters: string[]) {
  const { databaseUrl, services } = app
  const { dataDir } = services.config
  return new Promise<{ code: unknown; said: string }>((resolve) => {
    execFile(
      process.execPath,
      ['scripts/tell-everybody.ts', ...parameters],
      { env: { PATH: process.env.PATH, DATABASE_URL: databaseUrl, DATA_DIR: dataDir } },
      (error, stdout, stderr) =>
        resolve({ code: error?.code ?? 0, said: (stdout + stderr).trim() }),
    )
  })
}

const notices = async () =>
  (await app.services.pool.query('select title, message, href, type from notifications')).rows

test('an announcement is told to everybody, and mailed', async () => {
  const people = [await makePerson(app.services), await makePerson(app.services)]
  await app.services.pool.query(
    `insert into users (name, email) values ('Not Yet', 'newcomer@example.com')`,
  )
  const { code, said } = await announce('New colours', 'Have a look.', '--href', '/about')
  expect([code, said]).toEqual([0, expect.stringMatching(/2 people are told\.[^\n]*$/)])
  const notice = { title: 'New colours', message: 'Have a look.', href: '/about', type: 'info' }
  expect(await notices()).toEqual([notice, notice])
  for (const { email } of people) {
    const mail = await mailTo(app, email, /^New colours$/)
    expect(mail.text).toContain('http://localhost:3000/about')
  }
})

test('many are told once each, though the running app tells them as well', async () => {
  const { pool } = app.services
  await pool.query(
    `with made as (
       insert into users (name, email, username, welcomed_at)
       select 'Crowd', gen_random_uuid() || '@example.com', 'crowd-' || gen_random_uuid(), now()
         from generate_series(1, 2500) returning id)
     insert into notification_preferences (user_id, switch, in_app, email)
     select id, 'system_announcements', true, 'off' from made`,
  )
  const { code, said } = await announce('For the crowd', 'You are many.')
  expect([code, said]).toEqual([0, expect.stringMatching(/2502 people are told\.[^\n]*$/)])
  const { rows: told } = await pool.query(
    `select count(*)::int as notices, count(distinct user_id)::int as people
       from notifications where title = 'For the crowd'`,
  )
  expect(told).toEqual([{ notices: 2502, people: 2502 }])
  const { rows: listed } = await pool.query(
    `select a.told_count, a.finished_at, a.announced_by, act.actor_id, act.reason, act.details
       from announcements a
       join administrative_acts act on act.action = 'announce' and act.subject_id = a.id::text
      where a.title = 'For the crowd'`,
  )
  expect(listed).toEqual([
    {
      told_count: 2502,
      finished_at: expect.any(Date),
      announced_by: null,
      actor_id: null,
      reason: 'You are many.',
      details: { audience: 'everybody', people: 2502 },
    },
  ])
})

test('what cannot be announced is told to nobody', async () => {
  const before = await notices()
  expect(await announce('Only a title')).toEqual({
    code: 1,
    said: expect.stringMatching(/^Say what: npm run announce/),
  })
  expect(await notices()).toEqual(before)
})

test.each([
  [[], /^Say what: npm run announce/],
  [['A title', ' '], /^Say what/],
  [['A title', 'A message', 'more'], /^Say what/],
  [['A title', 'A message', '--to', 'ann'], /^Say what/],
  [['x'.repeat(121), 'A message'], /^The title can have at most 120 characters\.$/],
  [['A title', 'x'.repeat(2001)], /^The message can have at most 2,000 characters\.$/],
  [['A title', 'A message', '--href', 'https://evil.example'], /must be a page of this site/],
  [['A title', 'A message', '--href', '//evil.example'], /must be a page of this site/],
])('%j is refused in words', (typed, sentence) => {
  expect(readAnnouncement(typed)).toMatch(sentence)
})
