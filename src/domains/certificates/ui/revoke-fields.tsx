import type { ReactNode } from 'react'
import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import { Field, Textarea } from '../../../ui/field.tsx'
import { reasonMaxLength } from '../rules.ts'
import type { IssuedCertificate } from '../schema.ts'

/** Why it did not work. */
export type RevokeRefusal = { problem: string; reason: string }

export const revokeTitle = ({ learnerName }: IssuedCertificate) =>
  `Revoke the certificate of ${learnerName}?`

/** What is said before. */
export function WhatRevokingMeans() {
  return (
    <ul className="grid list-disc gap-2 pl-5 text-pretty text-muted marker:text-edge">
      <li>Its page will show that it was revoked, when and why.</li>
      <li>Its PDF and its badge cannot be downloaded any more; the badge no longer verifies.</li>
      <li>The learner is notified and sees the reason.</li>
      <li>This is for good: there is no way back, and no second certificate for this course.</li>
    </ul>
  )
}

type RevokeFieldsProps = {
  busy: boolean
  refusal: RevokeRefusal | undefined
  /** The way out. */
  cancel: ReactNode
}

export function RevokeFields({ busy, refusal, cancel }: RevokeFieldsProps) {
  return (
    <>
      <Field label="Reason" hint="Everybody who opens the certificate reads it." required>
        <Textarea name="reason" maxLength={reasonMaxLength} defaultValue={refusal?.reason} />
      </Field>
      {refusal && <Banner tone="danger">{refusal.problem}</Banner>}
      <div className="flex flex-col-reverse gap-3 sm:flex-row sm:justify-end">
        {cancel}
        <Button type="submit" variant="danger" busy={busy} busyText="Revoking...">
          Revoke
        </Button>
      </div>
    </>
  )
}
