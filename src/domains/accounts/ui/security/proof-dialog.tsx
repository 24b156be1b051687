import { useState } from 'react'
import { Banner } from '../../../../ui/banner.tsx'
import { Button, ButtonLink } from '../../../../ui/button.tsx'
import { DialogNotice } from '../../../../ui/dialog-notice.ts'
import { Dialog } from '../../../../ui/dialog.tsx'
import { securityRefusal } from '../../security-words.ts'
import { authCall } from './auth-call.ts'
import { PasswordDialog } from './password-dialog.tsx'

type ProofDialogProps = {
  hasPassword: boolean
  /** The page that a new log-in comes back to, where there is no password. */
  backTo: string
  open: boolean
  /** False when it was canceled. */
  onAnswer: (proven: boolean) => void
}

/** Asks for a proof of who one is. */
export function ProofDialog({ hasPassword, backTo, open, onAnswer }: ProofDialogProps) {
  const cancel = () => onAnswer(false)
  if (!hasPassword) return <ProveByLogIn backTo={backTo} open={open} onCancel={cancel} />
  return (
    <PasswordDialog
      open={open}
      onOpenChange={cancel}
      title="Confirm that it is you"
      description="You logged in a while ago. Type your password, and we go on."
      confirmLabel="Confirm"
      busyLabel="Checking..."
      hasPassword
      onConfirm={async (fields) => {
        const proof = await authCall('/verify-password', fields)
        if (proof.ok) onAnswer(true)
        return proof.ok ? '' : securityRefusal(proof)
      }}
    />
  )
}

type ProveByLogInProps = { backTo: string; open: boolean; onCancel: () => void }

/** For accounts without a password: only a new log-in proves who one is. */
function ProveByLogIn(props: ProveByLogInProps) {
  return props.open ? <OpenProveByLogIn {...props} /> : null
}

function OpenProveByLogIn({ backTo, onCancel }: ProveByLogInProps) {
  const logIn = `/login?to=${backTo.replace('#', '%23')}`
  const [busy, setBusy] = useState(false)
  const [loggedOut, setLoggedOut] = useState(false)
  const [problem, setProblem] = useState('')

  async function logOut() {
    setBusy(true)
    const reply = await authCall('/sign-out', {})
    // Who has something unsaved is asked, and may stay.
    if (reply.ok) location.assign(logIn)
    else setProblem(securityRefusal(reply))
    setLoggedOut(reply.ok)
    setBusy(false)
  }

  if (loggedOut) {
    // A dialog of its own, which takes the focus and is read aloud. It is the notice of the log-out itself.
    return (
      <DialogNotice value={null}>
        <Dialog
          open
          onOpenChange={onCancel}
          title="You are logged out"
          description="Nothing more is saved on this page before you log in again. You can close this to copy what is not saved yet."
          footer={
            <>
              <Button variant="secondary" onClick={onCancel}>
                Close
              </Button>
              <ButtonLink to={logIn} reloadDocument>
                Log in
              </ButtonLink>
            </>
          }
        />
      </DialogNotice>
    )
  }

  return (
    <Dialog
      open
      onOpenChange={onCancel}
      locked={busy}
      title="Confirm that it is you"
      description="You logged in a while ago, and your account has no password to type again. Please log out and log in again; you come back to this page, and can go on for 15 minutes."
      footer={
        <>
          <Button variant="secondary" disabled={busy} onClick={onCancel}>
            Cancel
          </Button>
          <Button busy={busy} busyText="Logging out..." onClick={() => void logOut()}>
            Log out and in again
          </Button>
        </>
      }
    >
      {problem && <Banner tone="danger">{problem}</Banner>}
    </Dialog>
  )
}
