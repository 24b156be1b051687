import { createHash, randomBytes } from 'node:crypto'
import { ORPCError } from '@orpc/server'
import {
  createRequestHandler,
  data,
  redirect,
  type RequestHandler,
  RouterContextProvider,
  type ServerBuild,
} from 'react-router'
import stillScript from 'virtual:still-script'
import { authCallsOf } from '../domains/accounts/auth-calls-of.ts'
import { stillPages } from '../still-pages.ts'
import { authApi, formApi, pageApi, shellContext } from '../web/page-context.ts'
import type { RenderPage } from './app.ts'
import { type ApiClient, createLocalCalls } from './contract-calls.ts'
import { createStyleInliner } from './inline-styles.ts'
import { buildFolder, type KeptBuilds } from './kept-builds.ts'
import { lateLetters } from './late-letters.ts'
import { routesOfBuild } from './manifest-of-build.ts'
import { createPageCache } from './page-cache.ts'
import { createPicturePreviews } from './picture-previews.ts'
import { contentSecurityPolicy } from './security.ts'
import type { Services } from './services.ts'
import { sessionCookie, suspendedRefusal } from './viewer.ts'
import type { Visit } from './visit.ts'

const scriptHash = `'sha256-${createHash('sha256').update(stillScript).digest('base64')}'`

/** The calls as loaders need them: a refusal becomes the page for it. */
function asPages(calls: ApiClient, here: string): ApiClient {
  const wrap = (target: object): object =>
    new Proxy(target, {
      get: (object, key) => {
        const value: unknown = Reflect.get(object, key)
        return typeof value === 'function' || typeof value === 'object'
          ? wrap(value as object)
          : value
      },
      apply: async (call, self, parameters) => {
        try {
          return await Reflect.apply(call as (...all: unknown[]) => unknown, self, parameters)
        } catch (error) {
          throw error instanceof ORPCError ? pageFor(error, here) : error
        }
      },
    })
  return wrap(calls) as ApiClient
}

function pageFor(error: ORPCError<string, unknown>, here: string) {
  if (error.status === 401) return redirect(`/login?to=${encodeURIComponent(here)}`)
  if (error.code === suspendedRefusal.code) return redirect('/suspended')
  // What no page can be called, as a name of 2,000 letters, is not there: loaders ask with what the address says.
  const status = error.status === 422 ? 404 : error.status
  const { courseSlug } = (error.data ?? {}) as { courseSlug?: string }
  return data({ message: error.message, courseSlug }, { status })
}

/** Of every page the pattern of its address: `/course/:slug`. */
function patternsOf({ routes }: ServerBuild): string[] {
  const fullPath = (id: string | undefined): string => {
    const route = id === undefined ? undefined : routes[id]
    return route ? `${fullPath(route.parentId)}/${route.path ?? ''}` : ''
  }
  const patterns = Object.keys(routes).map((id) => fullPath(id).replace(/\/+/g, '/'))
  return patterns.filter((pattern) => !pattern.endsWith('*'))
}

/**
 * React Router prepares its routes once for a build, and before every request for a function that may answer with
 * another build, as in development it does.
 */
function createHandler(
  build: () => Promise<ServerBuild>,
  mode: string | undefined,
): RequestHandler {
  if (mode !== 'production') return createRequestHandler(build, mode)
  let prepared: Promise<RequestHandler> | undefined
  const prepare = () => build().then((built) => createRequestHandler(built, mode))
  return async (request, context) => (await (prepared ??= prepare()))(request, context)
}

/** Pages by React Router; those of signed-out visitors come through the page cache. */
export function createPages(
  services: Services,
  mode: string | undefined,
  builds?: KeptBuilds,
): RenderPage {
  const build = () => import('virtual:react-router/server-build')
  const handle = createHandler(build, mode)
  const throughCache = createPageCache(
    services.publicReads.services,
    mode === 'production' ? stillPages : [],
  )
  const { config } = services
  const secure = config.appUrl.startsWith('https:')

  const tokens = services.payments.tokens?.url ?? ''
  const connects = [
    // Numbers of bank accounts and cards go from the browser to the payment provider.
    ...(URL.canParse(tokens) ? [new URL(tokens).origin] : []),
    // Streams come from the CDN.
    ...(config.cdn ? [config.cdn.origin] : []),
    // Hot reload speaks over a web socket on a port of its own.
    ...(mode === 'production' ? [] : ['ws:']),
  ]

  async function render(
    request: Request,
    visit: Visit,
    nonce: string | undefined,
  ): Promise<Response> {
    const visitor = await visit.visitor()
    const url = new URL(request.url)
    const calls = createLocalCalls({
      services,
      visit,
      requestId: visit.requestId,
      address: visit.address,
    })
    const context = new RouterContextProvider()
    context.set(pageApi, asPages(calls, url.pathname.replace(/\.data$/, '') + url.search))
    context.set(formApi, calls)
    context.set(authApi, authCallsOf(services, visit))
    context.set(shellContext, {
      signedIn: visitor !== null,
      suspended: Boolean(visitor?.suspendedAt),
      nonce,
      builtWithBadge: config.builtWithBadge,
      helpUrl: config.helpUrl,
      payments: services.payments.mode,
      switchedOff: services.features.off,
      appUrl: config.appUrl,
    })
    const response = await handle(request, context)
    if (response.headers.get('content-type')?.startsWith('text/html')) {
      const scripts = nonce ? [scriptHash, `'nonce-${nonce}'`] : [scriptHash]
      response.headers.set('content-security-policy', contentSecurityPolicy(scripts, connects))
      // What a person sees while signed in must not come back from a cache after signing out.
      if (nonce) response.headers.set('cache-control', 'private, no-store')
      else response.headers.set('cache-control', 'no-cache')
    } else if (!response.headers.has('cache-control')) {
      // The same page as data, for who goes there by a link.
      response.headers.set('cache-control', 'private, no-store')
    }
    return response
  }

  /** A page of another build: it is told of the code of its own build, or else loaded anew at its next step. */
  async function manifestOfAnotherBuild(request: Request): Promise<Response | null> {
    if (!builds) return null
    const url = new URL(request.url)
    const { version } = (await build()).assets
    const asked = url.searchParams.get('version') ?? ''
    const routes = asked === version ? null : await routesOfBuild(builds, asked)
    if (!routes) return null
    url.searchParams.set('version', version)
    const own = await handle(new Request(url), new RouterContextProvider())
    if (own.status !== 200) return null
    const ids = Object.keys(await own.json())
    const known = ids.flatMap((id) => (routes[id] ? [[id, routes[id]]] : []))
    return Response.json(Object.fromEntries(known), { headers: own.headers })
  }

  /** Which code the links of a page need: the same for everybody, so that nobody asks who that is. */
  async function renderManifest(request: Request): Promise<Response> {
    const other = await manifestOfAnotherBuild(request)
    if (other) return other
    const response = await handle(request, new RouterContextProvider())
    // A page of a version that nobody knows any more: it is loaded anew.
    if (!response.headers.has('cache-control')) response.headers.set('cache-control', 'no-store')
    return response
  }

  const inlineStyles = createStyleInliner(buildFolder)
  const withPreview = createPicturePreviews(services)

  /** For others too: no nonce, its own styles and first picture, and whole even when only its headers were asked for. */
  async function renderToKeep(request: Request, visit: Visit): Promise<Response> {
    const whole = new Request(request.url, { headers: request.headers })
    const page = await render(whole, visit, undefined)
    if (page.status !== 200) return page
    const styled = inlineStyles(lateLetters(await page.text()))
    return new Response(await withPreview(styled), page)
  }

  const renderPage: RenderPage = (request, visit) => {
    if (new URL(request.url).pathname === '/__manifest') return renderManifest(request)
    const freshNonce = () => randomBytes(16).toString('base64')
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return render(request, visit, freshNonce())
    // Who shows an access token is somebody, too.
    const shows = sessionCookie(request.headers, secure) ?? request.headers.get('authorization')
    if (shows) return render(request, visit, freshNonce())
    return services.publicReads.through(() =>
      throughCache(request, (kept) =>
        kept ? renderToKeep(request, visit) : render(request, visit, freshNonce()),
      ),
    )
  }
  renderPage.patterns = async () => patternsOf(await build())
  return renderPage
}
