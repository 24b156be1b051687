import { createHash, timingSafeEqual } from 'node:crypto'
import { monitorEventLoopDelay, performance } from 'node:perf_hooks'
import { jobQueueOf } from '../domains/administration/queued-jobs.ts'
import { disksOf } from './disks.ts'
import { inTime } from './in-time.ts'
import { labelled, type Metric } from './measures.ts'
import type { Replica } from './replica.ts'
import type { Services } from './services.ts'
import { sharedQuestion } from './shared-question.ts'

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

/** Nothing where there are none. */
export function ofReplicas({ publicReads: { replicas, primaryReads } }: Services): Metric[] {
  if (replicas.length === 0) return []
  const of = ({ name }: Replica) => labelled({ replica: name })
  const lags = replicas.flatMap((one) => (one.lag ? [{ labels: of(one), lag: one.lag }] : []))
  return [
    {
      name: 'thunder_public_reads_total',
      type: 'counter',
      help: 'Statements for signed-out visitors, by the server that answered them.',
      samples: [
        { labels: labelled({ target: 'primary' }), value: primaryReads },
        ...replicas.map(({ name, reads }) => ({
          labels: labelled({ target: name }),
          value: reads,
        })),
      ],
    },
    {
      name: 'thunder_replica_used',
      help: 'Whether this replica is used: 0 while it is away, or was behind when it was last asked.',
      samples: replicas.map((one) => ({ labels: of(one), value: Number(one.isUsed) })),
    },
    {
      name: 'thunder_replica_lag_bytes',
      help: 'What the primary has written and this replica has not replayed; left out while it does not answer.',
      samples: lags.map(({ lag, ...rest }) => ({ ...rest, value: lag.bytes })),
    },
    {
      name: 'thunder_replica_lag_seconds',
      help: 'Age of the last transaction that this replica has replayed; 0 when it has replayed everything.',
      samples: lags.map(({ lag, ...rest }) => ({ ...rest, value: lag.seconds })),
    },
  ]
}

/** Of each kind of job what waits, and since when. */
async function ofJobs({ pool }: Services): Promise<Metric[]> {
  const { kinds } = await jobQueueOf(pool)
  const age = (since: Date | null) => (since ? (Date.now() - since.getTime()) / 1000 : 0)
  return [
    {
      name: 'thunder_jobs_queued',
      help: 'Jobs in the queue, by kind and state.',
      samples: kinds.flatMap((kind) =>
        (['waiting', 'later', 'underWay', 'failing', 'givenUp'] as const).map((state) => ({
          labels: labelled({ job: kind.name, state }),
          value: kind[state],
        })),
      ),
    },
    {
      name: 'thunder_jobs_oldest_seconds',
      help: 'How long the oldest job of a kind waits that is due; those of low priority let all others pass.',
      samples: kinds.flatMap(({ name, waitingSince, laterWaitingSince }) => [
        { labels: labelled({ job: name, priority: 'usual' }), value: age(waitingSince) },
        { labels: labelled({ job: name, priority: 'low' }), value: age(laterWaitingSince) },
      ]),
    },
  ]
}

interface MoneyRow {
  waiting: number
  late: number
  failed: number
  repaired: number
  reachable: number
  imbalance: number
}

/** The youngest bookings only: the whole ledger is looked through by night. */
const recentBookings = `select id from ledger_transactions order by id desc limit 500`

async function ofMoney({ pool }: Services): Promise<Metric[]> {
  const { rows } = await pool.query<MoneyRow>(
    `select (select count(*)::int from payment_events where status = 'waiting') as waiting,
            (select coalesce(extract(epoch from now() - min(received_at)), 0)::float8
               from payment_events where status = 'waiting') as late,
            (select count(*)::int from payment_events where status = 'failed') as failed,
            coalesce((select repaired from payment_provider), 0) as repaired,
            coalesce((select is_reachable::int from payment_provider), 1) as reachable,
            (select count(*)::int from (
               select e.transaction_id from ledger_entries e
                where e.transaction_id in (${recentBookings})
                group by e.transaction_id, e.currency having sum(e.amount) <> 0) wrong) as imbalance`,
  )
  const money = rows[0]!
  const gauge = (name: string, help: string, value: number): Metric => ({
    name,
    help,
    samples: [{ value }],
  })
  return [
    gauge(
      'thunder_payment_events_waiting',
      'Events of the payment provider that are not applied yet.',
      money.waiting,
    ),
    gauge(
      'thunder_payment_events_oldest_seconds',
      'How long the oldest of them waits.',
      money.late,
    ),
    gauge('thunder_payment_events_failed', 'Events that were given up.', money.failed),
    {
      ...gauge(
        'thunder_payment_events_repaired_total',
        'Events that the reconciler found and no webhook had brought.',
        money.repaired,
      ),
      type: 'counter',
    },
    gauge(
      'thunder_payment_provider_reachable',
      'Whether the payment provider answered when it was last asked.',
      money.reachable,
    ),
    gauge(
      'thunder_ledger_imbalance',
      'Of the latest 500 bookings those whose entries do not add up to zero.',
      money.imbalance,
    ),
  ]
}

function ofPool({ pool, directPool }: Services): Metric[] {
  const pools = [
    { name: 'requests', pool },
    ...(directPool === pool ? [] : [{ name: 'direct', pool: directPool }]),
  ]
  return [
    {
      name: 'thunder_pool_connections',
      help: 'Connections of this node to PostgreSQL.',
      samples: pools.flatMap((one) => [
        {
          labels: labelled({ pool: one.name, state: 'busy' }),
          value: one.pool.totalCount - one.pool.idleCount,
        },
        { labels: labelled({ pool: one.name, state: 'idle' }), value: one.pool.idleCount },
      ]),
    },
    {
      name: 'thunder_pool_connections_max',
      help: 'How many there may be.',
      samples: pools.map((one) => ({
        labels: labelled({ pool: one.name }),
        value: one.pool.options.max ?? 0,
      })),
    },
    {
      name: 'thunder_pool_waiting',
      help: 'Who waits for one of them.',
      samples: pools.map((one) => ({
        labels: labelled({ pool: one.name }),
        value: one.pool.waitingCount,
      })),
    },
  ]
}

async function ofDisk({ config }: Services): Promise<Metric[]> {
  const disks = await disksOf(config.dataDir)
  return [
    {
      name: 'thunder_disk_free_bytes',
      help: 'Room that is left on each disk that DATA_DIR is on.',
      samples: disks.map(({ name, free }) => ({ labels: labelled({ disk: name }), value: free })),
    },
    {
      name: 'thunder_disk_size_bytes',
      help: 'Room that there is in all.',
      samples: disks.map(({ name, size }) => ({ labels: labelled({ disk: name }), value: size })),
    },
  ]
}

const loopDelay = monitorEventLoopDelay({ resolution: 20 })
loopDelay.enable()
let utilization = performance.eventLoopUtilization()

/** Since the last time that somebody asked. */
function ofProcess({ events, readiness }: Services): Metric[] {
  const memory = process.memoryUsage()
  const { user, system } = process.cpuUsage()
  const seconds = (nanoseconds: number) =>
    Number.isFinite(nanoseconds) ? nanoseconds / 1_000_000_000 : 0
  const delays = [0.5, 0.99, 1].map((quantile) => ({
    labels: labelled({ quantile }),
    value: Math.max(0, seconds(loopDelay.percentile(quantile * 100))),
  }))
  loopDelay.reset()
  const now = performance.eventLoopUtilization()
  const used = performance.eventLoopUtilization(now, utilization).utilization
  utilization = now
  return [
    {
      name: 'thunder_event_streams_open',
      help: 'Event streams that are open on this node.',
      samples: [{ value: events.openStreams() }],
    },
    {
      name: 'thunder_node_ready',
      help: 'Whether this node takes visitors: 0 while it leaves.',
      samples: [{ value: Number(!readiness.isLeaving) }],
    },
    {
      name: 'nodejs_eventloop_delay_seconds',
      help: 'How late timers came since the last time that this was read.',
      samples: delays,
    },
    {
      name: 'nodejs_eventloop_utilization',
      help: 'Share of the time in which it was busy since the last time that this was read, 0 to 1.',
      samples: [{ value: used }],
    },
    {
      name: 'process_cpu_seconds_total',
      type: 'counter',
      help: 'Time of the processor that this process took.',
      samples: [{ value: (user + system) / 1_000_000 }],
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
}

async function ofChecks(services: Services): Promise<Metric[]> {
  const checks = await lastCounterChecks(services)
  const samples = (value: (check: CheckRow) => number) =>
    checks.map((check) => ({ labels: labelled({ counter: check.counter }), value: value(check) }))
  return [
    {
      name: 'thunder_counter_differences',
      help: 'Rows (courses and their days, lessons, posts, comments, answers of polls) of which the last nightly recount had to mend this counter.',
      samples: samples(({ differences }) => differences),
    },
    {
      name: 'thunder_counter_check_timestamp_seconds',
      help: 'When this counter was last recounted.',
      samples: samples(({ at }) => at),
    },
  ]
}

const metricText = ({ name, type = 'gauge', help, samples }: Metric) =>
  [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} ${type}`,
    ...samples.map(({ labels = '', value, suffix = '' }) => `${name}${suffix}${labels} ${value}`),
    '',
  ].join('\n')

/** What PostgreSQL has to be asked for; without it, whatever the node knows by itself. */
const asked = [ofChecks, ofJobs, ofMoney]

/** What there is to watch, in Prometheus' text format. */
export function createMetrics(services: Services): () => Promise<string> {
  // However often it is read, what is not answered takes a connection each.
  const questions = asked.map((ask) => sharedQuestion(() => ask(services)))
  return async () => {
    const answers = await Promise.allSettled(questions.map((ask) => inTime(ask())))
    const fromDatabase = answers.flatMap((answer) =>
      answer.status === 'fulfilled' ? answer.value : [],
    )
    const isUp = answers.every(({ status }) => status === 'fulfilled')
    return [
      ...fromDatabase,
      {
        name: 'thunder_database_up',
        help: 'Whether PostgreSQL answered all that this page asks it, within seconds.',
        samples: [{ value: Number(isUp) }],
      },
      ...ofProcess(services),
      ...ofPool(services),
      ...(await ofDisk(services)),
      ...services.measures.metrics(),
      ...ofReplicas(services),
    ]
      .map(metricText)
      .join('')
  }
}
