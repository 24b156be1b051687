import { PlayerEmbed } from '../../lessons/ui/player-embed.tsx'
import { videoLink } from '../../media/video-link.ts'

/** A video of another site, below a post. */
export function LinkedVideo({ url, author }: { url: string; author: string }) {
  const link = videoLink(url)
  return link?.kind === 'embed' ? <PlayerEmbed link={link} title={`Video by ${author}`} /> : null
}
