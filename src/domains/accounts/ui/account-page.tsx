import type { ReactNode } from 'react'
import { Card } from '../../../ui/card.tsx'
import { LightningMark } from '../../../ui/logo.tsx'

/** The frame of the log-in and sign-up forms. */
export function AccountPage({
  title,
  lead,
  children,
}: {
  title: string
  lead: ReactNode
  children: ReactNode
}) {
  return (
    <div className="page-width grid place-items-center py-10 sm:py-16">
      <div className="w-full max-w-md">
        <div className="mb-6 text-center">
          <LightningMark className="mx-auto mb-4 size-12" />
          <h1 className="text-3xl">{title}</h1>
          {lead !== null && <p className="mt-2 text-balance text-muted">{lead}</p>}
        </div>
        <Card padding="lg">{children}</Card>
      </div>
    </div>
  )
}
