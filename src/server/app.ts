import { getConnInfo } from '@hono/node-server/conninfo'
import { Hono, type Context, type MiddlewareHandler } from 'hono'
import { createCertificateFiles } from '../domains/certificates/certificate-files.ts'
import { createDataDownload } from '../domains/accounts/download-data.ts'
import { createDelivery } from '../domains/media/delivery.ts'
import { createUploads } from '../domains/media/uploads.ts'
import { createWorkerFile } from '../domains/offline/worker-file.ts'
import { createConnectionCheck } from '../domains/payments/check-connection.ts'
import {
  createWebhookDoor,
  maxWebhook,
  webhookTooLong,
} from '../domains/payments/receive-webhook.ts'
import { createSiteFiles } from '../domains/site/site-files.ts'
import { tokenIn } from '../domains/tokens/token-text.ts'
import type { CallContext } from './api.ts'
import { apiDocs } from './api-docs.ts'
import { everydayBody, longestBody, sizeLabel } from './body-limits.ts'
import { canonicalAddress } from './canonical-address.ts'
import { createHttpCalls } from './contract-calls.ts'
import { databaseAnswers } from './database-answers.ts'
import { databaseProblemOf } from './database-problem.ts'
import { followRequests, namesOfRoutes } from './follow-requests.ts'
import { limitBody } from './limit-body.ts'
import { methodsOf } from './methods-of.ts'
import { createMetrics, mayReadMetrics } from './metrics.ts'
import { isLocal, outbox } from './outbox.ts'
import { finished, packed } from './packing.ts'
import { isOfPerson, problemPage } from './problem-page.ts'
import { isForeignOrigin, secureAnswer } from './security.ts'
import type { Services } from './services.ts'
import { storeProblemOf } from './storage.ts'
import { createTokenLimits } from './token-limits.ts'
import { beginTokenVisit, insistOnVisitor, showsShortToken } from './token-visit.ts'
import { suspendedRefusal } from './viewer.ts'
import { beginVisit, type Visit } from './visit.ts'

type Env = { Variables: { visit: Visit } }

/** Renders a page for a visit; see server/pages.ts. */
export type RenderPage = ((request: Request, visit: Visit) => Promise<Response>) & {
  /** The patterns of all pages' addresses. */
  patterns?(): Promise<string[]>
}

/** Where the calls of the contract are. */
const contractPath = /^\/(rest|functions|realtime)\/v1\//

/** Bytes that a form of a page may have. */
const maxForm = 64 * 1024

/** As calls refuse: oRPC in our pages takes an answer without `defined` for that of a proxy, and its words for no words. */
const refusal = (
  status: 400 | 403 | 404 | 405 | 413 | 415 | 500 | 503,
  code: string,
  message: string,
) => Response.json({ defined: false, code, status, message }, { status })

const nothingHere = () => refusal(404, 'NOT_FOUND', 'There is nothing at this address.')

const formTooLong = () => refusal(413, 'PAYLOAD_TOO_LARGE', 'This form is too long.')

/** Some proxies say the port as well, which is another one for each connection: '203.0.113.7:50123', '[2001:db8::1]:50123'. */
const withoutPort = (entry: string) =>
  /^\[([^\]]+)\](?::\d+)?$/.exec(entry)?.[1] ?? entry.replace(/^(\d+(?:\.\d+){3}):\d+$/, '$1')

function addressOf(context: Context, trustProxy: boolean): string {
  const entry = trustProxy && context.req.header('x-forwarded-for')?.split(',').at(-1)?.trim()
  const forwarded = entry && withoutPort(entry)
  // Requests that a test makes without a socket have no connection.
  return (
    forwarded ||
    (context.env?.incoming ? (getConnInfo(context).remote.address ?? 'unknown') : 'unknown')
  )
}

/** Long bodies take long to read: only from people who are signed in, and for the calls that need them. */
const limitCall: MiddlewareHandler<Env> = async (context, next) => {
  const most = longestBody(context.req.method, context.req.path)
  const findVisitor = () =>
    context
      .get('visit')
      .visitor()
      .catch((error: unknown) => {
        if (databaseProblemOf(error)) throw error
        // A token that is no good is refused by the call itself.
        return null
      })
  const isSignedIn = most > everydayBody && (await findVisitor()) !== null
  const maxSize = isSignedIn ? most : everydayBody
  const message = `This is too much to send at once (${sizeLabel(maxSize)} at most).`
  const limit = limitBody({ maxSize, onError: () => refusal(413, 'PAYLOAD_TOO_LARGE', message) })
  return limit(context, next)
}

/** What is read of a body; none at all is taken for JSON. */
const readableType =
  /^(?:application\/json|application\/x-www-form-urlencoded|multipart\/form-data)\s*(?:;|$)/

/**
 * A body of another kind would be taken for an empty one, which says something else where parts may be left out: a
 * string that fetch sends without a word about its kind is text/plain.
 */
const refuseUnreadable: MiddlewareHandler<Env> = async (context, next) => {
  const type = context.req.header('content-type')
  const length = context.req.header('content-length') ?? '0'
  const hasBody = length !== '0' || context.req.header('transfer-encoding') !== undefined
  if (!type || !hasBody || readableType.test(type)) return next()
  const message =
    'This body cannot be read. Send JSON, with the header Content-Type: application/json.'
  return refusal(415, 'UNSUPPORTED_MEDIA_TYPE', message)
}

/** What nobody answered: a call that is made with another method, or none. */
function noSuchCall(path: string): Response {
  const allow = methodsOf(path).join(', ')
  if (allow === '') return refusal(404, 'NOT_FOUND', 'There is no such call.')
  const message = `This call is made with ${allow.replace(', HEAD', '').replaceAll(', ', ' or ')}.`
  const answer = refusal(405, 'METHOD_NOT_SUPPORTED', message)
  answer.headers.set('allow', allow)
  return answer
}

/** The whole of Thunder as one fetch function. Without `renderPage` it is the HTTP API alone. */
export function createApp(services: Services, renderPage?: RenderPage) {
  const calls = createHttpCalls(services.log)
  const uploads = createUploads(services)
  const delivery = createDelivery(services)
  const dataDownload = createDataDownload(services)
  const certificateFiles = createCertificateFiles(services)
  const checkConnection = createConnectionCheck(services)
  const { hostname } = new URL(services.config.appUrl)
  const onThisMachine = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  const app = new Hono<Env>()

  app.onError((error, context) => {
    const requestId = context.get('visit')?.requestId
    services.log.error({ err: error, requestId, path: context.req.path }, 'a request failed')
    const problem = storeProblemOf(error) ?? databaseProblemOf(error)
    const status = problem ? 503 : 500
    const message = problem ?? 'Something went wrong on our side. Please try again.'
    if (isOfPerson(context.req.raw)) return problemPage(context.req.raw, status, message)
    return refusal(status, problem ? 'SERVICE_UNAVAILABLE' : 'INTERNAL_SERVER_ERROR', message)
  })

  // Also of what is answered before anybody is asked who they are.
  app.use(async (context, next) => {
    await next()
    if (!finished.has(context.res)) secureAnswer(context.res.headers, services.config.appUrl)
  })

  app.get('/healthz', async (context) => {
    await services.pool.query('select 1')
    return context.json({ status: 'ready' })
  })

  const isAnswered = databaseAnswers(services.pool)
  app.get('/readyz', async (context) => {
    if (services.readiness.isLeaving) return context.json({ status: 'leaving' }, 503)
    return (await isAnswered())
      ? context.json({ status: 'ready' })
      : context.json({ status: 'without database' }, 503)
  })

  const metrics = createMetrics(services)
  app.get('/metrics', async (context, next) => {
    const { config } = services
    // To everybody else there is nothing here.
    const address = addressOf(context, config.trustProxy)
    if (!mayReadMetrics(context.req.raw, address, config)) return next()
    return context.text(await metrics(), 200, { 'cache-control': 'no-store' })
  })

  const names = namesOfRoutes()
  renderPage
    ?.patterns?.()
    .then(names.add)
    .catch((error: unknown) => services.log.warn({ err: error }, 'pages have no names in the log'))
  app.use(followRequests(services, names))

  app.use(async (context, next) => {
    const request = context.req.raw
    // A Host of 26 digits passes as a name, and is none in an address.
    if (!URL.canParse(request.url)) {
      return refusal(400, 'BAD_REQUEST', 'This request names no host that can exist.')
    }
    // An identity provider of an organisation answers with a form of its own site; the answer is signed, and for this browser.
    const isSignedAnswer = /^\/auth\/v1\/sso\/saml2\/sp\/acs\/[^/]+$/.test(context.req.path)
    // A call with a personal access token makes no use of cookies, so nobody is led into it.
    const byToken = contractPath.test(context.req.path) && tokenIn(request.headers) !== null
    if (!isSignedAnswer && !byToken && isForeignOrigin(request, services.config.appUrl)) {
      return refusal(403, 'FOREIGN_ORIGIN', 'This request came from another site.')
    }
    const visit = beginVisit(services, request, addressOf(context, services.config.trustProxy))
    context.set('visit', visit)
    await next()
    if (finished.has(context.res)) return undefined
    for (const cookie of visit.cookies) context.res.headers.append('set-cookie', cookie)
    return undefined
  })

  app.use('/auth/v1/*', limitBody({ maxSize: maxForm, onError: formTooLong }))
  app.all('/auth/v1/*', (context) => services.callAuth(context.req.raw, context.get('visit')))

  // What is public, and the download of the own data, stay open to who is suspended.
  for (const kind of ['uploads', 'videos', 'post-videos', 'post-images']) {
    for (const path of [`/storage/v1/${kind}`, `/storage/v1/${kind}/*`]) {
      app.use(path, async (context, next) => {
        const visitor = await context.get('visit').visitor()
        return visitor?.suspendedAt ? context.text(suspendedRefusal.message, 403) : next()
      })
    }
  }
  app.all('/storage/v1/uploads', (context) => uploads(context.req.raw, context.get('visit')))
  app.all('/storage/v1/uploads/*', (context) => uploads(context.req.raw, context.get('visit')))
  app.on(['GET', 'HEAD'], '/storage/v1/my-data.zip', (context) =>
    dataDownload(context.req.raw, context.get('visit')),
  )
  app.on(['GET', 'HEAD'], '/storage/v1/*', (context) =>
    delivery(context.req.raw, context.get('visit')),
  )

  app.on(
    ['GET', 'HEAD'],
    '/certificates/*',
    async (context, next) => (await certificateFiles(context.req.path)) ?? next(),
  )

  const tokenLimits = createTokenLimits()
  const receiveWebhook = createWebhookDoor(services)
  app.post(
    '/webhooks/stripe',
    limitBody({ maxSize: maxWebhook, onError: webhookTooLong }),
    (context) => receiveWebhook(context.req.raw),
  )
  const { sandbox } = services.payments
  if (sandbox) {
    // Who refunds and moves clocks sits at this machine.
    app.use('/sandbox/stripe/dashboard/*', async (context, next) =>
      onThisMachine && isLocal(context) ? next() : nothingHere(),
    )
    app.all('/sandbox/stripe/*', (context) => sandbox.pages(context.req.raw))
  }
  const paypalSandbox = services.paypal?.sandbox
  if (paypalSandbox) {
    app.use('/sandbox/paypal/*', async (context, next) =>
      onThisMachine && isLocal(context) ? next() : nothingHere(),
    )
    app.all('/sandbox/paypal/*', (context) => paypalSandbox.pages(context.req.raw))
  }

  app.options('/functions/v1/stripe-checkout', checkConnection)
  app.route('/', apiDocs(services.config.appUrl))
  for (const path of ['/rest/v1/*', '/functions/v1/*', '/realtime/v1/*']) {
    app.use(path, packed)
    app.use(path, (context, next) => {
      const { headers } = context.req.raw
      const token = tokenIn(headers)
      const visit = context.get('visit')
      const { address } = visit
      if (token) context.set('visit', beginTokenVisit(services, tokenLimits, { token, address }))
      else if (showsShortToken(headers)) context.set('visit', insistOnVisitor(visit))
      return next()
    })
    app.on(['POST', 'PUT', 'PATCH', 'DELETE'], path, refuseUnreadable, limitCall)
    app.all(path, async (context) => {
      const visit = context.get('visit')
      const direct: CallContext['direct'] = {}
      const call: CallContext = {
        services,
        visit,
        requestId: visit.requestId,
        address: visit.address,
        idempotencyKey: context.req.header('idempotency-key') ?? null,
        direct,
      }
      const answer = await calls(context.req.raw, call)
      const given = direct.answer ?? answer ?? noSuchCall(context.req.path)
      // What somebody was told while signed in must not come back from a cache after signing out.
      if (!given.headers.has('cache-control')) given.headers.set('cache-control', 'no-store')
      for (const [name, value] of Object.entries(visit.headers)) given.headers.set(name, value)
      if (context.req.method !== 'HEAD') return given
      // What would be sent may be a stream without end.
      await given.body?.cancel()
      return new Response(null, { status: given.status, headers: given.headers })
    })
  }

  app.route('/', createWorkerFile())
  for (const path of ['/sitemap.xml', '/sitemaps/*', '/og/*']) {
    app.use(path, (_, next) => services.publicReads.through(next))
  }
  app.route('/', createSiteFiles(services.publicReads.services))
  app.on(['GET', 'HEAD'], '*', async (context, next) => {
    const canonical = canonicalAddress(new URL(context.req.url))
    return canonical === null ? next() : context.redirect(canonical, 301)
  })

  // Never where the public could reach it: caught mails hold private links.
  if (services.mail.outbox && onThisMachine) app.route('/outbox', outbox(services.mail.outbox))
  if (renderPage) {
    app.on(
      ['POST', 'PUT', 'PATCH', 'DELETE'],
      '*',
      limitBody({ maxSize: maxForm, onError: formTooLong }),
    )
    app.use(packed)
    app.all('*', (context) => renderPage(context.req.raw, context.get('visit')))
  }
  app.notFound(nothingHere)
  return app
}
