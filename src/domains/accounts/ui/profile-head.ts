import type { MetaDescriptor } from 'react-router'
import { countLabel } from '../../courses/ui/count-label.ts'
import { shorten } from '../../courses/ui/course-head.ts'
import { brand } from '../../site/brand.ts'
import { pageMeta, wholeAddress } from '../../site/ui/page-meta.ts'
import type { PublicProfile } from '../schema.ts'

/** The public profile's head: for search engines, for messengers, for whoever shares the link. */
export function profileHead(profile: PublicProfile): MetaDescriptor[] {
  const { name, username, bio, avatarUrl, website, socialLinks } = profile
  const path = `/user/${username}`
  const description =
    shorten(bio.replace(/\s+/gu, ' ')) ||
    `${name} on ${brand.name}: ${countLabel(profile.coursesCreated, 'course')} created, ${countLabel(profile.coursesEnrolled, 'course')} joined.`
  const links = [...(website ? [website] : []), ...socialLinks.map(({ url }) => url)]
  return [
    ...pageMeta(name, description, {
      path,
      type: 'profile',
      image: { path: `/og/user/${username}.png`, alt: name },
    }),
    {
      'script:ld+json': {
        '@context': 'https://schema.org',
        '@type': 'ProfilePage',
        url: wholeAddress(path),
        mainEntity: {
          '@type': 'Person',
          name,
          alternateName: username,
          url: wholeAddress(path),
          description,
          ...(avatarUrl && { image: wholeAddress(avatarUrl) }),
          ...(links.length > 0 && { sameAs: links }),
        },
      },
    },
  ]
}
