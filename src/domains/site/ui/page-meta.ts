import type { MetaDescriptor } from 'react-router'
import { brand } from '../brand.ts'

interface Sharing {
  /** Where search engines should look, beginning with a slash: only the parameters that make it another page. */
  path?: string
  type?: 'website' | 'profile' | 'article'
  /** Of our address, 1200 x 630. */
  image?: { path: string; alt: string }
}

/** The whole address of a page of ours, as others see it. */
export const wholeAddress = (path: string) => `${brand.appUrl}${path}`

/** The pictures that messengers show are drawn by us and have one size. */
const pictureSize = { width: 1200, height: 630 }

/**
 * The head of a public page: title with the product's name, description, what messengers and search engines ask
 * for. Without `path` it has no canonical address, as on pages that are for one person.
 */
export const pageMeta = (title: string, description: string, sharing?: Sharing) =>
  headOf(`${title} · ${brand.name}`, { ...sharing, title, description })

/** The same with a title that says it all. */
export function headOf(
  wholeTitle: string,
  { title = wholeTitle, description, path, type = 'website', image }: Sharing & Texts,
): MetaDescriptor[] {
  const picture = image ?? { path: `/og/site.png?v=${brand.version}`, alt: brand.name }
  const url = path === undefined ? null : wholeAddress(path)
  return [
    { title: wholeTitle },
    { name: 'description', content: description },
    ...(url ? [{ tagName: 'link', rel: 'canonical', href: url }] : []),
    { property: 'og:type', content: type },
    { property: 'og:site_name', content: brand.name },
    { property: 'og:title', content: title },
    { property: 'og:description', content: description },
    ...(url ? [{ property: 'og:url', content: url }] : []),
    { property: 'og:image', content: wholeAddress(picture.path) },
    { property: 'og:image:width', content: String(pictureSize.width) },
    { property: 'og:image:height', content: String(pictureSize.height) },
    { property: 'og:image:alt', content: picture.alt },
    // What is not said for it, it takes from the lines above.
    { name: 'twitter:card', content: 'summary_large_image' },
  ]
}

type Texts = { title?: string; description: string }

/** For public pages that should not be found, as drafts. Pages that are not public say it by themselves (root.tsx). */
export const unlisted: MetaDescriptor = { name: 'robots', content: 'noindex' }

/** https://schema.org/BreadcrumbList: the way to a page, its own name last. */
export const breadcrumbs = (steps: { name: string; path: string }[]): MetaDescriptor => ({
  'script:ld+json': {
    '@context': 'https://schema.org',
    '@type': 'BreadcrumbList',
    itemListElement: steps.map(({ name, path }, index) => ({
      '@type': 'ListItem',
      position: index + 1,
      name,
      item: wholeAddress(path),
    })),
  },
})
