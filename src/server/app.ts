import { getConnInfo } from '@hono/node-server/conninfo'
import { Hono, type Context } from 'hono'
import { bodyLimit } from 'hono/body-limit'
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
import type { CallContext } from './api.ts'
import { apiDocs } from './api-docs.ts'
import { canonicalAddress } from './canonical-address.ts'
import { createHttpCalls } from './contract-calls.ts'
import { mayReadMetrics, metricsText } from './metrics.ts'
import { isLocal, outbox } from './outbox.ts'
import { finished, packed } from './packing.ts'
import { isForeignOrigin, secureAnswer } from './security.ts'
import type { Services } from './services.ts'
import { StoreFailure, storeProblem } from './storage.ts'
import { suspendedRefusal } from './viewer.ts'
import { beginVisit, type Visit } from './visit.ts'

type Env = { Variables: { visit: Visit } }

/** Renders a page for a visit; see server/pages.ts. */
export type RenderPage = (request: Request, visit: Visit) => Promise<Response>

/** Bytes that a call's body may have; a course of 1,000 lessons fits. Uploads have their own limit. */
const maxBody = 16 * 1024 * 1024

/** Bytes that a form of a page may have. */
const maxForm = 64 * 1024

const refusal = (status: 400 | 403 | 404 | 413 | 500 | 503, code: string, message: string) =>
  Response.json({ code, status, message }, { status })

const nothingHere = () => refusal(404, 'NOT_FOUND', 'There is nothing at this address.')

const formTooLong = () => refusal(413, 'PAYLOAD_TOO_LARGE', 'This form is too long.')

function addressOf(context: Context, trustProxy: boolean): string {
  const forwarded = trustProxy && context.req.header('x-forwarded-for')?.split(',').at(-1)?.trim()
  // Requests that a test makes without a socket have no connection.
  return (
    forwarded ||
    (context.env?.incoming ? (getConnInfo(context).remote.address ?? 'unknown') : 'unknown')
  )
}

/** The whole of Thunder as one fetch function. Without `renderPage` it is the HTTP API alone. */
export function createApp(services: Services, renderPage?: RenderPage) {
  const calls = createHttpCalls(services.log)
  const visitorOf = new WeakMap<Request, Visit>()
  const findVisitor = (request: Request) =>
    visitorOf.get(request)?.visitor() ?? Promise.resolve(null)
  const uploads = createUploads(services, findVisitor)
  const delivery = createDelivery(services, findVisitor)
  const dataDownload = createDataDownload(services, findVisitor)
  const certificateFiles = createCertificateFiles(services)
  const checkConnection = createConnectionCheck(services)
  const { hostname } = new URL(services.config.appUrl)
  const onThisMachine = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  const app = new Hono<Env>()

  app.onError((error, context) => {
    const requestId = context.get('visit')?.requestId
    services.log.error({ err: error, requestId, path: context.req.path }, 'a request failed')
    if (error instanceof StoreFailure) return refusal(503, 'SERVICE_UNAVAILABLE', storeProblem)
    return refusal(
      500,
      'INTERNAL_SERVER_ERROR',
      'Something went wrong on our side. Please try again.',
    )
  })

  app.get('/healthz', async (context) => {
    await services.pool.query('select 1')
    return context.json({ status: 'ready' })
  })

  app.get('/metrics', async (context, next) => {
    const { config } = services
    // To everybody else there is nothing here.
    const address = addressOf(context, config.trustProxy)
    if (!mayReadMetrics(context.req.raw, address, config)) return next()
    return context.text(await metricsText(services), 200, { 'cache-control': 'no-store' })
  })

  app.use(async (context, next) => {
    const request = context.req.raw
    // An identity provider of an organisation answers with a form of its own site; the answer is signed.
    const isSignedAnswer = /^\/auth\/v1\/sso\/saml2\/sp\/acs\/[^/]+$/.test(context.req.path)
    if (!isSignedAnswer && isForeignOrigin(request, services.config.appUrl)) {
      return refusal(403, 'FOREIGN_ORIGIN', 'This request came from another site.')
    }
    const visit = beginVisit(services, request, addressOf(context, services.config.trustProxy))
    visitorOf.set(request, visit)
    context.set('visit', visit)
    await next()
    if (finished.has(context.res)) return undefined
    secureAnswer(context.res.headers, services.config.appUrl)
    for (const cookie of visit.cookies) context.res.headers.append('set-cookie', cookie)
    return undefined
  })

  app.use('/auth/v1/*', bodyLimit({ maxSize: maxForm, onError: formTooLong }))
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
  app.all('/storage/v1/uploads', (context) => uploads(context.req.raw))
  app.all('/storage/v1/uploads/*', (context) => uploads(context.req.raw))
  app.on(['GET', 'HEAD'], '/storage/v1/my-data.zip', (context) => dataDownload(context.req.raw))
  app.on(['GET', 'HEAD'], '/storage/v1/*', (context) => delivery(context.req.raw))

  app.on(
    ['GET', 'HEAD'],
    '/certificates/*',
    async (context, next) => (await certificateFiles(context.req.path)) ?? next(),
  )

  const receiveWebhook = createWebhookDoor(services)
  app.post(
    '/webhooks/stripe',
    bodyLimit({ maxSize: maxWebhook, onError: webhookTooLong }),
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
  app.route('/', apiDocs())
  for (const path of ['/rest/v1/*', '/functions/v1/*', '/realtime/v1/*']) {
    app.use(path, packed)
    app.on(
      ['POST', 'PUT', 'PATCH', 'DELETE'],
      path,
      bodyLimit({
        maxSize: maxBody,
        onError: () =>
          refusal(413, 'PAYLOAD_TOO_LARGE', 'This is too much to send at once (16 MB at most).'),
      }),
    )
    app.all(path, async (context) => {
      const visit = context.get('visit')
      const direct: CallContext['direct'] = {}
      const call: CallContext = {
        services,
        visitor: await visit.visitor(),
        requestId: visit.requestId,
        address: visit.address,
        direct,
      }
      const answer = await calls(context.req.raw, call)
      return direct.answer ?? answer ?? refusal(404, 'NOT_FOUND', 'There is no such call.')
    })
  }

  app.route('/', createWorkerFile())
  app.route('/', createSiteFiles(services))
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
      bodyLimit({ maxSize: maxForm, onError: formTooLong }),
    )
    app.use(packed)
    app.all('*', (context) => renderPage(context.req.raw, context.get('visit')))
  }
  app.notFound(nothingHere)
  return app
}
