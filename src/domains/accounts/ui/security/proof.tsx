import { createContext, use, useState, type ReactNode } from 'react'
import { Banner } from '../../../../ui/banner.tsx'
import { Button, ButtonLink } from '../../../../ui/button.tsx'
import { Dialog } from '../../../../ui/dialog.tsx'
import { canceled, securityRefusal } from '../../security-words.ts'
import { authCall, refused, type AuthCall } from './auth-call.ts'
import { PasswordDialog } from './password-dialog.tsx'

const ProvenCall = createContext<AuthCall>(authCall)
const Proof = createContext<() => Promise<boolean>>(async () => false)

/**
 * Makes calls that ask for a recent proof of who one is. When the server wants one, a dialog asks for it
 * and the call is made again. Canceled there, it answers with the code CANCELED.
 */
export const useProvenCall = () => use(ProvenCall)

/** Asks for a proof of who one is, for calls elsewhere that want one; false when it was canceled. */
export const useProof = () => use(Proof)

type ProofProviderProps = {
  hasPassword: boolean
  /** The tab of the settings that a new log-in comes back to. */
  tab?: string
  children: ReactNode
}

export function ProofProvider({ hasPassword, tab = 'security', children }: ProofProviderProps) {
  const [answer, setAnswer] = useState<{ with: (proven: boolean) => void } | null>(null)

  const prove = async () => {
    const proven = await new Promise<boolean>((resolve) => setAnswer({ with: resolve }))
    setAnswer(null)
    return proven
  }

  const call: AuthCall = async (path, fields) => {
    const first = await authCall(path, fields)
    if (first.code !== 'PROOF_NEEDED') return first
    const password = (fields as { password?: string } | undefined)?.password
    if (password !== undefined) {
      const proof = await authCall('/verify-password', { password })
      return proof.ok ? authCall(path, fields) : proof
    }
    return (await prove()) ? authCall(path, fields) : refused(canceled)
  }

  return (
    <ProvenCall value={call}>
      <Proof value={prove}>{children}</Proof>
      {hasPassword ? (
        <PasswordDialog
          open={answer !== null}
          onOpenChange={() => answer?.with(false)}
          title="Confirm that it is you"
          description="You logged in a while ago. Type your password, and we go on."
          confirmLabel="Confirm"
          busyLabel="Checking..."
          hasPassword
          onConfirm={async (fields) => {
            const proof = await authCall('/verify-password', fields)
            if (proof.ok) answer?.with(true)
            return proof.ok ? '' : securityRefusal(proof)
          }}
        />
      ) : (
        <ProveByLogIn tab={tab} open={answer !== null} onCancel={() => answer?.with(false)} />
      )}
    </ProvenCall>
  )
}

type ProveByLogInProps = { tab: string; open: boolean; onCancel: () => void }

/** For accounts without a password: only a new log-in proves who one is. */
function ProveByLogIn(props: ProveByLogInProps) {
  return props.open ? <OpenProveByLogIn {...props} /> : null
}

function OpenProveByLogIn({ tab, onCancel }: ProveByLogInProps) {
  const logIn = `/login?to=/settings%23${tab}`
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
    // A dialog of its own, which takes the focus and is read aloud.
    return (
      <Dialog
        key="logged out"
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
