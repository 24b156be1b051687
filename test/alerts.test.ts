import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import * as z from 'zod'
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
    app = await startTestApp()
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

  test.each(alerts.map(({ alert, annotations }) => [alert, annotations.runbook]))(
    '%s: it is said what to do',
    (_, runbook) => {
      expect(headings).toContain(runbook.split('#')[1])
    },
  )
})
