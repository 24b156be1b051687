import { PenLine } from 'lucide-react'
import { useEffect, useLayoutEffect, useRef } from 'react'
import { useRouteLoaderData } from 'react-router'
import type { loader } from '../../../root.tsx'
import { Avatar } from '../../../ui/avatar.tsx'
import { Banner } from '../../../ui/banner.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Textarea } from '../../../ui/field.tsx'
import { Loading, Skeleton } from '../../../ui/skeleton.tsx'
import { useLater } from '../../../ui/use-later.ts'
import { useSwitchedOff } from '../../../web/use-switched-off.ts'
import type { Feed, Post } from '../schema.ts'
import { type ComposerDraft, useComposerDraft, useHasDraft } from './composer-draft.ts'

const loadForm = () => import('./composer-form.tsx')

/** Fetches the form's code before somebody needs it. */
function preload() {
  // A failure shows when the form is opened.
  loadForm().catch(() => {})
}

type ComposerProps = {
  feed: Feed
  /** The channel that is looked at: new posts go there. */
  channelId: string | null
  isOpen: boolean
  onOpenChange: (isOpen: boolean) => void
  onWritten: (post: Post) => void
  /** Another post is being edited: this form is not seen meanwhile, and nothing that is in it is lost. */
  isEditing: boolean
  /** Leads to that one; null where it stands in this one's place. */
  onShowEdited: (() => void) | null
}

/** Where a new post is written: one line until it is pressed. */
export function Composer({ isEditing, onShowEdited, ...rest }: ComposerProps) {
  const opener = useRef<HTMLButtonElement>(null)
  const { isOpen } = rest
  const wasOpen = useRef(isOpen)

  useEffect(() => {
    if (wasOpen.current && !isOpen && !isEditing) opener.current?.focus({ preventScroll: true })
    wasOpen.current = isOpen
  }, [isOpen, isEditing])

  return (
    <>
      {onShowEdited && <EditedElsewhere onShow={onShowEdited} />}
      {isOpen && (
        <div hidden={isEditing}>
          <PostForm
            feed={rest.feed}
            channelId={rest.channelId}
            onDone={(post) => {
              if (post) rest.onWritten(post)
              rest.onOpenChange(false)
            }}
          />
        </div>
      )}
      {!isOpen && !isEditing && (
        <Opener
          ref={opener}
          courseId={rest.feed.course.id}
          onOpen={() => rest.onOpenChange(true)}
        />
      )}
    </>
  )
}

function EditedElsewhere({ onShow }: { onShow: () => void }) {
  return (
    <Card padding="sm" className="flex items-center justify-between gap-3">
      <p className="flex items-center gap-2.5 text-muted">
        <PenLine size={18} aria-hidden className="shrink-0" />
        You are editing a post.
      </p>
      <Button variant="secondary" size="sm" onClick={onShow}>
        Go to It
      </Button>
    </Card>
  )
}

type OpenerProps = {
  ref: React.Ref<HTMLButtonElement>
  courseId: string
  onOpen: () => void
}

function Opener({ ref, courseId, onOpen }: OpenerProps) {
  const me = useRouteLoaderData<typeof loader>('root')?.me
  const hasDraft = useHasDraft(courseId)
  const { community_writing: off } = useSwitchedOff()
  if (off) return <Banner tone="warning">{off}</Banner>
  return (
    <Card padding="sm" className="flex items-center gap-3">
      {me && <Avatar name={me.name} src={me.avatarUrl} />}
      <button
        ref={ref}
        type="button"
        onPointerEnter={preload}
        onFocus={preload}
        onClick={onOpen}
        className="flex min-h-11 min-w-0 flex-1 items-center justify-between gap-3 rounded-control border border-edge/60 bg-paper px-4 text-left text-muted transition-colors hover:border-edge hover:text-ink"
      >
        Write something...
        {hasDraft && <Badge tone="warning">Draft</Badge>}
      </button>
    </Card>
  )
}

type PostFormProps = {
  feed: Feed
  channelId: string | null
  /** The post to edit; a new one without. */
  post?: Post
  /** With what the server answered; null when it was given up. */
  onDone: (post: Post | null) => void
}

/** The form of a post, fetched when it is used first. What is typed meanwhile is in it when it comes. */
export function PostForm(props: PostFormProps) {
  const { feed, post } = props
  const { value, failed, retry } = useLater(loadForm)
  const draft = useComposerDraft(feed.course.id, post?.id ?? 'new', post?.content ?? '')
  if (value) return <value.ComposerForm {...props} draft={draft} />
  if (failed) {
    return (
      <ErrorState
        level={3}
        title="The form could not be loaded"
        description="Please check your connection and try again, or load the page again."
        onRetry={retry}
      />
    )
  }
  return <FormToBe label={post ? 'Edit your post' : 'Write a post'} draft={draft} />
}

/** The text alone, where it is in the form. */
function FormToBe({ label, draft }: { label: string; draft: ComposerDraft }) {
  const field = useRef<HTMLTextAreaElement>(null)

  // Before anybody sees it, so that no key is lost.
  useLayoutEffect(() => {
    const area = field.current
    area?.focus()
    area?.setSelectionRange(area.value.length, area.value.length)
  }, [])

  return (
    <Card className="grid gap-4 border-primary/40">
      <Textarea
        ref={field}
        rows={3}
        dir="auto"
        aria-label={label}
        placeholder="Write something..."
        value={draft.text}
        onChange={(event) => draft.setText(event.target.value)}
        className="max-h-[min(32rem,50dvh)] min-h-24"
      />
      <Loading>
        <Skeleton className="h-9 w-48" />
      </Loading>
    </Card>
  )
}
