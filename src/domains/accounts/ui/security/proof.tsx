import { createContext, use, useState, type ReactNode } from 'react'
import { canceled } from '../../security-words.ts'
import { authCall, refused, type AuthCall } from './auth-call.ts'
import { ProofDialog } from './proof-dialog.tsx'

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
      <ProofDialog
        hasPassword={hasPassword}
        backTo={`/settings#${tab}`}
        open={answer !== null}
        onAnswer={(proven) => answer?.with(proven)}
      />
    </ProvenCall>
  )
}
