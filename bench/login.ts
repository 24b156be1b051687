// Log-ins beside what argon2id alone allows, and what a storm of them does to the public pages.
import { setTimeout as delay } from 'node:timers/promises'
import { checkAll } from './check-answer.ts'
import { burst, median } from './load.ts'
import { type Row, whole } from './row.ts'
import { benchPassword, emailOf, seedPasswords } from './seed-passwords.ts'
import {
  type Case,
  casesOf,
  measure,
  type Measured,
  type Measuring,
  middle,
  ratio,
  sampleOf,
  targetOf,
} from './throughput.ts'

const atOnce = 64

function loginsOf({ thunder, bare, size }: Measuring) {
  const people = Array.from({ length: Math.min(2000, size.people) }, (_, at) => at + 1)
  const bodyOf = (email: string) => JSON.stringify({ email, password: benchPassword })
  return {
    bare: {
      name: 'bare: one password checked (argon2id)',
      server: bare,
      expected: [
        { path: '/log-in', method: 'POST', body: bodyOf(emailOf(1)), texts: ['"right":true'] },
      ],
    },
    thunder: {
      name: 'log-in, of many people in turn',
      server: thunder,
      expected: people.map((person) => ({
        path: '/auth/v1/sign-in/email',
        method: 'POST',
        body: bodyOf(emailOf(person)),
        texts: [emailOf(person)],
      })),
    },
  } satisfies Record<string, Case>
}

/** The 99th percentile of these pages, with nothing else going on and during a storm, in turn. */
async function stormOf(pages: Case, logins: Case, measuring: Measuring) {
  const { seconds, repeats } = measuring
  const asked = () => burst(targetOf(pages, measuring), pages.expected, seconds)
  const storm = () => burst(targetOf(logins, measuring), logins.expected, seconds + 3)
  const [quiet, stormy, logged]: number[][] = [[], [], []]
  await pages.prepare?.()
  for (let repeat = 0; repeat <= repeats; repeat++) {
    const before = await asked()
    const raging = storm()
    await delay(1500)
    const during = await asked()
    const { perSecond } = await raging
    // The first round is to warm up.
    if (repeat === 0) continue
    quiet!.push(before.p99)
    stormy!.push(during.p99)
    logged!.push(perSecond)
  }
  return {
    times: median(stormy!.map((tail, at) => tail / quiet![at]!)),
    said:
      `${median(stormy!).toFixed(1)} ms beside ${median(quiet!).toFixed(1)} ms, ` +
      `${whole(median(logged!))} log-ins/s meanwhile`,
  }
}

/** How many are answered with 200 of 64 right log-ins of one person and 64 of as many people. */
async function rightAtOnce({ server, expected }: Case): Promise<number> {
  const many = sampleOf(expected, atOnce).slice(0, atOnce)
  const headers = { 'content-type': 'application/json' }
  const answers = await Promise.all(
    [...Array<(typeof many)[0]>(atOnce).fill(many[0]!), ...many].map(({ path, method, body }) =>
      fetch(server.origin + path, { method, body, headers }),
    ),
  )
  return answers.filter(({ status }) => status === 200).length
}

/** At 16 connections, all from one address; the passwords are made first. */
export async function measureLogins(measuring: Measuring): Promise<Row[]> {
  const logins = loginsOf(measuring)
  await seedPasswords(measuring.database, logins.thunder.expected.length)
  const all = {} as Record<keyof typeof logins, Measured>
  for (const [key, value] of Object.entries(logins) as [keyof typeof logins, Case][]) {
    const bytes = await checkAll(value.server.origin, sampleOf(value.expected, 50))
    all[key] = { ...value, bursts: [], bytes }
  }
  for (let repeat = 1; repeat <= measuring.repeats; repeat++) {
    for (const one of Object.values(all)) await measure(one, measuring)
  }
  const said = (one: Measured) =>
    `${whole(middle(one, 'perSecond'))}/s, p99 ${middle(one, 'p99').toFixed(1)} ms, ` +
    `CPU ${middle(one, 'cpu').toFixed(1)} + ${middle(one, 'databaseCpu').toFixed(1)} ms`
  const times = ratio(all.thunder, all.bare)
  const right = await rightAtOnce(logins.thunder)
  const { course, bareCourse } = casesOf(measuring)
  const ofBare = await stormOf(bareCourse, logins.bare, measuring)
  const ofThunder = await stormOf(course, logins.thunder, measuring)
  return [
    { what: all.bare.name, measured: said(all.bare), goal: '', met: null },
    {
      what: all.thunder.name,
      measured: `**${times.toFixed(2)}x**: ${said(all.thunder)}`,
      goal: `>= 0.8x ${all.bare.name}`,
      met: times >= 0.8,
    },
    {
      what: `${atOnce} right log-ins of one person and one of each of ${atOnce}, at once`,
      measured: `${right} of ${2 * atOnce} succeed`,
      goal: 'all',
      met: right === 2 * atOnce,
    },
    {
      what: 'bare: one indexed query during a storm of passwords: p99',
      measured: `**${ofBare.times.toFixed(2)}x**: ${ofBare.said}`,
      goal: '',
      met: null,
    },
    {
      what: 'course pages, kept, during a storm of log-ins: p99',
      measured: `**${ofThunder.times.toFixed(2)}x**: ${ofThunder.said}`,
      goal: '<= 2x without',
      met: ofThunder.times <= 2,
    },
  ]
}
