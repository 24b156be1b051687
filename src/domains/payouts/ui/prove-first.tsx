import { useState } from 'react'
import { LaterDialog } from '../../../ui/later-dialog.tsx'
import type { BillingAnswer } from '../../billing/ui/billing-answer.ts'

const loadDialog = () => import('../../accounts/ui/security/proof-dialog.tsx')

type ProveFirstProps = {
  answer: BillingAnswer | undefined
  /** The page that a new log-in comes back to, where there is no password. */
  backTo: string
  /** What was wanted can be asked for again. */
  onProven: () => void
}

/** Once a form is answered that a proof of who one is is wanted first: asks for it. The form stays as it was typed. */
export function ProveFirst({ answer, backTo, onProven }: ProveFirstProps) {
  const [asked, setAsked] = useState<BillingAnswer>()
  const proof = answer && answer !== asked && 'problem' in answer && answer.proof
  if (!proof) return null
  return (
    <LaterDialog load={loadDialog} onFailed={() => setAsked(answer)}>
      {({ ProofDialog }) => (
        <ProofDialog
          open
          hasPassword={proof === 'password'}
          backTo={backTo}
          onAnswer={(proven) => {
            setAsked(answer)
            if (proven) onProven()
          }}
        />
      )}
    </LaterDialog>
  )
}
