import { useSyncExternalStore } from 'react'

type PhoneVideo = HTMLVideoElement & { webkitEnterFullscreen?: () => void }

/** Nothing else on a lesson's page fills the screen. */
export const isFullScreen = () => document.fullscreenElement !== null

/**
 * The stage goes full screen rather than the player: the next lesson's player is another element on the
 * same stage, so the screen stays full.
 */
export function toggleFullScreen(video: PhoneVideo): void {
  const stage = video.closest('[data-player-stage]') ?? video.parentElement
  if (isFullScreen()) void document.exitFullscreen()
  // Phones without it for pages have their own for videos.
  else if (!document.fullscreenEnabled) video.webkitEnterFullscreen?.()
  else void stage?.requestFullscreen().catch(() => {})
}

function subscribe(onChange: () => void) {
  document.addEventListener('fullscreenchange', onChange)
  return () => document.removeEventListener('fullscreenchange', onChange)
}

export const useFullScreen = () => useSyncExternalStore(subscribe, isFullScreen, () => false)
