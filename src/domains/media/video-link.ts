// What the address of a video elsewhere leads to. Shared with the browser; nothing is asked of anybody.

type VideoProvider = 'YouTube' | 'Vimeo' | 'Loom' | 'Wistia'
export type VideoLink =
  | { kind: 'embed'; provider: VideoProvider; embedUrl: string; pageUrl: string }
  | { kind: 'file'; url: string }

/** A host with a dot, then nothing, a port, a path or a query. */
const bareHost = /^[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+\.?(?::\d+)?(?:[/?#]|$)/u

/** 'youtu.be/…' as somebody copies it gets https://. Null for what is no web address, or carries a password. */
function webAddress(text: string): URL | null {
  const trimmed = text.trim()
  const url = URL.parse(bareHost.test(trimmed) ? `https://${trimmed}` : trimmed)
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) return null
  return url.username !== '' || url.password !== '' ? null : url
}

/** '90', '90s' and '1h2m3s' in seconds; 0 for anything else. */
function secondsIn(text: string | null): number {
  const parts = /^(?:(\d{1,4})h)?(?:(\d{1,6})m)?(?:(\d{1,6})s?)?$/.exec(text ?? '')
  const [hours, minutes, seconds] = (parts ?? []).slice(1).map((part) => Number(part ?? 0))
  return (hours ?? 0) * 3600 + (minutes ?? 0) * 60 + (seconds ?? 0)
}

const withSeconds = (seconds: number, write: (seconds: number) => string) =>
  seconds > 0 ? write(seconds) : ''

type Embed = Extract<VideoLink, { kind: 'embed' }>
type Recognise = (url: URL, host: string) => Embed | null

const youTubeHosts = new Set([
  'youtube.com',
  'm.youtube.com',
  'music.youtube.com',
  'youtube-nocookie.com',
])

const youTube: Recognise = (url, host) => {
  const [, first = '', second = ''] = url.pathname.split('/')
  let id: string | null = null
  if (host === 'youtu.be') id = first
  else if (!youTubeHosts.has(host)) return null
  else if (first === 'watch') id = url.searchParams.get('v') ?? second
  else if (['shorts', 'live', 'embed', 'v', 'e'].includes(first)) id = second
  if (id === null || !/^[\w-]{11}$/.test(id)) return null
  const { searchParams, hash } = url
  const start =
    secondsIn(searchParams.get('t')) ||
    secondsIn(searchParams.get('start')) ||
    secondsIn(/^#t=(.+)/.exec(hash)?.[1] ?? null)
  return {
    kind: 'embed',
    provider: 'YouTube',
    embedUrl: `https://www.youtube-nocookie.com/embed/${id}${withSeconds(start, (s) => `?start=${s}`)}`,
    pageUrl: `https://www.youtube.com/watch?v=${id}${withSeconds(start, (s) => `&t=${s}s`)}`,
  }
}

const vimeoPath =
  /^\/(?:video\/|(?:channels|groups|album|showcase)\/[\w-]+\/(?:videos?\/)?|ondemand\/[\w-]+\/)?(\d{6,12})(?:\/([0-9a-f]{6,20}))?\/?$/

/** A video that is not listed carries a hash, without which it does not play. */
const vimeo: Recognise = (url, host) => {
  if (host !== 'vimeo.com' && host !== 'player.vimeo.com') return null
  const [, id, inPath] = vimeoPath.exec(url.pathname) ?? []
  if (id === undefined) return null
  const given = url.searchParams.get('h') ?? ''
  const hash = inPath ?? (/^[0-9a-f]{6,20}$/.test(given) ? given : undefined)
  const start = secondsIn(/^#t=(.+)/.exec(url.hash)?.[1] ?? null)
  const at = withSeconds(start, (s) => `#t=${s}s`)
  return {
    kind: 'embed',
    provider: 'Vimeo',
    embedUrl: `https://player.vimeo.com/video/${id}?${hash ? `h=${hash}&` : ''}dnt=1${at}`,
    pageUrl: `https://vimeo.com/${id}${hash ? `/${hash}` : ''}${at}`,
  }
}

const loom: Recognise = (url, host) => {
  if (host !== 'loom.com') return null
  // A title may come before the id.
  const id = /^\/(?:share|embed)\/([\w-]+)\/?$/.exec(url.pathname)?.[1]?.split('-').at(-1)
  if (id === undefined || !/^[0-9a-f]{32}$/.test(id)) return null
  const at = withSeconds(secondsIn(url.searchParams.get('t')), (s) => `?t=${s}`)
  return {
    kind: 'embed',
    provider: 'Loom',
    embedUrl: `https://www.loom.com/embed/${id}${at}`,
    pageUrl: `https://www.loom.com/share/${id}${at}`,
  }
}

const wistiaPath = /^\/(?:medias|embed\/(?:iframe|medias))\/([a-z0-9]{10})(?:\.jsonp?)?\/?$/

const wistia: Recognise = (url, host) => {
  if (!/(?:^|\.)(?:wistia\.(?:com|net)|wi\.st)$/.test(host)) return null
  const id = wistiaPath.exec(url.pathname)?.[1]
  if (id === undefined) return null
  return {
    kind: 'embed',
    provider: 'Wistia',
    embedUrl: `https://fast.wistia.net/embed/iframe/${id}`,
    pageUrl: `https://fast.wistia.net/embed/iframe/${id}`,
  }
}

/**
 * A page of a provider that lets its videos be shown in a frame; any other web address is played as a file.
 * Null when it is no web address. The addresses in the answer are made anew of what was recognised.
 */
export function videoLink(address: string): VideoLink | null {
  const url = webAddress(address)
  if (!url) return null
  const host = url.hostname.replace(/^www\./, '').replace(/\.$/, '')
  for (const recognise of [youTube, vimeo, loom, wistia]) {
    const embed = recognise(url, host)
    if (embed) return embed
  }
  return { kind: 'file', url: url.href }
}
