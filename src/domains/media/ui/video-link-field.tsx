import { ExternalLink, Link2 } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { Field, Input } from '../../../ui/field.tsx'
import { videoLink } from '../video-link.ts'

type VideoOrLinkProps = {
  /** The address as it is typed; null without one. */
  address: string | null
  /** False while there is an uploaded video, or an upload under way. */
  mayLink: boolean
  onChange: (address: string | null) => void
  /** What chooses, uploads and shows a file. */
  children: ReactNode
}

/** A lesson's video: a file, or the address of one elsewhere. Never both. */
export function VideoOrLink({ address, mayLink, onChange, children }: VideoOrLinkProps) {
  const [isWanted, setWanted] = useState(false)
  const part = useRef<HTMLDivElement>(null)

  /** The button that was pressed is gone afterwards. */
  function change(how: () => void, focus: string) {
    flushSync(how)
    part.current?.querySelector<HTMLElement>(focus)?.focus()
  }

  const isLinked = mayLink && (isWanted || address !== null)
  return (
    <div ref={part} className="grid grid-cols-1 gap-3">
      {isLinked ? (
        <VideoLinkField
          address={address ?? ''}
          onChange={(text) => onChange(text === '' ? null : text)}
          onRemove={() =>
            change(() => {
              setWanted(false)
              onChange(null)
            }, '[data-link-video]')
          }
        />
      ) : (
        children
      )}
      {mayLink && !isLinked && (
        <Button
          data-link-video
          variant="secondary"
          size="sm"
          className="justify-self-start"
          onClick={() => change(() => setWanted(true), 'input')}
        >
          <Link2 size={16} aria-hidden />
          Link to a video instead
        </Button>
      )}
    </div>
  )
}

type VideoLinkFieldProps = {
  address: string
  onChange: (address: string) => void
  onRemove: () => void
}

function VideoLinkField({ address, onChange, onRemove }: VideoLinkFieldProps) {
  const [left, setLeft] = useState(address !== '')
  const link = videoLink(address)
  const isBlank = address.trim() === ''
  const problem =
    address.trim().length > 2000
      ? 'Video address can have at most 2,000 characters'
      : left && !isBlank && !link
        ? 'Enter a web address such as https://youtu.be/…'
        : undefined

  return (
    <fieldset className="grid min-w-0 gap-3">
      <legend className="mb-2 text-sm font-semibold">Video</legend>
      <div className="grid gap-3 rounded-card border bg-surface p-4 shadow-card">
        <Field
          label="Video address"
          hint="A page of YouTube, Vimeo, Loom or Wistia, or the address of a video file."
          error={problem}
        >
          <Input
            value={address}
            inputMode="url"
            autoComplete="off"
            spellCheck={false}
            placeholder="https://"
            onBlur={() => {
              setLeft(true)
              if (address !== address.trim()) onChange(address.trim())
            }}
            onChange={(event) => onChange(event.target.value)}
          />
        </Field>
        <div className="flex flex-wrap items-center justify-between gap-3">
          <output className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
            {link && (
              <Badge tone={link.kind === 'embed' ? 'success' : 'neutral'}>
                {link.kind === 'embed' ? `${link.provider} video` : 'Plays as a file'}
              </Badge>
            )}
            {link?.kind === 'file' && link.url.startsWith('http:') && (
              <span className="text-warning">
                Browsers may refuse it, because the address does not begin with https.
              </span>
            )}
          </output>
          <div className="flex flex-wrap items-center gap-2">
            {link && (
              <a
                href={link.kind === 'embed' ? link.pageUrl : link.url}
                target="_blank"
                rel="noreferrer"
                className="inline-flex min-h-9 items-center gap-1.5 px-2 text-sm font-semibold"
              >
                Open in a new tab
                <ExternalLink size={16} aria-hidden />
              </a>
            )}
            <Button size="sm" variant="secondary" onClick={onRemove}>
              {isBlank ? 'Upload a file instead' : 'Remove link'}
            </Button>
          </div>
        </div>
      </div>
    </fieldset>
  )
}
