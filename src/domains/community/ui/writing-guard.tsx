import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useId,
  useState,
} from 'react'
import type { Location } from 'react-router'
import { useLatest } from '../../../ui/use-latest.ts'
import { useLeaveGuard } from '../../courses/ui/leave-guard.tsx'

type Losses = Record<string, string | null>
type Tell = (form: string, loss: string | null) => void

const TellLoss = createContext<Tell>(() => {})
const IsAsked = createContext<() => boolean>(() => false)

/** Another order, another channel and a search keep the forms. */
const staysInDiscussion = (now: Location, next: Location) =>
  now.pathname === next.pathname && new URLSearchParams(next.search).get('tab') === 'discussion'

/** Asks before somebody leaves the discussion with more in its forms than their drafts keep. */
export function WritingGuard({ children }: { children: ReactNode }) {
  const [losses, setLosses] = useState<Losses>({})
  const tell = useCallback<Tell>(
    (form, loss) => setLosses((before) => ({ ...before, [form]: loss })),
    [],
  )
  const words = Object.values(losses).filter((loss) => loss !== null)
  const guard = useLeaveGuard(words.length > 0, words.join(' '), {
    staysOn: staysInDiscussion,
    leadsOn: true,
  })
  const isAsking = useLatest(guard.isAsking)
  const isAsked = useCallback(() => isAsking.current, [isAsking])
  return (
    <TellLoss value={tell}>
      <IsAsked value={isAsked}>{children}</IsAsked>
      {guard.dialog}
    </TellLoss>
  )
}

/** Answers whether somebody is asked just now; once there is nothing to lose, the form goes. */
export const useIsAsked = () => useContext(IsAsked)

/** What would be lost with this form now, in words; null for nothing. */
export function useLoss(loss: string | null): void {
  const tell = useContext(TellLoss)
  const form = useId()
  useEffect(() => {
    if (loss === null) return
    tell(form, loss)
    return () => tell(form, null)
  }, [tell, form, loss])
}
