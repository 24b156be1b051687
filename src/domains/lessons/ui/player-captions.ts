import { useEffect, useState } from 'react'

type Shown = { language: string; lines: string[] }

/** The lines of the chosen captions that are to be seen now, as plain text. */
export function useCaptionLines(video: HTMLVideoElement, language: string | null): string[] {
  const [shown, setShown] = useState<Shown | null>(null)

  useEffect(() => {
    const tracks = [...video.textTracks]
    for (const track of tracks) track.mode = 'disabled'
    const chosen = tracks.find((track) => track.language === language)
    if (!chosen) return
    // Hidden: loaded and timed by the browser, and drawn by us, above our controls.
    chosen.mode = 'hidden'
    const show = () =>
      setShown({ language: chosen.language, lines: linesOf(chosen, video.currentTime) })
    // A phone's own full screen shows what it draws itself.
    const giveAway = () => (chosen.mode = 'showing')
    const takeBack = () => (chosen.mode = 'hidden')
    chosen.addEventListener('cuechange', show)
    // A track whose new address fails loses its lines, and says nothing else. It does not bubble.
    video.addEventListener('error', show, true)
    video.addEventListener('webkitbeginfullscreen', giveAway)
    video.addEventListener('webkitendfullscreen', takeBack)
    return () => {
      chosen.removeEventListener('cuechange', show)
      video.removeEventListener('error', show, true)
      video.removeEventListener('webkitbeginfullscreen', giveAway)
      video.removeEventListener('webkitendfullscreen', takeBack)
      setShown(null)
    }
  }, [video, language])

  return shown?.language === language ? shown.lines : []
}

/** Where one line ends and the next one begins, browsers take both for active while the video rests. */
const linesOf = (track: TextTrack, second: number) =>
  [...(track.activeCues ?? [])]
    .filter(({ endTime }) => endTime > second)
    .map(textOf)
    .filter((line) => line !== '')

const textOf = (cue: TextTrackCue) =>
  cue instanceof VTTCue ? (cue.getCueAsHTML().textContent ?? '').trim() : ''
