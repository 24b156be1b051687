// Links that a person gives in the profile: the website, and a handle or address per platform.

/** Each platform with the name people know and the address that a handle is put behind. */
const platformFacts = {
  kick: { label: 'Kick', base: 'https://kick.com/' },
  linkedin: { label: 'LinkedIn', base: 'https://www.linkedin.com/in/' },
  medium: { label: 'Medium', base: 'https://medium.com/@' },
  rumble: { label: 'Rumble', base: 'https://rumble.com/c/' },
  tiktok: { label: 'TikTok', base: 'https://www.tiktok.com/@' },
  twitch: { label: 'Twitch', base: 'https://www.twitch.tv/' },
  x: { label: 'X', base: 'https://x.com/' },
  youtube: { label: 'YouTube', base: 'https://www.youtube.com/@' },
} as const

export type Platform = keyof typeof platformFacts

export const platforms = Object.keys(platformFacts) as Platform[]

export const platformLabel = (platform: Platform) => platformFacts[platform].label

/** Lets nothing through that a browser would skip: a tab inside 'java\tscript:' is one of them. */
const withoutInvisible = (value: string) => value.replace(/[\p{C}\p{Z}]/gu, '')

const namesScheme = (value: string) => /^@*[a-z][a-z0-9+.-]*:/i.test(withoutInvisible(value))

/** True for an address that starts with http:// or https:// and names a host. */
export function isWebAddress(value: string): boolean {
  // What cannot be parsed has no host, either: without one there is no such address.
  return /^https?:\/\/[^/\\]/i.test(value) && !/\p{C}|\s/u.test(value) && URL.canParse(value)
}

/** Why this cannot be somebody's link on a platform; null when it can. */
export function socialProblem(platform: Platform, value: string): string | null {
  if (value === '' || isWebAddress(value)) return null
  const label = platformLabel(platform)
  if (namesScheme(value)) {
    return `${label} must be a handle, or an address that starts with http:// or https://`
  }
  return /[^@\p{C}\p{Z}]/u.test(value) ? null : `${label} needs a handle`
}

/**
 * Where a stored value leads (spec 2, section 5): an address as it is, a handle behind its platform's
 * address with any @ removed. Null for what is no link.
 */
export function socialLink(platform: Platform, value: string): string | null {
  if (value === '' || socialProblem(platform, value)) return null
  if (isWebAddress(value)) return value
  const handle = value.toWellFormed().replaceAll('@', '').trim()
  return platformFacts[platform].base + handle.split('/').map(encodeURIComponent).join('/')
}

/** 'ann.example/blog' for 'https://www.ann.example/blog/': what is shown of a website. */
export function websiteLabel(website: string): string {
  const { host, pathname } = new URL(website)
  const path = pathname.replace(/\/$/, '')
  const label = host.replace(/^www\./, '') + path
  return label.length > 60 ? `${label.slice(0, 59)}…` : label
}
