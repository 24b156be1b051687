import { useCallback, useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react'
import { Field, Input, Select } from '../../../ui/field.tsx'
import { parseCaptions } from '../../media/caption-format.ts'
import { readPreferences } from './player-preferences.ts'
import type { PlayerSession } from './player-session.ts'
import type { PlayableFile } from './player-source.ts'
import { type TranscriptLine, TranscriptLines } from './transcript-lines.tsx'
import { found, lineAt } from './transcript-search.ts'
import { TranscriptFailure, TranscriptLoading } from './transcript-states.tsx'

export type TranscriptPanelProps = {
  session: PlayerSession
  captions: PlayableFile['captions']
  /** Their addresses are too old; the page should come with new ones. */
  onStale?: () => void
}

/** The captions of one language as text, which follows the video, seeks in it and can be searched. */
export function TranscriptPanel({ session, captions, onStale }: TranscriptPanelProps) {
  const [language, setLanguage] = useState(() => readPreferences().captions)
  const [wanted, setWanted] = useState('')
  const [tries, setTries] = useState(0)
  const chosen = captions.find((one) => one.language === language) ?? captions[0]
  return (
    <section
      aria-label="Transcript"
      className="grid h-96 grid-rows-[auto_minmax(0,1fr)] rounded-card border bg-surface"
    >
      <div className="flex flex-wrap gap-2 border-b p-3">
        <Field label="Search transcript" hideLabel className="min-w-0 flex-1 basis-48">
          <Input
            type="search"
            value={wanted}
            placeholder="Search transcript"
            maxLength={200}
            onChange={(event) => setWanted(event.target.value)}
          />
        </Field>
        {captions.length > 1 && (
          <Field label="Transcript language" hideLabel className="basis-40">
            <Select value={chosen?.language} onChange={(event) => setLanguage(event.target.value)}>
              {captions.map((one) => (
                <option key={one.language} value={one.language}>
                  {one.label}
                </option>
              ))}
            </Select>
          </Field>
        )}
      </div>
      {chosen && (
        <FetchedLines
          key={`${chosen.language} ${tries}`}
          url={chosen.url}
          session={session}
          wanted={wanted}
          onStale={onStale}
          onRetry={() => setTries(tries + 1)}
        />
      )}
    </section>
  )
}

/** @throws when there are none. */
async function fetchLines(url: string, onStale: () => void): Promise<TranscriptLine[]> {
  const answer = await fetch(url)
  if (answer.status === 401 || answer.status === 403) onStale()
  const read = answer.ok ? parseCaptions(await answer.text()) : null
  if (!read || 'problem' in read) throw new Error(read?.problem ?? 'No captions')
  return read.cues
}

type FetchedLinesProps = {
  url: string
  session: PlayerSession
  wanted: string
  onStale?: () => void
  onRetry: () => void
}

function FetchedLines({ url, session, wanted, onStale, onRetry }: FetchedLinesProps) {
  const [lines, setLines] = useState<TranscriptLine[] | 'failed' | null>(null)
  const askForAddress = useEffectEvent(() => onStale?.())

  useEffect(() => {
    let isHere = true
    fetchLines(url, askForAddress).then(
      (fetched) => isHere && setLines(fetched),
      // What is there stays when a newer address fails.
      () => isHere && setLines((before) => (Array.isArray(before) ? before : 'failed')),
    )
    return () => {
      isHere = false
    }
  }, [url])

  if (lines === null) return <TranscriptLoading />
  if (lines === 'failed') return <TranscriptFailure onRetry={onRetry} />
  return <FoundLines lines={lines} session={session} wanted={wanted} />
}

type FoundLinesProps = { lines: TranscriptLine[]; session: PlayerSession; wanted: string }

function FoundLines({ lines, session, wanted }: FoundLinesProps) {
  const { subscribe, now } = session.playback
  const current = useSyncExternalStore(
    subscribe,
    useCallback(() => lineAt(lines, now().time), [lines, now]),
  )
  const shown = found(lines, wanted)
  const isSearching = wanted.trim() !== ''
  return (
    <div className="grid min-h-0 grid-rows-[auto_minmax(0,1fr)]">
      <output className="px-4 text-sm text-muted">
        {isSearching && <span className="block pt-2">{countOf(shown.length)}</span>}
      </output>
      <TranscriptLines
        lines={shown}
        current={shown.indexOf(lines[current]!)}
        wanted={wanted}
        onSeek={session.seekTo}
      />
    </div>
  )
}

const countOf = (lines: number) => `${lines} ${lines === 1 ? 'line' : 'lines'} found`
