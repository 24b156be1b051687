import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import * as z from 'zod'
import { laterThanOthers } from '../src/server/jobs.ts'
import { mailOutcomes } from '../src/server/mail.ts'
import { ofReplicas } from '../src/server/metrics.ts'
import type { Services } from '../src/server/services.ts'
import { startTestApp, type TestApp } from './app.ts'

/** As Prometheus reads them, and what we ask of ourselves besides. */
const rules = z.strictObject({
  groups: z.array(
    z.strictObject({
      name: z.string(),
      rules: z.array(
        z.strictObject({
          alert: z.string().regex(/^[A-Z]\w+$/),
          expr: z.string().min(1),
          for: z
            .string()
            .regex(/^\d+[smh]$/)
            .optional(),
          labels: z.strictObject({ severity: z.enum(['page', 'ticket']) }),
          annotations: z.strictObject({
            summary: z.string(),
            runbook: z.string().regex(/^docs\/operations\.md#[a-z-]+$/),
          }),
        }),
      ),
    }),
  ),
})

const { groups } = rules.parse(parse(await readFile('deploy/alerts.yaml', 'utf8')))
const alerts = groups.flatMap((group) => group.rules)
const operations = await readFile('docs/operations.md', 'utf8')
/** As GitHub makes them. */
const headings = [...operations.matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
  heading!
    .toLowerCase()
    .replace(/[^\w\s-]/g, '')
    .replaceAll(' ', '-'),
)

/** Of a series in a rule its name and the labels that it asks for. */
const seriesIn = (expr: string) =>
  [...expr.matchAll(/\b((?:thunder|nodejs|process)_\w+)(?:\{([^}]*)\})?/g)].map(
    ([, name = '', labels = '']) => ({
      name,
      labels: [...labels.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label]) => label!),
    }),
  )

describe('alerts', () => {
  let app: TestApp
  let exported: string
  beforeAll(async () => {
    app = await startTestApp({ JOBS: 'off' })
    const { services } = app
    await app.signUp()
    await app.request('/rest/v1/courses/none')
    for (const outcome of mailOutcomes) services.measures.mails.add({ outcome })
    await services.pool.query(
      `select graphile_worker.add_job('countWords', run_at := now() + interval '1 day')`,
    )
    await services.pool.query(
      `insert into counter_checks (counter, differences) values ('ledger_payments', 0)`,
    )
    exported = (await app.request('/metrics')).body
    const replica = { name: 'one', isUsed: true, reads: 1, lag: { bytes: 0, seconds: 0 } }
    const ofOne = { publicReads: { replicas: [replica], primaryReads: 1 } }
    for (const { name, samples } of ofReplicas(ofOne as unknown as Services)) {
      exported += samples.map(({ labels }) => `${name}${labels} 0\n`).join('')
    }
  })
  afterAll(() => app?.stop())

  test('are few, each with a name of its own', () => {
    expect(alerts.length).toBeGreaterThanOrEqual(8)
    expect(alerts.length).toBeLessThanOrEqual(14)
    expect(new Set(alerts.map(({ alert }) => alert)).size).toBe(alerts.length)
  })

  test.each(alerts.map(({ alert, expr }) => [alert, expr]))(
    '%s: what it looks at is there',
    (_, expr) => {
      for (const { name, labels } of seriesIn(expr)) {
        const line = exported
          .split('\n')
          .find((one) => one.startsWith(`${name}{`) || one.startsWith(`${name} `))
        expect(line, name).toBeDefined()
        for (const label of labels)
          expect(line, `${name}{${label}}`).toMatch(new RegExp(`[{,]${label}="`))
      }
    },
  )

  test('a mail that does not get out counts, whether it is tried again or refused for good', () => {
    const { expr } = alerts.find(({ alert }) => alert === 'MailsFail')!
    const [, asked = ''] = /thunder_mails_total\{outcome=~"([^"]*)"\}/.exec(expr)!
    const counted = mailOutcomes.filter((outcome) => new RegExp(`^(?:${asked})$`).test(outcome))
    expect(counted).toEqual(mailOutcomes.filter((outcome) => outcome !== 'sent'))
  })

  /** Which alerts the ages of due jobs would raise. */
  async function raisedByWaiting() {
    const { body } = await app.request('/metrics')
    const samples = [...body.matchAll(/^thunder_jobs_oldest_seconds(\{.*\}) ([\d.]+)$/gm)]
    return alerts
      .filter(({ expr }) => {
        const rule = /thunder_jobs_oldest_seconds(?:\{([^}]*)\})?\) > (\d+)/.exec(expr)
        if (!rule) return false
        const [, asked = '', most] = rule
        return samples.some(
          ([, labels, seconds]) => labels!.includes(asked) && Number(seconds) > Number(most),
        )
      })
      .map(({ alert }) => alert)
  }

  test('what goes to many people may wait for hours, what somebody waits for not', async () => {
    const { pool } = app.services
    const waits = async (priority: number, minutes: number) => {
      await pool.query(`delete from graphile_worker._private_jobs`)
      await pool.query(`select graphile_worker.add_job('sendNoticeMail', priority := $1)`, [
        priority,
      ])
      await pool.query(
        `update graphile_worker._private_jobs
            set run_at = now() - $1 * interval '1 minute', created_at = now() - $1 * interval '1 minute'`,
        [minutes],
      )
      return raisedByWaiting()
    }
    expect(await waits(0, 4)).toEqual([])
    expect(await waits(0, 6)).toEqual(['JobsWait'])
    expect(await waits(laterThanOthers, 90)).toEqual([])
    expect(await waits(laterThanOthers, 300)).toEqual(['JobsLeftUndone'])
  })

  test.each(alerts.map(({ alert, annotations }) => [alert, annotations.runbook]))(
    '%s: it is said what to do',
    (_, runbook) => {
      expect(headings).toContain(runbook.split('#')[1])
    },
  )
})
