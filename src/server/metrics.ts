import { createHash, timingSafeEqual } from 'node:crypto'
import type { Services } from './services.ts'

const isLoopback = (address: string) =>
  address === '::1' || /^(?:::ffff:)?127(?:\.\d{1,3}){3}$/.test(address)

const digest = (text: string) => createHash('sha256').update(text).digest()

/**
 * Whether this request may read the figures: from this machine, or with the token. What a proxy on this
 * machine forwards comes from elsewhere, whatever the connection says.
 */
export function mayReadMetrics(
  { headers }: Request,
  address: string,
  { metricsToken, trustProxy }: { metricsToken: string | undefined; trustProxy: boolean },
): boolean {
  const [scheme, token] = (headers.get('authorization') ?? '').split(' ')
  if (metricsToken && scheme?.toLowerCase() === 'bearer' && token) {
    return timingSafeEqual(digest(token), digest(metricsToken))
  }
  const isForwarded = headers.has('x-forwarded-for') || headers.has('forwarded')
  return isLoopback(address) && (trustProxy || !isForwarded)
}

interface Metric {
  name: string
  help: string
  samples: { labels?: string; value: number }[]
}

interface CheckRow {
  counter: string
  differences: number
  at: number
}

async function lastCounterChecks({ pool }: Services): Promise<CheckRow[]> {
  const { rows } = await pool.query<CheckRow>(
    `select distinct on (counter) counter, differences, extract(epoch from created_at)::float8 as "at"
       from counter_checks order by counter, created_at desc nulls last`,
  )
  return rows
}

/** What there is to watch, in Prometheus' text format. */
export async function metricsText(services: Services): Promise<string> {
  const checks = await lastCounterChecks(services)
  const ofChecks = (value: (check: CheckRow) => number) =>
    checks.map((check) => ({ labels: `{counter="${check.counter}"}`, value: value(check) }))
  const memory = process.memoryUsage()
  const metrics: Metric[] = [
    {
      name: 'thunder_counter_differences',
      help: 'Rows (courses and their days, lessons, posts, comments, answers of polls) of which the last nightly recount had to mend this counter.',
      samples: ofChecks(({ differences }) => differences),
    },
    {
      name: 'thunder_counter_check_timestamp_seconds',
      help: 'When this counter was last recounted.',
      samples: ofChecks(({ at }) => at),
    },
    {
      name: 'thunder_event_streams_open',
      help: 'Event streams that are open on this node.',
      samples: [{ value: services.events.openStreams() }],
    },
    {
      name: 'process_resident_memory_bytes',
      help: 'Memory that this process holds.',
      samples: [{ value: memory.rss }],
    },
    {
      name: 'nodejs_heap_size_used_bytes',
      help: 'Memory that its JavaScript objects need.',
      samples: [{ value: memory.heapUsed }],
    },
    {
      name: 'process_uptime_seconds',
      help: 'Since when this process runs.',
      samples: [{ value: process.uptime() }],
    },
  ]
  return metrics.map(metricText).join('')
}

const metricText = ({ name, help, samples }: Metric) =>
  [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} gauge`,
    ...samples.map(({ labels = '', value }) => `${name}${labels} ${value}`),
    '',
  ].join('\n')
