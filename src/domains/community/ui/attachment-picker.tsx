import { ImagePlus, Link2 } from 'lucide-react'
import {
  type RefObject,
  useEffect,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { flushSync } from 'react-dom'
import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import { Field, Input } from '../../../ui/field.tsx'
import { useSwitchedOff } from '../../../web/use-switched-off.ts'
import { acceptedFiles, imageMaxMb } from '../../media/rules.ts'
import { ChooseFiles } from '../../media/ui/choose-files.tsx'
import { useKeepFocus } from '../../media/ui/keep-focus.ts'
import { useFileDrop } from '../../media/ui/use-file-drop.ts'
import { communityLimits } from '../rules.ts'
import { AttachmentTile } from './attachment-tile.tsx'
import type { AttachmentsState } from './use-attachments.ts'

const accept = `${acceptedFiles.post_image},${acceptedFiles.post_video}`

type AttachmentPickerProps = {
  state: AttachmentsState
  /** While true no files are taken. */
  locked: boolean
}

/** Chooses what stands below a post. The form around it takes what is dropped and pasted anywhere in it. */
export function AttachmentPicker({ state, locked }: AttachmentPickerProps) {
  const id = useId()
  const focus = useKeepFocus<HTMLFieldSetElement>()
  const form = useRef<HTMLElement>(null)
  const { items, left, address } = state
  const [moved, setMoved] = useState('')
  const { uploads: off } = useSwitchedOff()

  useLayoutEffect(() => {
    form.current = focus.ref.current?.closest('form') ?? focus.ref.current
  }, [focus.ref])
  const take = (files: File[]) => locked || state.add(files)
  const isOver = useFileDrop(form, (files) => {
    take(files)
    return true
  })
  usePastedFiles(form, take)

  /** The button that was pressed is gone afterwards. */
  function openLink() {
    flushSync(() => state.setAddress(''))
    focus.ref.current?.querySelector<HTMLElement>('input[inputmode=url]')?.focus()
  }

  return (
    <fieldset
      {...focus}
      // The bar of buttons lies over the lower edge of the window.
      className="grid min-w-0 grid-cols-1 gap-3 rounded-control outline-offset-4 [&_:is(button,input)]:scroll-mb-40"
    >
      <legend className="sr-only">Images and videos</legend>
      <output className="sr-only">{moved}</output>
      {items.length > 0 && (
        <ul
          aria-label="Attachments"
          className="grid grid-cols-2 gap-3 sm:grid-cols-3 lg:grid-cols-4"
        >
          {items.map((item, index) => (
            <AttachmentTile
              key={item.key}
              item={item}
              place={index + 1}
              count={items.length}
              state={state}
              onMoved={setMoved}
            />
          ))}
        </ul>
      )}
      {left && (
        <Banner
          tone="warning"
          action={
            <Button size="sm" variant="ghost" onClick={state.forgetLeft}>
              OK
            </Button>
          }
        >
          <p className="wrap-anywhere">{left}</p>
        </Banner>
      )}
      {address !== null && <LinkField state={state} address={address} />}
      {isOver && (
        <p className="rounded-control border-2 border-dashed border-primary bg-primary-soft p-3 text-center text-sm font-semibold">
          Drop the files to add them
        </p>
      )}
      <div className="flex flex-wrap items-center gap-2">
        {!state.isFull && (
          <>
            {!off && (
              <ChooseFiles
                id={id}
                accept={accept}
                multiple
                describedBy={`${id}-hint`}
                look={{ variant: 'secondary', size: 'sm' }}
                onFiles={state.add}
              >
                <span className="inline-flex items-center gap-1.5 sm:gap-2">
                  <ImagePlus size={18} aria-hidden />
                  Images and videos
                </span>
              </ChooseFiles>
            )}
            {address === null && (
              <Button variant="secondary" size="sm" onClick={openLink}>
                <span className="inline-flex items-center gap-1.5 sm:gap-2">
                  <Link2 size={18} aria-hidden />
                  Video link
                </span>
              </Button>
            )}
          </>
        )}
        <p id={`${id}-hint`} className="min-w-0 text-sm text-muted">
          {state.isFull
            ? `A post can have at most ${communityLimits.attachments} attachments`
            : (off ??
              `Images up to ${imageMaxMb.post_image}MB, videos up to ${state.videoMaxMb}MB. A GIF shows its first frame.`)}
        </p>
      </div>
    </fieldset>
  )
}

function LinkField({ state, address }: { state: AttachmentsState; address: string }) {
  const { linkProblem } = state
  return (
    <div className="grid gap-2 rounded-control border p-3">
      <Field
        label="Video link"
        hint="A page of YouTube, Vimeo, Loom or Wistia."
        error={linkProblem ?? undefined}
      >
        <Input
          value={address}
          inputMode="url"
          autoComplete="off"
          spellCheck={false}
          maxLength={2000}
          placeholder="https://"
          onChange={(event) => state.setAddress(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Escape') state.setAddress(null)
            if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return
            // It adds the link; the post is not finished.
            event.preventDefault()
            state.addLink()
          }}
        />
      </Field>
      <div className="flex justify-end gap-2">
        <Button variant="ghost" size="sm" onClick={() => state.setAddress(null)}>
          No Link
        </Button>
        <Button variant="secondary" size="sm" onClick={() => void state.addLink()}>
          Add Link
        </Button>
      </div>
    </div>
  )
}

/** A picture from the clipboard, such as a part of the screen. Pasted text is left to its field. */
function usePastedFiles(zone: RefObject<HTMLElement | null>, onFiles: (files: File[]) => void) {
  const paste = useEffectEvent((event: ClipboardEvent) => {
    const { clipboardData: data } = event
    const files = [...(data?.files ?? [])]
    // Programs for text put a picture of it beside it.
    if (files.length === 0 || data?.types.includes('text/plain')) return
    event.preventDefault()
    onFiles(files)
  })
  useEffect(() => {
    const element = zone.current
    const end = new AbortController()
    element?.addEventListener('paste', (event) => paste(event), { signal: end.signal })
    return () => end.abort()
  }, [zone])
}
