import { CalendarClock, Hash, ShieldCheck, SlidersHorizontal } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useRevalidator } from 'react-router'
import { Badge } from '../../../ui/badge.tsx'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { LaterDialog } from '../../../ui/later-dialog.tsx'
import { communitySettingsPath, moderationPath } from '../../moderation/rules.ts'
import type { Feed, Post } from '../schema.ts'

const loadChannels = () => import('./channels-editor.tsx')
const loadScheduled = () => import('./scheduled-posts.tsx')

type ModeratorToolsProps = {
  feed: Feed
  onEdit: (post: Post) => void
  onPublished: (post: Post) => void
}

/** Where reports are decided; for the instructor also the rules, the channels, and what was written for later. */
export function ModeratorTools({ feed, onEdit, onPublished }: ModeratorToolsProps) {
  const [open, setOpen] = useState<'channels' | 'scheduled' | null>(null)
  const { revalidate } = useRevalidator()
  const close = () => setOpen(null)
  const { course, channels, rights } = feed
  return (
    <>
      <div className="flex flex-wrap gap-2">
        <ButtonLink to={moderationPath(course.slug)} variant="secondary" size="sm">
          <ShieldCheck size={16} aria-hidden />
          Moderation
          {rights.openCases ? (
            <Badge tone="danger" className="-my-1">
              {rights.openCases.toLocaleString('en')}
              <span className="sr-only"> open</span>
            </Badge>
          ) : null}
        </ButtonLink>
        {rights.canManage && (
          <>
            <ButtonLink to={communitySettingsPath(course.slug)} variant="secondary" size="sm">
              <SlidersHorizontal size={16} aria-hidden />
              Rules
            </ButtonLink>
            <DialogOpener onOpen={() => setOpen('channels')}>
              <Hash size={16} aria-hidden />
              Channels
            </DialogOpener>
            <DialogOpener onOpen={() => setOpen('scheduled')}>
              <CalendarClock size={16} aria-hidden />
              Scheduled posts
            </DialogOpener>
          </>
        )}
      </div>
      {open === 'channels' && (
        <LaterDialog load={loadChannels} onFailed={close}>
          {({ ChannelsEditor }) => (
            <ChannelsEditor
              courseId={course.id}
              channels={channels}
              hasAdvanced={rights.hasAdvanced}
              onClose={close}
              onSaved={() => {
                close()
                void revalidate()
              }}
            />
          )}
        </LaterDialog>
      )}
      {open === 'scheduled' && (
        <LaterDialog load={loadScheduled} onFailed={close}>
          {({ ScheduledPosts }) => (
            <ScheduledPosts
              courseId={course.id}
              hasAdvanced={rights.hasAdvanced}
              onEdit={(post) => {
                close()
                onEdit(post)
              }}
              onPublished={onPublished}
              onClose={close}
            />
          )}
        </LaterDialog>
      )}
    </>
  )
}

function DialogOpener({ onOpen, children }: { onOpen: () => void; children: ReactNode }) {
  return (
    <Button variant="secondary" size="sm" aria-haspopup="dialog" onClick={onOpen}>
      {children}
    </Button>
  )
}
