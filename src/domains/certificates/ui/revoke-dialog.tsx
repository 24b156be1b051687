import { useFetcher } from 'react-router'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { useActionCode } from '../../../web/use-action-code.ts'
import type { IssuedCertificate } from '../schema.ts'
import { revokePage } from './certificates-address.ts'
import {
  RevokeFields,
  type RevokeRefusal,
  revokeTitle,
  WhatRevokingMeans,
} from './revoke-fields.tsx'

type RevokeDialogProps = { slug: string; certificate: IssuedCertificate; onClose: () => void }

/** Leads to the list when it is done, which closes it. */
export function RevokeDialog({ slug, certificate, onClose }: RevokeDialogProps) {
  const fetcher = useFetcher<RevokeRefusal>()
  useActionCode(revokePage(slug, certificate.id))
  const busy = fetcher.state !== 'idle'
  return (
    <Dialog
      open
      onOpenChange={onClose}
      role="alertdialog"
      size="md"
      locked={busy}
      title={<span className="wrap-anywhere">{revokeTitle(certificate)}</span>}
    >
      <WhatRevokingMeans />
      <fetcher.Form
        method="post"
        action={revokePage(slug, certificate.id)}
        onSubmit={(event) => busy && event.preventDefault()}
        className="grid gap-5"
      >
        <RevokeFields
          busy={busy}
          refusal={busy ? undefined : fetcher.data}
          cancel={
            <Button variant="secondary" disabled={busy} onClick={onClose}>
              Cancel
            </Button>
          }
        />
      </fetcher.Form>
    </Dialog>
  )
}
