import { useState } from 'react'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { EmailAddress } from '../../../ui/email-address.tsx'
import { LaterDialog } from '../../../ui/later-dialog.tsx'
import { relativeTime } from '../../../ui/relative-time.ts'
import { type ReadersZone, useReadersZone } from '../../../ui/use-readers-zone.ts'
import type { InvitationState } from '../rules.ts'
import type { Invitation } from '../schema.ts'
import { CopyLink } from './copy-link.tsx'
import { nameOf } from './invitation-name.ts'

const loadRevocation = () => import('./revoke-invitation.tsx')

type InvitationListProps = {
  label: string
  courseId: string
  invitations: Invitation[]
  /** When they were asked for. */
  at: Date
  onRevoked: () => void
}

/** Links, or mailed invitations, each with what became of it. */
export function InvitationList(props: InvitationListProps) {
  const { label, courseId, invitations, at, onRevoked } = props
  const [asked, setAsked] = useState<Invitation | null>(null)
  return (
    <>
      <ul aria-label={label} className="grid divide-y rounded-card border">
        {invitations.map((invitation) => (
          <InvitationRow
            key={invitation.id}
            invitation={invitation}
            at={at}
            onRevoke={() => setAsked(invitation)}
          />
        ))}
      </ul>
      {asked && (
        <LaterDialog load={loadRevocation} onFailed={() => setAsked(null)}>
          {({ RevokeDialog }) => (
            <RevokeDialog
              courseId={courseId}
              invitation={asked}
              onClose={() => setAsked(null)}
              onRevoked={onRevoked}
            />
          )}
        </LaterDialog>
      )}
    </>
  )
}

const tones = {
  open: 'success',
  expired: 'neutral',
  usedUp: 'primary',
  revoked: 'neutral',
} as const

const stateLabels: Record<InvitationState, string> = {
  open: 'Open',
  expired: 'Expired',
  usedUp: 'Used up',
  revoked: 'Revoked',
}

const stateLabel = ({ state, email, usesCount }: Invitation) => {
  // Also when it was revoked since, to make room for another one.
  if (email !== null && usesCount > 0) return 'Joined'
  return email !== null && state === 'open' ? 'Invited' : stateLabels[state]
}

function factsOf(invitation: Invitation, at: Date, zone: ReadersZone): string {
  const { email, maxUses, usesCount, expiresAt, createdAt, state } = invitation
  const made = relativeTime(new Date(createdAt), at)
  if (email !== null) return `Mailed ${made.toLowerCase()}`
  const joined = usesCount.toLocaleString('en-US')
  const uses =
    maxUses === null ? `${joined} joined` : `${joined} of ${maxUses.toLocaleString('en-US')} joined`
  return [uses, ...expiry(expiresAt, state, zone), `created ${made.toLowerCase()}`].join(' · ')
}

function expiry(expiresAt: string | null, state: InvitationState, zone: ReadersZone): string[] {
  if (state === 'revoked') return []
  if (expiresAt === null) return ['does not expire']
  const day = new Date(expiresAt).toLocaleDateString('en-US', {
    dateStyle: 'medium',
    ...zone,
  })
  return [state === 'expired' ? `expired ${day}` : `expires ${day}`]
}

type InvitationRowProps = { invitation: Invitation; at: Date; onRevoke: () => void }

function InvitationRow({ invitation, at, onRevoke }: InvitationRowProps) {
  const { url, email, state } = invitation
  const name = nameOf(invitation)
  const zone = useReadersZone()
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 px-4 py-3">
      <div className="grid min-w-0 flex-1 basis-44 gap-1">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          {email === null ? (
            <span className="font-mono text-sm wrap-anywhere">{name}</span>
          ) : (
            <span className="min-w-0 flex-1 basis-32">
              <EmailAddress address={email} />
            </span>
          )}
          <Badge tone={tones[state]}>{stateLabel(invitation)}</Badge>
        </div>
        <p className="text-sm text-muted tabular-nums">{factsOf(invitation, at, zone)}</p>
      </div>
      {state === 'open' && (
        <div className="flex flex-wrap gap-2">
          {url && <CopyLink url={url} about={name} />}
          <Button variant="ghost" size="sm" onClick={onRevoke}>
            Revoke<span className="sr-only"> {name}</span>
          </Button>
        </div>
      )}
    </li>
  )
}
