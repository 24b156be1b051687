import {
  Captions,
  Check,
  Maximize,
  Minimize,
  Pause,
  PictureInPicture2,
  Play,
  RotateCcw,
  Settings2,
  Volume1,
  Volume2,
  VolumeX,
} from 'lucide-react'
import {
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useState,
  useSyncExternalStore,
  type ComponentProps,
  type ReactNode,
  type RefObject,
} from 'react'
import { cn } from '../../../ui/cn.ts'
import { Menu, MenuButton, MenuLabel } from '../../../ui/menu.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import { clockTime } from './clock-time.ts'
import { useCaptionLines } from './player-captions.ts'
import { useFullScreen } from './player-full-screen.ts'
import { actionOf, isTakenBy, type PlayerAction, speedBeside } from './player-keys.ts'
import { keepPreferences, readPreferences, speeds } from './player-preferences.ts'
import { PlayerSeekBar } from './player-seek-bar.tsx'
import { createRest } from './player-rest.ts'
import { hasPictureInPicture, type PlayerSession } from './player-session.ts'
import type { PlayableFile, Quality, SourceState } from './player-source.ts'

type PlayerControlsProps = {
  session: PlayerSession
  frame: RefObject<HTMLElement | null>
  sourceState: SourceState
  file: PlayableFile
}

/** What lies over the picture: captions, and the controls while somebody wants them. */
export function PlayerControls({ session, frame, sourceState, file }: PlayerControlsProps) {
  const { video } = session
  const playback = useSyncExternalStore(session.playback.subscribe, session.playback.now)
  const [rest] = useState(() => createRest(video.parentElement ?? video))
  const isMoving = useSyncExternalStore(rest.subscribe, rest.isAwake)
  const fillsScreen = useFullScreen()
  const [language, setLanguage] = useState(() => languageOf(file, readPreferences().captions))
  /** The language to come back to. */
  const [lastLanguage, setLastLanguage] = useState(language)
  const [said, setSaid] = useState('')
  const lines = useCaptionLines(video, language)
  const plays = !playback.isPaused || sourceState.isPreparing
  const isLoading = playback.isWaiting || sourceState.isPreparing
  const isAwake = isMoving || !plays || isLoading

  const togglePlay = () => (plays ? session.pause() : session.play())
  const chooseCaptions = (chosen: string | null) => {
    setLanguage(chosen)
    if (chosen !== null) setLastLanguage(chosen)
    keepPreferences({ captions: chosen })
  }
  const seekTo = (seconds: number) => {
    session.seekTo(seconds)
    return clockTime(session.currentTime())
  }

  /** What was done, in words: whoever pressed a key may not see the control that it stands for. */
  function perform(action: PlayerAction): string {
    switch (action.do) {
      case 'togglePlay':
        togglePlay()
        return plays ? 'Paused' : 'Playing'
      case 'seekBy':
        return seekTo(session.currentTime() + action.by)
      case 'seekToPart':
        return seekTo(playback.duration * action.by)
      case 'volumeBy':
        session.setVolume(video.volume + action.by)
        return `Volume ${Math.round(video.volume * 100)}%`
      case 'speedStep':
        session.setSpeed(speedBeside(video.playbackRate, action.by))
        return `Speed ${video.playbackRate}×`
      case 'toggleMuted':
        session.toggleMuted()
        return video.muted ? 'Muted' : 'Sound on'
      case 'toggleFullScreen':
        session.toggleFullScreen()
        return ''
      case 'togglePicture':
        session.togglePicture()
        return ''
      case 'toggleCaptions':
        if (file.captions.length === 0) return 'No captions'
        chooseCaptions(language === null ? languageOf(file, lastLanguage, true) : null)
        return language === null ? 'Captions on' : 'Captions off'
    }
  }

  const pressKey = useEffectEvent((event: KeyboardEvent) => {
    const isInside =
      fillsScreen || (event.target instanceof Node && frame.current?.contains(event.target))
    if (!isInside && !readPreferences().pageKeys) return
    if (event.defaultPrevented || isTakenBy(event.target, event.key)) return
    // Behind an open dialog the player is out of reach.
    if (!isInside && document.querySelector('dialog[open]')) return
    const action = actionOf(event, isInside === true)
    if (!action) return
    event.preventDefault()
    // Held, a key goes on seeking, but switches once.
    if (event.repeat && !('by' in action)) return
    rest.wake()
    setSaid(perform(action))
  })
  const touchOrPress = useEffectEvent((pointer: string) => {
    if (pointer !== 'touch') {
      togglePlay()
      frame.current?.focus({ preventScroll: true })
    } else if (!plays) togglePlay()
    else if (isAwake) rest.sleep()
    else rest.wake()
  })
  // With the picture of the controls, not after it: who sees them may press at once.
  useLayoutEffect(() => {
    let pointer = 'mouse'
    const down = (event: PointerEvent) => (pointer = event.pointerType)
    const press = () => touchOrPress(pointer)
    const pressTwice = () => {
      if (pointer !== 'touch') session.toggleFullScreen()
    }
    const type = (event: KeyboardEvent) => pressKey(event)
    video.addEventListener('pointerdown', down)
    video.addEventListener('click', press)
    video.addEventListener('dblclick', pressTwice)
    document.addEventListener('keydown', type)
    return () => {
      video.removeEventListener('pointerdown', down)
      video.removeEventListener('click', press)
      video.removeEventListener('dblclick', pressTwice)
      document.removeEventListener('keydown', type)
    }
  }, [session, video])

  useEffect(() => rest.watch(), [rest])
  useEffect(() => {
    if (plays && !isLoading) rest.wake()
  }, [rest, plays, isLoading])
  useEffect(() => {
    // The browser's own controls had the focus, and they are gone.
    if (document.activeElement === video) frame.current?.focus({ preventScroll: true })
  }, [video, frame])

  const volume = playback.isMuted ? 0 : playback.volume
  const VolumePicture = volume === 0 ? VolumeX : volume < 0.5 ? Volume1 : Volume2
  const playName = plays ? 'Pause' : playback.isEnded ? 'Play again' : 'Play'
  const PlayPicture = plays ? Pause : playback.isEnded ? RotateCcw : Play

  return (
    <>
      {lines.length > 0 && (
        <div
          data-captions
          className={cn(
            'pointer-events-none absolute inset-x-0 grid justify-items-center gap-1 px-4 text-center',
            'text-[clamp(0.875rem,3.2cqw,2rem)] leading-snug transition-[bottom]',
            isAwake ? 'bottom-24' : 'bottom-4',
          )}
        >
          {lines.map((line) => (
            <span
              key={line}
              dir="auto"
              className="max-w-[90%] rounded-md bg-[black]/80 px-2 py-0.5 whitespace-pre-line text-[white]"
            >
              {line}
            </span>
          ))}
        </div>
      )}
      <span aria-hidden className="pointer-events-none absolute inset-0 grid place-items-center">
        {isLoading ? (
          <Spinner className="size-12 text-[white]" />
        ) : (
          !plays && (
            <span className="grid size-16 place-items-center rounded-full bg-spark text-on-spark">
              <PlayPicture size={28} fill={playback.isEnded ? 'none' : 'currentColor'} />
            </span>
          )
        )}
      </span>
      <output className="sr-only">{isLoading ? 'Loading video' : said}</output>
      <div
        className={cn(
          'absolute inset-x-0 bottom-0 grid gap-0.5 bg-linear-to-t from-[black]/85 via-[black]/60',
          'to-transparent px-2 pt-8 pb-1 transition-opacity duration-200 @md:px-3',
          'forced-colors:bg-[Canvas] forced-colors:bg-none forced-colors:pt-2',
          isAwake ? '' : 'pointer-events-none opacity-0',
        )}
      >
        <div className="px-1.5">
          <PlayerSeekBar playback={playback} previewUrl={file.previewUrl} onSeek={seekTo} />
        </div>
        <div className="flex items-center">
          <ControlButton label={playName} onClick={togglePlay}>
            <PlayPicture fill={plays ? 'currentColor' : 'none'} />
          </ControlButton>
          <div className="flex items-center">
            <ControlButton label={volume === 0 ? 'Unmute' : 'Mute'} onClick={session.toggleMuted}>
              <VolumePicture />
            </ControlButton>
            <input
              type="range"
              aria-label="Volume"
              aria-valuetext={`${Math.round(volume * 100)}%`}
              min={0}
              max={1}
              step={0.05}
              value={volume}
              onChange={(event) => session.setVolume(Number(event.target.value))}
              className="hidden h-5 w-20 cursor-pointer accent-ink @lg:block"
            />
          </div>
          <span className="px-2 text-xs whitespace-nowrap tabular-nums @md:text-sm">
            {clockTime(playback.time)}
            <span className="hidden @sm:inline"> / {clockTime(playback.duration)}</span>
          </span>
          <span className="grow" />
          {file.captions.length > 0 && (
            <ControlMenu label="Captions" picture={<Captions />} isOn={language !== null}>
              <Choice isChosen={language === null} onChoose={() => chooseCaptions(null)}>
                Off
              </Choice>
              {file.captions.map((one) => (
                <Choice
                  key={one.language}
                  isChosen={language === one.language}
                  onChoose={() => chooseCaptions(one.language)}
                >
                  {one.label}
                </Choice>
              ))}
            </ControlMenu>
          )}
          <ControlMenu
            label={`Speed: ${playback.speed}×`}
            picture={<span className="text-sm font-semibold tabular-nums">{playback.speed}×</span>}
          >
            <MenuLabel>Speed</MenuLabel>
            {speeds.map((speed) => (
              <Choice
                key={speed}
                isChosen={playback.speed === speed}
                onChoose={() => session.setSpeed(speed)}
              >
                {speed}×
              </Choice>
            ))}
          </ControlMenu>
          {file.hlsUrl !== null && (
            <ControlMenu label="Quality" picture={<Settings2 />}>
              <MenuLabel>Quality</MenuLabel>
              {qualities(sourceState.heights).map((quality) => (
                <Choice
                  key={quality}
                  isChosen={sourceState.quality === quality}
                  onChoose={() => session.choose(quality)}
                >
                  {qualityName(quality, sourceState)}
                </Choice>
              ))}
            </ControlMenu>
          )}
          {hasPictureInPicture(video) && (
            <ControlButton
              label={playback.isInPicture ? 'Leave picture in picture' : 'Picture in picture'}
              onClick={session.togglePicture}
              className="hidden @md:grid"
            >
              <PictureInPicture2 />
            </ControlButton>
          )}
          <ControlButton
            label={fillsScreen ? 'Leave full screen' : 'Full screen'}
            onClick={session.toggleFullScreen}
          >
            {fillsScreen ? <Minimize /> : <Maximize />}
          </ControlButton>
        </div>
      </div>
    </>
  )
}

/** Off unless the person has chosen captions; then their language, or its relative, or with `any` the first. */
function languageOf(file: PlayableFile, wanted: string | null, any = false): string | null {
  const base = wanted?.split('-')[0]
  const languages = file.captions.map(({ language }) => language)
  return (
    languages.find((one) => one === wanted) ??
    languages.find((one) => one.split('-')[0] === base) ??
    (any ? (languages[0] ?? null) : null)
  )
}

const qualities = (heights: number[]): Quality[] => ['auto', ...heights, 'original']

function qualityName(quality: Quality, { quality: chosen, height }: SourceState): string {
  if (quality === 'original') return 'Original'
  if (quality !== 'auto') return `${quality}p`
  return chosen === 'auto' && height !== null ? `Auto (${height}p)` : 'Auto'
}

const controlLook =
  'grid size-10 shrink-0 place-items-center rounded-control border-0 text-ink hover:bg-wash ' +
  'focus-visible:-outline-offset-2 [&_svg]:size-5'

type ControlButtonProps = ComponentProps<'button'> & { label: string }

function ControlButton({ label, className, ...rest }: ControlButtonProps) {
  return (
    <button
      {...rest}
      type="button"
      aria-label={label}
      title={label}
      className={cn(controlLook, className)}
    />
  )
}

type ControlMenuProps = {
  label: string
  picture: ReactNode
  isOn?: boolean
  children: ReactNode
}

function ControlMenu({ label, picture, isOn = false, children }: ControlMenuProps) {
  return (
    <Menu
      label={label}
      trigger={picture}
      triggerClassName={cn(controlLook, isOn && 'text-spark')}
      panelClassName="w-52"
    >
      {children}
    </Menu>
  )
}

type ChoiceProps = { isChosen: boolean; onChoose: () => void; children: ReactNode }

function Choice({ isChosen, onChoose, children }: ChoiceProps) {
  return (
    <MenuButton aria-pressed={isChosen} onClick={onChoose}>
      <span className="grow">{children}</span>
      {isChosen && <Check aria-hidden />}
    </MenuButton>
  )
}
