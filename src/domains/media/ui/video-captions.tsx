import { Download, Pencil, Trash2 } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { FailedBanner } from '../../../ui/failed-banner.tsx'
import { Field, Select } from '../../../ui/field.tsx'
import { Loading, Skeleton } from '../../../ui/skeleton.tsx'
import { toWebVtt } from '../caption-format.ts'
import { captionLanguages } from '../caption-languages.ts'
import {
  loadCaptions,
  loadCues,
  removeCaptions,
  type SavedCaptions,
  saveCaptions,
} from './caption-calls.ts'
import type { Cue } from './caption-draft.ts'
import { ChooseFiles } from './choose-files.tsx'
import { captionFiles, readCaptionFile } from './read-caption-file.ts'

const loadEditor = () => import('./caption-editor.tsx')
type Editor = typeof import('./caption-editor.tsx')

type Captions = { language: string; label: string; cuesCount: number; updatedAt: string }
type Opened = { cues: Cue[]; updatedAt: string | null }
type Editing = Opened & { language: string; editor: Editor }
type Said = { tone: 'danger' | 'warning' | 'success'; text: string }

const count = (cues: number) =>
  cues === 1 ? '1 caption' : `${cues.toLocaleString('en-US')} captions`

const without = (captions: Captions[] | null, language: string) =>
  (captions ?? []).filter((one) => one.language !== language)

type VideoCaptionsProps = {
  mediaId: string
  filename: string
  /** Whether what somebody writes by hand would be lost; the same function all the time. */
  onUnsaved: (isUnsaved: boolean) => void
}

/** The captions of an uploaded video: by language, from files or by hand. Each change is stored at once. */
export function VideoCaptions({ mediaId, filename, onUnsaved }: VideoCaptionsProps) {
  const [captions, setCaptions] = useState<Captions[] | null>(null)
  const [failed, setFailed] = useState<string | null>(null)
  const [said, setSaid] = useState<Said | null>(null)
  const [busy, setBusy] = useState<string | null>(null)
  const [removing, setRemoving] = useState<Captions | null>(null)
  const [removal, setRemoval] = useState<{ busy: boolean; problem?: string }>({ busy: false })
  const [editing, setEditing] = useState<Editing | null>(null)
  const part = useRef<HTMLFieldSetElement>(null)

  useEffect(() => {
    if (captions || failed !== null) return
    let isHere = true
    void loadCaptions(mediaId).then((answer) => {
      if (!isHere) return
      if ('problem' in answer) setFailed(answer.problem)
      else setCaptions(answer.captions)
    })
    return () => {
      isHere = false
    }
  }, [mediaId, captions, failed])

  function stored({ warning, ...saved }: SavedCaptions) {
    setCaptions((now) =>
      [...without(now, saved.language), saved].toSorted((a, b) =>
        a.language < b.language ? -1 : 1,
      ),
    )
    const text = `${saved.label}: ${count(saved.cuesCount)} saved.`
    setSaid(warning ? { tone: 'warning', text: `${text} ${warning}` } : { tone: 'success', text })
  }

  const listed = (language: string) => captions?.find((one) => one.language === language)

  /** Another tab or person may have changed what is listed here. */
  async function listAgain() {
    const answer = await loadCaptions(mediaId)
    if (!('problem' in answer)) setCaptions(answer.captions)
  }

  async function takeFile(language: string, file: File) {
    setSaid(null)
    setBusy(language)
    const read = await readCaptionFile(file)
    const before = listed(language)?.updatedAt ?? null
    const answer =
      'problem' in read
        ? { ...read, code: null }
        : await saveCaptions(mediaId, language, { file: read.text }, before)
    setBusy(null)
    if (!('problem' in answer)) return stored(answer)
    setSaid({ tone: 'danger', text: `“${file.name}”: ${answer.problem}` })
    if (answer.code === 'CAPTIONS_CHANGED') await listAgain()
  }

  /** What is stored; none for a language that has none yet. Null after a failure, which is shown. */
  async function cuesIn(language: string): Promise<Opened | null> {
    setSaid(null)
    const answer = await loadCues(mediaId, language)
    if (!('problem' in answer)) return answer
    const isMissing = answer.code === 'NOT_FOUND'
    if (isMissing && !listed(language)) return { cues: [], updatedAt: null }
    setSaid({ tone: 'danger', text: answer.problem })
    if (isMissing) await listAgain()
    return null
  }

  /** One at a time: the answer for a language must not come into the editor of another. */
  async function edit(language: string) {
    if (busy !== null) return
    setBusy(language)
    const [opened, editor] = await Promise.all([cuesIn(language), loadEditor().catch(() => null)])
    setBusy(null)
    if (opened && editor) setEditing({ ...opened, language, editor })
    else if (opened)
      setSaid({ tone: 'danger', text: 'The editor could not be loaded. Please try again.' })
  }

  async function download(language: string) {
    if (busy !== null) return
    setBusy(language)
    const opened = await cuesIn(language)
    setBusy(null)
    if (!opened) return
    const url = URL.createObjectURL(new Blob([toWebVtt(opened.cues)], { type: 'text/vtt' }))
    const link = document.createElement('a')
    link.href = url
    link.download = `${filename.replace(/\.[^.]*$/, '')}.${language}.vtt`
    link.click()
    URL.revokeObjectURL(url)
  }

  async function remove({ language, label, updatedAt }: Captions) {
    setRemoval({ busy: true })
    const answer = await removeCaptions(mediaId, language, updatedAt)
    const isGone = 'problem' in answer && answer.code === 'NOT_FOUND'
    const isNewer = 'problem' in answer && answer.code === 'CAPTIONS_CHANGED'
    if ('problem' in answer && !isGone && !isNewer) {
      return setRemoval({ busy: false, problem: answer.problem })
    }
    setRemoval({ busy: false })
    setRemoving(null)
    if (isNewer) {
      setSaid({ tone: 'danger', text: answer.problem })
      return listAgain()
    }
    // Removed before, as by a call whose answer was lost; or it is gone with its video.
    if (isGone) return listAgain()
    setCaptions((now) => without(now, language))
    setSaid({ tone: 'success', text: `The captions in ${label} are removed.` })
    part.current?.focus()
  }

  return (
    <fieldset ref={part} tabIndex={-1} className="grid min-w-0 gap-3 rounded-card outline-offset-4">
      <legend className="mb-1 text-sm font-semibold">Captions</legend>
      <p className="text-sm text-muted">
        Shown in the video, and beside it as a transcript. They are stored at once, not with “Save
        Changes”.
      </p>
      {said && <Banner tone={said.tone}>{said.text}</Banner>}
      {failed !== null ? (
        <FailedBanner onRetry={() => setFailed(null)}>{failed}</FailedBanner>
      ) : !captions ? (
        <Loading label="Loading the captions…">
          <Skeleton className="h-11 rounded-control" />
        </Loading>
      ) : (
        <>
          {captions.length > 0 && (
            <ul className="grid gap-2">
              {captions.map((one) => (
                <li
                  key={one.language}
                  className="flex flex-wrap items-center gap-x-3 gap-y-1 rounded-control border bg-paper py-1.5 pr-1.5 pl-3.5"
                >
                  <span className="min-w-0 flex-1">
                    <span className="font-medium">{one.label}</span>{' '}
                    <span className="text-sm text-muted tabular-nums">{count(one.cuesCount)}</span>
                  </span>
                  <span className="flex gap-0.5">
                    <Button
                      variant="ghost"
                      size="icon-sm"
                      aria-label={`Edit captions in ${one.label}`}
                      className="text-muted hover:text-ink"
                      busy={busy === one.language}
                      aria-disabled={busy !== null || undefined}
                      onClick={() => edit(one.language)}
                    >
                      <Pencil size={18} aria-hidden />
                    </Button>
                    <Button
                      variant="ghost"
                      size="icon-sm"
                      aria-label={`Download captions in ${one.label}`}
                      className="text-muted hover:text-ink"
                      aria-disabled={busy !== null || undefined}
                      onClick={() => download(one.language)}
                    >
                      <Download size={18} aria-hidden />
                    </Button>
                    <Button
                      variant="ghost"
                      size="icon-sm"
                      aria-label={`Remove captions in ${one.label}`}
                      className="text-muted hover:bg-danger-soft hover:text-danger"
                      aria-disabled={busy !== null || undefined}
                      onClick={() => {
                        if (busy !== null) return
                        setRemoval({ busy: false })
                        setRemoving(one)
                      }}
                    >
                      <Trash2 size={18} aria-hidden />
                    </Button>
                  </span>
                </li>
              ))}
            </ul>
          )}
          <AddCaptions
            captions={captions}
            isBusy={busy !== null}
            onFile={takeFile}
            onWrite={edit}
          />
        </>
      )}
      {editing && (
        <editing.editor.CaptionEditor
          key={editing.language}
          mediaId={mediaId}
          language={editing.language}
          cues={editing.cues}
          updatedAt={editing.updatedAt}
          onSaved={(saved) => {
            setEditing(null)
            stored(saved)
          }}
          onClose={() => setEditing(null)}
          onUnsaved={onUnsaved}
        />
      )}
      {removing && (
        <ConfirmDialog
          open
          onOpenChange={() => setRemoving(null)}
          title={`Remove the captions in ${removing.label}?`}
          description={`${count(removing.cuesCount)} of “${filename}” will be gone for good.`}
          confirmLabel="Remove captions"
          busyLabel="Removing..."
          busy={removal.busy}
          error={removal.problem}
          onConfirm={() => remove(removing)}
        />
      )}
    </fieldset>
  )
}

type AddCaptionsProps = {
  captions: Captions[]
  isBusy: boolean
  onFile: (language: string, file: File) => void
  onWrite: (language: string) => void
}

/** Which language, and then a file or the editor. */
function AddCaptions({ captions, isBusy, onFile, onWrite }: AddCaptionsProps) {
  const [chosen, setChosen] = useState<string | null>(null)
  const id = useId()
  const has = (tag: string) => captions.some((one) => one.language === tag)
  const language = chosen ?? (has('en') ? '' : 'en')
  const isNew = !has(language)

  return (
    <div className="grid gap-2">
      <div className="flex flex-wrap items-end gap-2">
        <Field label="Language" className="min-w-0 flex-1 basis-48 sm:max-w-72">
          <Select value={language} onChange={(event) => setChosen(event.target.value)}>
            {language === '' && <option value="">Choose a language</option>}
            {captionLanguages.map(({ tag, label }) => (
              <option key={tag} value={tag}>
                {has(tag) ? `${label} (has captions)` : label}
              </option>
            ))}
          </Select>
        </Field>
        {language !== '' && (
          <>
            <ChooseFiles
              id={id}
              accept={captionFiles}
              describedBy={`${id}-hint`}
              look={{ variant: 'secondary' }}
              onFiles={([file]) => {
                if (!file || isBusy) return
                setChosen(null)
                onFile(language, file)
              }}
            >
              {isNew ? 'Choose a captions file' : 'Replace with a file'}
            </ChooseFiles>
            {isNew && (
              <Button
                variant="ghost"
                aria-disabled={isBusy || undefined}
                onClick={() => isBusy || onWrite(language)}
              >
                Write them here
              </Button>
            )}
          </>
        )}
      </div>
      <p id={`${id}-hint`} className="text-sm text-muted">
        SRT or WebVTT (.srt, .vtt) up to 1 MB.
      </p>
    </div>
  )
}
