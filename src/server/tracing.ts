// Traces for any collector that speaks OpenTelemetry's protocol (OTLP over HTTP, in JSON). Loaded only where one is set.
import { randomBytes } from 'node:crypto'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { ClientRequest, IncomingMessage } from 'node:http'
import type { Log } from './log.ts'
import { underWay } from './under-way.ts'

type Kind = 'internal' | 'server' | 'client' | 'consumer'
type Attributes = Record<string, string | number>

/** One step of what is done for a request or a job. */
export interface Span {
  child(name: string, kind: Kind, attributes?: Attributes): Span
  rename(name: string): void
  set(attributes: Attributes): void
  /** With what went wrong, if something did. */
  end(error?: unknown): void
}

export interface Tracer {
  /** Undefined where this one is not chosen for the sample. `traceparent` is what a caller says (W3C). */
  begin(
    name: string,
    kind: Kind,
    attributes?: Attributes,
    traceparent?: string | null,
  ): Span | undefined
  /** Sends what is left. */
  stop(): Promise<void>
}

export interface TracingOptions {
  /** Of the collector; traces go to `/v1/traces` below it. */
  endpoint: string
  headers: Record<string, string>
  service: string
  node: string
  /** Which share of requests is traced, 0 to 1; who called us decides when they say so. */
  share: number
  log: Log
}

/** Milliseconds between sendings. */
const sendEvery = 2000
/** Spans that wait at most: a collector that is away must not fill the memory. */
const mostWaiting = 4096
const mostAtOnce = 512

const kinds: Record<Kind, number> = { internal: 1, server: 2, client: 3, consumer: 5 }

interface Finished {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: {
    key: string
    value: { stringValue: string } | { intValue: string } | { doubleValue: number }
  }[]
  status: { code?: number }
}

const attributesOf = (attributes: Attributes): Finished['attributes'] =>
  Object.entries(attributes).map(([key, value]) => ({
    key,
    value:
      typeof value === 'string'
        ? { stringValue: value }
        : Number.isInteger(value)
          ? { intValue: String(value) }
          : { doubleValue: value },
  }))

const id = (bytes: number) => randomBytes(bytes).toString('hex')
const now = () => BigInt(Math.round((performance.timeOrigin + performance.now()) * 1e6))

/** What a caller says of its own trace; null when that is not as W3C wants it. */
export function readTraceparent(header: string | null | undefined) {
  const match = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?$/.exec(
    header ?? '',
  )
  if (!match) return null
  const [, version, traceId = '', spanId = '', flags = ''] = match
  if (version === 'ff' || /^0+$/.test(traceId) || /^0+$/.test(spanId)) return null
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 }
}

/** A name of the fault, without its words: these repeat what people typed. */
function errorType(error: unknown): string {
  const { code } = error as { code?: unknown }
  if (typeof code === 'string' && /^\w{1,40}$/.test(code)) return code
  return error instanceof Error ? error.name : typeof error
}

export function startTracing(options: TracingOptions): Tracer {
  const waiting: Finished[] = []
  let dropped = 0
  let isAway = false

  function spanOf(
    name: string,
    kind: Kind,
    attributes: Attributes,
    traceId: string,
    parent?: string,
  ): Span {
    const spanId = id(8)
    const start = now()
    let said = name
    let isOver = false
    const facts = { ...attributes }
    return {
      child: (inner, innerKind, more = {}) => spanOf(inner, innerKind, more, traceId, spanId),
      rename: (to) => void (said = to),
      set: (more) => void Object.assign(facts, more),
      end(error) {
        if (isOver) return
        isOver = true
        if (error !== undefined) facts['error.type'] = errorType(error)
        if (waiting.length >= mostWaiting) return void (dropped += 1)
        waiting.push({
          traceId,
          spanId,
          ...(parent && { parentSpanId: parent }),
          name: said,
          kind: kinds[kind],
          startTimeUnixNano: String(start),
          endTimeUnixNano: String(now()),
          attributes: attributesOf(facts),
          status: error === undefined ? {} : { code: 2 },
        })
      },
    }
  }

  const resource = {
    attributes: attributesOf({
      'service.name': options.service,
      'service.instance.id': options.node,
    }),
  }

  async function send(): Promise<void> {
    while (waiting.length > 0) {
      const spans = waiting.slice(0, mostAtOnce)
      const answer = await fetch(`${options.endpoint.replace(/\/$/, '')}/v1/traces`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...options.headers },
        body: JSON.stringify({
          resourceSpans: [{ resource, scopeSpans: [{ scope: { name: options.service }, spans }] }],
        }),
        signal: AbortSignal.timeout(5000),
      }).catch(() => null)
      await answer?.body?.cancel()
      // What it refuses for good would be refused again.
      const isTaken = answer !== null && answer.status !== 429 && answer.status < 500
      if (isTaken) waiting.splice(0, spans.length)
      if (!answer?.ok !== isAway) {
        isAway = !answer?.ok
        const facts = { status: answer?.status, waiting: waiting.length, dropped }
        if (isAway) options.log.warn(facts, 'the collector of traces does not take them')
        else options.log.info(facts, 'the collector of traces takes them again')
      }
      if (!isTaken) return
    }
  }

  let sending: Promise<void> = Promise.resolve()
  const sendNext = () => (sending = sending.then(send))
  // Outside of whatever is under way: it is no part of that.
  const timer = underWay.exit(() => setInterval(sendNext, sendEvery))
  timer.unref()

  const listeners = followOutgoing()
  for (const [channel, listener] of listeners) subscribe(channel, listener)

  return {
    begin(name, kind, attributes = {}, traceparent = null) {
      const caller = readTraceparent(traceparent)
      const isSampled = caller ? caller.isSampled : Math.random() < options.share
      if (!isSampled) return undefined
      return spanOf(name, kind, attributes, caller?.traceId ?? id(16), caller?.spanId)
    },
    async stop() {
      clearInterval(timer)
      for (const [channel, listener] of listeners) unsubscribe(channel, listener)
      await sendNext()
    },
  }
}

interface UndiciRequest {
  origin: string | URL
  method: string
  path: string
}

type Listener = (message: unknown) => void

/**
 * Requests of ours to others, by `fetch` and by Node's own client: whom, how, and how long; never the path, which
 * may sign somebody in or name a file of somebody's.
 */
function followOutgoing(): [string, Listener][] {
  const open = new WeakMap<object, Span>()
  function begin(request: object, method: string, origin: string): void {
    const parent = underWay.getStore()?.span
    if (!parent || !URL.canParse(origin)) return
    const { hostname, port, protocol } = new URL(origin)
    const address = { 'server.address': hostname, ...(port && { 'server.port': Number(port) }) }
    const facts = { 'http.request.method': method, 'url.scheme': protocol.slice(0, -1), ...address }
    open.set(request, parent.child(method, 'client', facts))
  }
  function end(request: object, status?: number, error?: unknown): void {
    const span = open.get(request)
    if (!span) return
    open.delete(request)
    if (status !== undefined) span.set({ 'http.response.status_code': status })
    span.end(
      error ?? (status !== undefined && status >= 400 ? { code: String(status) } : undefined),
    )
  }
  const on = <Message>(
    channel: string,
    listener: (message: Message) => void,
  ): [string, Listener] => [channel, listener as Listener]
  return [
    on<{ request: UndiciRequest }>('undici:request:create', ({ request }) =>
      begin(request, request.method, String(request.origin)),
    ),
    on<{ request: UndiciRequest; response: { statusCode: number } }>(
      'undici:request:headers',
      ({ request, response }) => end(request, response.statusCode),
    ),
    on<{ request: UndiciRequest; error: unknown }>('undici:request:error', ({ request, error }) =>
      end(request, undefined, error),
    ),
    on<{ request: ClientRequest }>('http.client.request.start', ({ request }) =>
      begin(request, request.method, `${request.protocol}//${request.host}`),
    ),
    on<{ request: ClientRequest; response: IncomingMessage }>(
      'http.client.response.finish',
      ({ request, response }) => end(request, response.statusCode),
    ),
    on<{ request: ClientRequest; error: unknown }>(
      'http.client.request.error',
      ({ request, error }) => end(request, undefined, error),
    ),
  ]
}
