import { safe } from '@orpc/client'
import { type FormEvent, type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react'
import { isBlank } from '../../../is-blank.ts'
import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { CharacterCount } from '../../../ui/character-count.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { toast } from '../../../ui/toast.ts'
import { client } from '../../../web/api-client.ts'
import { refusalProblem } from '../../courses/ui/call-problem.ts'
import { communityLimits } from '../rules.ts'
import type { Feed, Post } from '../schema.ts'
import { AdvancedFields } from './advanced-fields.tsx'
import { AttachmentPicker } from './attachment-picker.tsx'
import type { ComposerDraft } from './composer-draft.ts'
import { DraftNotice } from './draft-notice.tsx'
import { editOverOwn } from './edit-over-own.ts'
import { EmojiPicker } from './emoji-picker.tsx'
import {
  draftExtras,
  editExtras,
  type Extras,
  extrasOf,
  extrasProblem,
  isMoreThan,
  keptExtras,
  noExtras,
} from './extras.ts'
import { insertAtCaret } from './insert-at-caret.ts'
import { MentionField } from './mention-field.tsx'
import { sendPost } from './send-post.ts'
import { useAttachments } from './use-attachments.ts'
import { useIsAsked, useLoss } from './writing-guard.tsx'

const notCreated = 'Failed to create post. Please try again.'
const notUpdated = 'Failed to update post. Please try again.'
const postedAlready = 'Your post was made already. Load the page again to see it.'
/** From so many characters on, nobody loses a text by one press. What is more than words, nobody does at all. */
const longText = 80

type ComposerFormProps = {
  feed: Feed
  channelId: string | null
  post?: Post
  draft: ComposerDraft
  onDone: (post: Post | null) => void
}

/** Writes a post, or changes one. */
export function ComposerForm({ feed, channelId, post, draft, onDone }: ComposerFormProps) {
  const { course, channels, rights } = feed
  const { text, setText, forget } = draft
  const [begun] = useState(() => (post ? extrasOf(post) : noExtras(channelId)))
  const [chosen, setChosen] = useState(() =>
    // What Pro has is refused by now to who no longer has it.
    post || !rights.hasAdvanced ? begun : { ...begun, ...draft.extras },
  )
  // A channel may be removed meanwhile.
  const isThere = channels.some(({ id }) => id === chosen.channelId)
  const extras = isThere ? chosen : { ...chosen, channelId: null }
  const attachments = useAttachments(course.id, feed.videoMaxMb, post?.attachments ?? [])
  const hasMore = attachments.hasAdded || isMoreThan(begun, extras)
  const [isAsking, setAsking] = useState(false)
  const field = useRef<HTMLTextAreaElement>(null)
  const isHere = () => field.current !== null
  const { busy, problem, send } = useSending({
    courseId: course.id,
    post,
    begun,
    onDone,
    forget,
    isHere,
  })
  useLoss(lossOf({ busy, post, hasFiles: attachments.hasAdded, hasMore }))

  // Before anybody sees it, so that no key is lost.
  useLayoutEffect(() => {
    const area = field.current
    area?.focus()
    area?.setSelectionRange(area.value.length, area.value.length)
  }, [])

  function setExtras(next: Extras) {
    setChosen(next)
    if (!post) draft.setExtras(keptExtras(next))
  }

  async function submit() {
    if (busy) return
    await send({ text, extras, attachments })
    // What is inert meanwhile loses it.
    if (document.activeElement === document.body) field.current?.focus()
  }

  function cancel() {
    const isChanged = text.trim() !== (post?.content ?? '').trim()
    const isLong = isChanged && text.trim().length >= longText
    if (isLong || hasMore) return setAsking(true)
    giveUp()
  }

  function giveUp() {
    forget()
    onDone(null)
  }

  return (
    <Card padding="none" className="border-primary/40">
      {/* The key sends from every field. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <form
        aria-label={post ? 'Edit post' : 'New post'}
        noValidate
        onSubmit={(event: FormEvent) => {
          event.preventDefault()
          void submit()
        }}
        onKeyDown={(event: KeyboardEvent) => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
          event.preventDefault()
          void submit()
        }}
        className="grid scroll-mt-24 grid-cols-1 gap-4 p-4 sm:p-5"
      >
        <DraftNotice draft={draft} busy={busy} onDone={() => field.current?.focus()} />
        <MentionField
          ref={field}
          slug={course.slug}
          value={text}
          onChange={setText}
          label={post ? 'Edit your post' : 'Write a post'}
          placeholder="Write something..."
          rows={3}
          readOnly={busy}
        />
        <NearLimit text={text} />
        <div inert={busy} className="grid grid-cols-1 gap-4">
          <AttachmentPicker state={attachments} locked={busy} />
          <AdvancedFields
            rights={rights}
            channels={channels}
            value={extras}
            onChange={setExtras}
            isEdit={post !== undefined}
          />
        </div>
        <div className="sticky bottom-0 z-[1] -mx-4 -mb-4 flex flex-wrap items-center justify-between gap-2 rounded-b-card border-t bg-surface px-4 py-3 sm:-mx-5 sm:-mb-5 sm:px-5">
          {/* Here it is seen, however long the form is. */}
          {problem && (
            <Banner tone="danger" className="w-full">
              {problem}
            </Banner>
          )}
          <EmojiPicker
            disabled={busy}
            onPick={(emoji) => insertAtCaret(field.current, emoji, setText)}
          />
          <div className="flex items-center gap-2">
            <Button variant="ghost" size="sm" disabled={busy} onClick={cancel}>
              Cancel
            </Button>
            <Button
              type="submit"
              size="sm"
              busy={busy}
              busyText={post ? 'Saving...' : 'Posting...'}
            >
              {post ? 'Save' : 'Post'}
            </Button>
          </div>
        </div>
      </form>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title={post ? 'Discard your changes?' : 'Discard this post?'}
        description={`What you ${hasMore ? 'wrote and added' : 'wrote'} will be gone.`}
        confirmLabel="Discard"
        cancelLabel="Keep Writing"
        onConfirm={giveUp}
      />
    </Card>
  )
}

function NearLimit({ text }: { text: string }) {
  if (text.length < communityLimits.post * 0.9) return null
  return (
    <p className="-mt-2 text-right text-sm">
      <CharacterCount value={text} max={communityLimits.post} />
    </p>
  )
}

type Form = { busy: boolean; post: Post | undefined; hasFiles: boolean; hasMore: boolean }

/** What would be lost with the form, in words: its draft keeps the rest. */
function lossOf({ busy, post, hasFiles, hasMore }: Form): string | null {
  if (busy) return `Your ${post ? 'changes are' : 'post is'} still being sent.`
  if (hasFiles) return 'The images and videos that you added to your post are not kept.'
  return post && hasMore ? 'When the post is published is not saved yet.' : null
}

type Attachments = ReturnType<typeof useAttachments>
type Writing = { text: string; extras: Extras; attachments: Attachments }

/** Why it cannot be sent yet; null when it can. */
function problemOf({ text, extras, attachments }: Writing, ownTime: string | null): string | null {
  if (isBlank(text)) return 'Please write something'
  if (text.length > communityLimits.post) {
    return `Post can have at most ${communityLimits.post.toLocaleString('en')} characters`
  }
  if (attachments.isBusy) return 'Please wait until everything is uploaded.'
  if (attachments.hasFailed)
    return 'Please try again with what could not be uploaded, or remove it.'
  return extrasProblem(extras, new Date(), ownTime)
}

type Sending = {
  courseId: string
  post: Post | undefined
  begun: Extras
  onDone: (post: Post) => void
  forget: () => void
  /** False once the form has gone. */
  isHere: () => boolean
}

function useSending({ courseId, post, begun, onDone, forget, isHere }: Sending) {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const isAsked = useIsAsked()
  /** Another time may be stored by now than the form began with: an answer may be lost. */
  const hasSentTime = useRef(false)

  async function send(writing: Writing) {
    const { text, extras, attachments } = writing
    const mistake = problemOf(writing, post ? begun.scheduledFor : null)
    setProblem(mistake)
    if (mistake) return
    setBusy(true)
    const words = { content: text, attachments: attachments.input }
    const edited = editExtras(
      extras,
      hasSentTime.current ? { ...begun, scheduledFor: null } : begun,
    )
    hasSentTime.current ||= edited.scheduledFor !== undefined
    const [error, saved] = await safe(
      post
        ? editOverOwn(
            { postId: post.id, known: post.updatedAt, ...words, ...edited },
            client.community.updatePost,
          )
        : sendPost({ courseId, ...words, ...draftExtras(extras) }),
    )
    setBusy(false)
    if (error) {
      const refused = refusalProblem(error, post ? notUpdated : notCreated, postedAlready)
      setProblem(refused)
      return isHere() && !isAsked() ? undefined : void toast.error(refused)
    }
    forget()
    onDone(saved)
  }

  return { busy, problem, send }
}
