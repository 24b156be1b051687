import { useEffect, useRef, useState } from 'react'
import { randomId } from '../../../web/random-id.ts'
import { postImageUrl } from '../../media/rules.ts'
import { createUploadQueue } from '../../media/ui/upload-queue.ts'
import type { UploadBusyState } from '../../media/ui/upload-state.ts'
import { videoLink } from '../../media/video-link.ts'
import { communityLimits, otherHost } from '../rules.ts'
import type { Attachment, AttachmentInput } from '../schema.ts'
import { chooseAttachments, purposeOf } from './choose-attachments.ts'

export type AttachmentItem =
  | {
      key: string
      kind: 'image' | 'video'
      filename: string
      previewUrl: string | null
      /** Null until the server has accepted it. */
      mediaId: string | null
    }
  | { key: string; kind: 'link'; filename: string; url: string }

export type AttachmentsState = ReturnType<typeof useAttachments>

const atMost = `A post can have at most ${communityLimits.attachments} attachments`

function itemOf(attachment: Attachment): AttachmentItem {
  if (attachment.kind === 'link') return linkItem(attachment.url)
  const { kind, mediaId } = attachment
  if (kind === 'image') {
    return { key: mediaId, kind, mediaId, filename: 'Image', previewUrl: postImageUrl(mediaId) }
  }
  const { filename, posterUrl: previewUrl } = attachment
  return { key: mediaId, kind, mediaId, filename, previewUrl }
}

function linkItem(url: string): AttachmentItem {
  const link = videoLink(url)
  const provider = link?.kind === 'embed' ? link.provider : 'another page'
  return { key: url, kind: 'link', url, filename: `Video from ${provider}` }
}

const pageOf = (text: string) => {
  const link = videoLink(text)
  return link?.kind === 'embed' ? link.pageUrl : null
}

/** The attachments of a post that is being written, with the uploads of its files. */
export function useAttachments(courseId: string, videoMaxMb: number, initial: Attachment[]) {
  const [begun] = useState(() => initial.map(itemOf))
  const [items, setItems] = useState(begun)
  const [busy, setBusy] = useState<Record<string, UploadBusyState>>({})
  /** What to say of files that were not taken. */
  const [left, setLeft] = useState<string | null>(null)
  /** The address that is typed and not added yet; null while the field is closed. */
  const [address, setAddress] = useState<string | null>(null)
  const made = useRef(0)
  const previews = useRef(new Map<string, string>())
  const [uploads] = useState(() =>
    createUploadQueue({
      courseId,
      videoMaxMb,
      purposeOf: (file) => purposeOf(file) ?? 'post_image',
      onReady: (key, { id }) =>
        setItems((now) => now.map((one) => (one.key === key ? { ...one, mediaId: id } : one))),
      onBusyChange: (key, state) => setBusy((now) => ({ ...now, [key]: state })),
    }),
  )

  useEffect(() => {
    const urls = previews.current
    return () => {
      // Nobody could go on with them: a draft keeps no files.
      uploads.keepOnly(() => false)
      for (const url of urls.values()) URL.revokeObjectURL(url)
    }
  }, [uploads])

  function add(files: File[]) {
    const { taken, left: words } = chooseAttachments(files, items.length)
    setLeft(words)
    const added = taken.map((file) => {
      made.current += 1
      const key = `new-${made.current}`
      const kind = purposeOf(file) === 'post_video' ? ('video' as const) : ('image' as const)
      const previewUrl = kind === 'image' ? URL.createObjectURL(file) : null
      if (previewUrl) previews.current.set(key, previewUrl)
      return { file, item: { key, kind, filename: file.name, previewUrl, mediaId: null } }
    })
    setItems((now) => [...now, ...added.map(({ item }) => item)])
    const writing = randomId()
    for (const { file, item } of added) uploads.start(item.key, `post ${writing} ${item.key}`, file)
  }

  const typed = (address ?? '').trim()
  const page = pageOf(typed)
  const isThere = (url: string) => items.some(({ key }) => key === url)

  function linkProblem(): string | null {
    if (typed === '') return null
    if (page === null) return otherHost
    if (isThere(page)) return 'This video stands there already.'
    return items.length >= communityLimits.attachments ? atMost : null
  }

  /** False when it stays in its field. */
  function addLink(): boolean {
    if (page === null || linkProblem() !== null) return false
    setItems((now) => [...now, linkItem(page)])
    setAddress(null)
    return true
  }

  function remove(key: string) {
    uploads.cancel(key)
    setItems((now) => now.filter((one) => one.key !== key))
    setLeft(null)
    const preview = previews.current.get(key)
    if (preview) URL.revokeObjectURL(preview)
    previews.current.delete(key)
  }

  function move(key: string, by: -1 | 1) {
    setItems((now) => {
      const from = now.findIndex((one) => one.key === key)
      const item = now[from]
      const other = now[from + by]
      return item && other ? now.with(from, other).with(from + by, item) : now
    })
  }

  const problem = linkProblem()
  const states = items.map(({ key }) => busy[key] ?? 'idle')
  const input = items.flatMap((one): AttachmentInput[] => {
    if (one.kind === 'link') return [{ url: one.url }]
    return one.mediaId === null ? [] : [{ mediaId: one.mediaId }]
  })
  // Who types an address and presses 'Post' means it.
  if (page !== null && problem === null) input.push({ url: page })

  return {
    items,
    /** For the call. */
    input,
    isBusy: states.includes('uploading'),
    hasFailed: states.includes('failed') || problem !== null,
    videoMaxMb,
    isFull: items.length >= communityLimits.attachments,
    /** Something would be lost with the form. */
    hasAdded: typed !== '' || items.some(({ key }) => !begun.some((one) => one.key === key)),
    uploads,
    left,
    address,
    linkProblem: problem,
    add,
    setAddress,
    addLink,
    remove,
    move,
    forgetLeft: () => setLeft(null),
  }
}
