import type { MetaDescriptor } from 'react-router'
import { countLabel } from '../../courses/ui/count-label.ts'
import { shorten } from '../../courses/ui/course-head.ts'
import { brand } from '../../site/brand.ts'
import type { PublicProfile } from '../schema.ts'

/** The public profile's head: for search engines, for messengers, for whoever shares the link. */
export function profileHead(profile: PublicProfile, appUrl: string): MetaDescriptor[] {
  const { name, username, bio, avatarUrl } = profile
  const url = `${appUrl}/user/${username}`
  const description =
    shorten(bio.replace(/\s+/gu, ' ')) ||
    `${name} on ${brand.name}: ${countLabel(profile.coursesCreated, 'course')} created, ${countLabel(profile.coursesEnrolled, 'course')} joined.`
  const image = avatarUrl && new URL(avatarUrl, appUrl).href
  return [
    { title: `${name} · ${brand.name}` },
    { name: 'description', content: description },
    { tagName: 'link', rel: 'canonical', href: url },
    { property: 'og:type', content: 'profile' },
    { property: 'og:site_name', content: brand.name },
    { property: 'og:title', content: name },
    { property: 'og:description', content: description },
    { property: 'og:url', content: url },
    ...(image ? [{ property: 'og:image', content: image }] : []),
    { name: 'twitter:card', content: 'summary' },
  ]
}
