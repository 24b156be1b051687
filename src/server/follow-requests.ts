// What is noted of every request: its number, a line in the log, the figures, and the first span of its trace.
import { randomUUID } from 'node:crypto'
import { isContractProcedure } from '@orpc/contract'
import type { MiddlewareHandler } from 'hono'
import { contract } from '../contract.ts'
import { authCalls } from './auth/calls.ts'
import { finished } from './packing.ts'
import { noteRequest } from './requests-begun.ts'
import { createRouteNames, type RouteNames } from './route-names.ts'
import type { Services } from './services.ts'
import { underWay, type Work, type WorkFacts } from './under-way.ts'

/** Doors beside the contract and the pages. */
const doors = [
  '/storage/v1/uploads',
  '/storage/v1/uploads/*',
  '/storage/v1/my-data.zip',
  '/storage/v1/images/*',
  '/storage/v1/post-images/*',
  '/storage/v1/post-videos/*',
  '/storage/v1/videos/*',
  '/storage/v1/streams/*',
  '/storage/v1/*',
  '/certificates/*',
  '/webhooks/:provider',
  '/sandbox/stripe/*',
  '/sandbox/paypal/*',
  '/auth/v1/*',
  '/rest/v1/openapi.json',
  '/rest/v1/*',
  '/functions/v1/*',
  '/realtime/v1/*',
  '/docs',
  '/outbox/*',
  '/og/*',
  '/sitemap.xml',
  '/sitemaps/*',
  '/sw.js',
]

const pathsOfCalls = Object.values(contract).flatMap((calls) =>
  Object.values(calls).flatMap((call) =>
    isContractProcedure(call) ? (call['~orpc'].route.path ?? []) : [],
  ),
)

export const namesOfRoutes = (): RouteNames =>
  createRouteNames([...doors, ...pathsOfCalls, ...authCalls.map(({ path }) => `/auth/v1${path}`)])

/** A number that a proxy of ours gave the request; whoever else sends one could put anything into our log. */
function numberFrom(header: string | undefined, isTrusted: boolean): string | null {
  return isTrusted && header !== undefined && /^[\w-]{8,64}$/.test(header) ? header : null
}

export function followRequests(services: Services, names: RouteNames): MiddlewareHandler {
  const { log, measures, tracer, config } = services
  return async (context, next) => {
    const begun = performance.now()
    const { method } = context.req
    const given = numberFrom(context.req.header('x-request-id'), config.trustProxy)
    const requestId = given ?? randomUUID()
    const facts: WorkFacts = { statements: 0 }
    const work: Work = { requestId, facts }
    const span = tracer?.begin(
      method,
      'server',
      { 'http.request.method': method, 'thunder.request_id': requestId },
      context.req.header('traceparent'),
    )
    if (span) work.span = span
    measures.begin()
    noteRequest()
    await underWay.run(work, next)
    const { status } = context.res
    const route = names.of(context.req.path.replace(/\.data$/, ''))
    const ms = performance.now() - begun
    const { statements } = facts
    measures.answered(route, method, status, ms / 1000, statements)
    const said = { requestId, method, route, status, ms: Math.round(ms * 10) / 10, statements }
    if (status >= 500) log.warn(said, 'request')
    else log.info(said, 'request')
    if (span) {
      span.rename(`${method} ${route}`)
      span.set({ 'http.route': route, 'http.response.status_code': status })
      span.end(status >= 500 ? { code: String(status) } : undefined)
    }
    // Of several limits the longest; a token's own is told where it is counted.
    if (status === 429 && facts.waitSeconds && !context.res.headers.has('retry-after')) {
      context.res.headers.set('retry-after', String(facts.waitSeconds))
    }
    // To touch the headers of a kept page costs more than the rest of it.
    if (given || !finished.has(context.res)) context.res.headers.set('x-request-id', requestId)
  }
}
