import { cn } from '../../../ui/cn.ts'
import type { Platform } from '../profile-links.ts'

/** Letters, not the platforms' own marks, which are theirs. */
const letters: Record<Platform, string> = {
  kick: 'K',
  linkedin: 'in',
  medium: 'M',
  rumble: 'R',
  tiktok: 'Tt',
  twitch: 'Tw',
  x: 'X',
  youtube: 'Yt',
}

/** Stands for a platform beside its name, or in a link that carries the name. */
export function SocialGlyph({ platform, className }: { platform: Platform; className?: string }) {
  return (
    <span
      aria-hidden
      // Drawn by the style, so that it is a picture and not a second, shorter name.
      data-letters={letters[platform]}
      className={cn(
        'inline-grid shrink-0 place-items-center rounded-lg bg-wash leading-none font-bold before:content-[attr(data-letters)]',
        className,
      )}
    />
  )
}
