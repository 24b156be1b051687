// What programs ask for beside pages: icons, manifest, site maps, pictures for messengers.
import { Hono } from 'hono'
import { packed } from '../../server/packing.ts'
import type { Services } from '../../server/services.ts'
import { allHelp, allPosts } from '../articles/published.ts'
import { postAddress } from '../articles/rules.ts'
import { brand } from './brand.ts'
import { createSharingPictures } from './sharing-pictures.ts'
import { createSitemaps } from './sitemap.ts'

/** The page's ground in each theme, as in theme.css. */
const papers = { light: '#f8f9fc', dark: '#0d0e17' }

/** Nothing in a picture may run or load anything, also where it is opened by itself. */
const inert = "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'"

const forever = 'public, max-age=31536000, immutable'
const forADay = 'public, max-age=86400'
const forAnHour = 'public, max-age=3600'

/** Areas for signed-in people, and what is not for reading. */
const closed = [
  '/admin',
  '/analytics',
  '/auth/',
  '/billing',
  '/create-course',
  '/create-lessons/',
  '/dashboard',
  '/import-course',
  '/invite/',
  '/lesson/',
  '/logout',
  '/moderation',
  '/notifications',
  '/payments',
  '/rest/',
  '/sandbox/',
  '/settings',
  '/unsubscribe',
  '/upgrade',
  '/course/*/dashboard',
  '/course/*/lesson/',
]

const staticPages = () => [
  '/',
  '/explore',
  '/about',
  '/pro',
  '/challenges',
  '/blog',
  ...allPosts().map(({ competitor }) => postAddress(competitor)),
  '/help',
  ...allHelp().map(({ slug }) => `/help/${slug}`),
  '/support',
  '/accessibility',
  '/privacy',
  '/terms',
]

const manifest = () => ({
  id: '/',
  name: brand.name,
  short_name: [...brand.name].length <= 12 ? brand.name : (brand.name.split(' ')[0] ?? brand.name),
  description: 'Make a course, finish a course.',
  lang: 'en',
  start_url: '/dashboard',
  scope: '/',
  display: 'standalone',
  background_color: papers.light,
  theme_color: papers.light,
  color_scheme_dark: { background_color: papers.dark, theme_color: papers.dark },
  categories: ['education'],
  icons: [
    ['icon-192.png', '192x192', 'any'],
    ['icon-512.png', '512x512', 'any'],
    ['maskable-512.png', '512x512', 'maskable'],
  ].map(([name, sizes, purpose]) => ({
    src: `/brand/${brand.version}/${name}`,
    sizes,
    type: 'image/png',
    purpose,
  })),
  shortcuts: [
    { name: 'Explore', url: '/explore' },
    { name: 'Dashboard', url: '/dashboard' },
  ],
})

export function createSiteFiles(services: Services) {
  const { pool, brandPictures } = services
  const sitemaps = createSitemaps(pool, staticPages)
  const sharingPicture = createSharingPictures(services)
  const files = new Hono()

  async function picture(name: string, caching: string): Promise<Response> {
    const found = await brandPictures.picture(name)
    if (!found) return new Response('There is no such picture.', { status: 404 })
    return new Response(Uint8Array.from(found.bytes), {
      headers: {
        'content-type': found.type,
        'content-security-policy': inert,
        'cross-origin-resource-policy': 'same-origin',
        'cache-control': caching,
      },
    })
  }

  files.get('/brand/:version/:name', (context) => {
    const { version, name } = context.req.param()
    return picture(name, version === brand.version ? forever : 'no-cache')
  })
  // Where browsers look by themselves.
  files.get('/favicon.ico', () => picture('favicon.ico', forADay))
  files.get('/apple-touch-icon.png', () => picture('apple-touch-icon.png', forADay))
  files.get('/apple-touch-icon-precomposed.png', () => picture('apple-touch-icon.png', forADay))

  files.get('/manifest.webmanifest', (context) =>
    context.body(JSON.stringify(manifest()), 200, {
      'content-type': 'application/manifest+json',
      'cache-control': forAnHour,
    }),
  )

  files.get('/robots.txt', (context) =>
    context.text(
      [
        'User-agent: *',
        ...closed.map((path) => `Disallow: ${path}`),
        '',
        `Sitemap: ${brand.appUrl}/sitemap.xml`,
        '',
      ].join('\n'),
      200,
      { 'cache-control': forAnHour },
    ),
  )

  const asXml = { 'content-type': 'application/xml; charset=utf-8', 'cache-control': 'no-cache' }
  files.get('/sitemap.xml', packed, async (context) =>
    context.body(await sitemaps.index(), 200, asXml),
  )
  files.get('/sitemaps/:file{.+\\.xml}', packed, async (context) => {
    const found = await sitemaps.file(context.req.param('file').slice(0, -'.xml'.length))
    return found === null
      ? context.text('There is no such site map.', 404)
      : context.body(found, 200, asXml)
  })

  files.get('/og/site.png', (context) => sharingPicture(context.req.raw, 'site', ''))
  files.get('/og/:kind{course|user}/:file{.+\\.png}', (context) => {
    const { kind, file } = context.req.param()
    return sharingPicture(
      context.req.raw,
      kind === 'course' ? 'course' : 'user',
      file.slice(0, -'.png'.length),
    )
  })
  return files
}
