// What a node counts while it works; `metrics.ts` says it in Prometheus' words.

export type Labels = Record<string, string | number>

export interface Metric {
  name: string
  type?: 'gauge' | 'counter' | 'histogram'
  help: string
  samples: { labels?: string; value: number; suffix?: '_bucket' | '_sum' | '_count' }[]
}

const escaped = (value: string | number) => String(value).replace(/["\\\n]/g, '_')

export function labelled(labels: Labels): string {
  const parts = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`)
  return parts.length > 0 ? `{${parts.join(',')}}` : ''
}

function counter(name: string, help: string) {
  const counts = new Map<string, number>()
  return {
    add(labels: Labels = {}, by = 1): void {
      const key = labelled(labels)
      counts.set(key, (counts.get(key) ?? 0) + by)
    },
    metric: (): Metric => ({
      name,
      type: 'counter',
      help,
      samples: [...counts].map(([labels, value]) => ({ labels, value })),
    }),
  }
}

/** Seconds; the last bucket is whatever takes longer. */
const bounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]

interface Times {
  labels: Labels
  /** One more than there are bounds. */
  buckets: number[]
  sum: number
}

function durations(name: string, help: string) {
  const all = new Map<string, Times>()
  return {
    add(key: string, labels: () => Labels, seconds: number): void {
      let times = all.get(key)
      if (!times) {
        times = {
          labels: labels(),
          buckets: Array.from({ length: bounds.length + 1 }, () => 0),
          sum: 0,
        }
        all.set(key, times)
      }
      const index = bounds.findIndex((bound) => seconds <= bound)
      times.buckets[index < 0 ? bounds.length : index]! += 1
      times.sum += seconds
    },
    metric(): Metric {
      const samples = [...all.values()].flatMap(({ labels, buckets, sum }) => {
        let count = 0
        const upTo = buckets.map((some, index) => ({
          suffix: '_bucket' as const,
          labels: labelled({ ...labels, le: bounds[index] ?? '+Inf' }),
          value: (count += some),
        }))
        return [
          ...upTo,
          { suffix: '_sum' as const, labels: labelled(labels), value: sum },
          { suffix: '_count' as const, labels: labelled(labels), value: count },
        ]
      })
      return { name, type: 'histogram', help, samples }
    },
  }
}

export type Measures = ReturnType<typeof createMeasures>

/** Made once for a node. */
export function createMeasures() {
  let requestsUnderWay = 0
  const answers = durations(
    'thunder_request_duration_seconds',
    'Time until an answer began, by the pattern of the address; its count by status is the rate and the errors.',
  )
  const counters = {
    statements: counter(
      'thunder_request_statements_total',
      'Statements of PostgreSQL that requests took, by the pattern of the address.',
    ),
    jobs: counter('thunder_jobs_total', 'Jobs that this node worked, by kind and how they ended.'),
    mails: counter(
      'thunder_mails_total',
      'Mails that this node handed over, by what became of them.',
    ),
    webhooks: counter(
      'thunder_webhooks_received_total',
      'What the payment provider sent to this node, by the status of our answer.',
    ),
    databaseErrors: counter(
      'thunder_database_errors_total',
      'Errors that PostgreSQL answered, by SQLSTATE; 23505 and 40001 belong to the day’s work.',
    ),
  }
  return {
    ...counters,
    begin: () => void (requestsUnderWay += 1),
    answered(route: string, method: string, status: number, seconds: number, statements: number) {
      requestsUnderWay -= 1
      const key = `${method} ${status} ${route}`
      answers.add(key, () => ({ route, method, status }), seconds)
      if (statements > 0) counters.statements.add({ route }, statements)
    },
    metrics: (): Metric[] => [
      answers.metric(),
      {
        name: 'thunder_requests_under_way',
        help: 'Requests that have not been answered yet.',
        samples: [{ value: requestsUnderWay }],
      },
      ...Object.values(counters).map((one) => one.metric()),
    ],
  }
}
