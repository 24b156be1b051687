import { ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { Badge } from '../../../ui/badge.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { Field, Select } from '../../../ui/field.tsx'
import { UpgradeLink } from '../../billing/ui/upgrade-link.tsx'
import { communityLimits } from '../rules.ts'
import type { Channel, CommunityRights } from '../schema.ts'
import { type Extras } from './extras.ts'
import { PollEditor } from './poll-editor.tsx'
import { TimeField } from './time-field.tsx'

type AdvancedFieldsProps = {
  rights: Pick<CommunityRights, 'canManage' | 'hasAdvanced'>
  channels: Channel[]
  value: Extras
  onChange: (value: Extras) => void
  /** Of a post that is there already: its poll and its announcement stay as they are. */
  isEdit?: boolean
}

/** The channel of a post; for the instructor also a poll, the time of publication, an announcement. */
export function AdvancedFields({
  rights,
  channels,
  value,
  onChange,
  isEdit = false,
}: AdvancedFieldsProps) {
  const change = (part: Partial<Extras>) => onChange({ ...value, ...part })
  const isRescheduled = isEdit && value.scheduledFor !== null
  return (
    <div
      // The bar of buttons lies over the lower edge of the window.
      className="grid gap-4 empty:hidden [&_:is(button,input,select,summary)]:scroll-mb-40"
    >
      {channels.length > 0 && (
        <Field label="Channel" className="max-w-xs">
          <Select
            value={value.channelId ?? ''}
            onChange={(event) => change({ channelId: event.target.value || null })}
          >
            <option value="">No channel</option>
            {channels.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </Select>
        </Field>
      )}
      {isRescheduled && (
        <TimeField
          label="Publish at"
          keepsFirst
          value={value.scheduledFor ?? ''}
          onChange={(scheduledFor) => change({ scheduledFor })}
        />
      )}
      {rights.canManage && !isEdit && (
        <InstructorFields hasAdvanced={rights.hasAdvanced} value={value} onChange={change} />
      )}
    </div>
  )
}

type InstructorFieldsProps = {
  hasAdvanced: boolean
  value: Extras
  onChange: (part: Partial<Extras>) => void
}

function InstructorFields({ hasAdvanced, value, onChange }: InstructorFieldsProps) {
  const { poll, scheduledFor, isAnnouncement } = value
  const chosen = [
    poll && 'with a poll',
    scheduledFor !== null && 'scheduled',
    isAnnouncement && 'announced',
  ].filter(Boolean)
  // What a draft brings along is seen before it is sent.
  const [isOpenAtFirst] = useState(chosen.length > 0)
  return (
    <details open={isOpenAtFirst} className="group rounded-card border">
      <summary className="flex min-h-11 cursor-pointer list-none items-center gap-2 rounded-card px-4 py-2 text-sm font-semibold hover:bg-wash [&::-webkit-details-marker]:hidden">
        <ChevronRight
          size={16}
          aria-hidden
          className="shrink-0 text-muted transition-transform group-open:rotate-90"
        />
        <span>
          Poll, schedule, announcement
          {chosen.length > 0 && (
            <span className="font-normal text-muted"> {chosen.join(', ')}</span>
          )}
        </span>
        {!hasAdvanced && <Badge tone="spark">PRO</Badge>}
      </summary>
      <div className="grid gap-3 px-4 pt-1 pb-4">
        {!hasAdvanced && (
          <p className="text-sm text-pretty text-muted">
            Polls, scheduled posts and announcements are a Pro benefit. <UpgradeLink />
          </p>
        )}
        <Checkbox
          label="Add a poll"
          hint="Members choose one answer, and see the results once they have voted."
          disabled={!hasAdvanced}
          checked={poll !== null}
          onChange={(event) =>
            onChange({ poll: event.target.checked ? { options: ['', ''], closesAt: '' } : null })
          }
        />
        {poll && <PollEditor value={poll} onChange={(changed) => onChange({ poll: changed })} />}
        <Checkbox
          label="Schedule"
          hint="Only you see the post until its time comes."
          disabled={!hasAdvanced}
          checked={scheduledFor !== null}
          onChange={(event) => onChange({ scheduledFor: event.target.checked ? '' : null })}
        />
        {scheduledFor !== null && (
          <TimeField
            label="Publish at"
            value={scheduledFor}
            onChange={(at) => onChange({ scheduledFor: at })}
          />
        )}
        <Checkbox
          label="Announce to all members"
          hint={`Members are told here and by email, as each of them chose. Up to ${communityLimits.announcementsPerDay} in 24 hours.`}
          disabled={!hasAdvanced}
          checked={isAnnouncement}
          onChange={(event) => onChange({ isAnnouncement: event.target.checked })}
        />
      </div>
    </details>
  )
}
