import { type ReactNode, useEffect, useEffectEvent } from 'react'
import { cannotLoad } from './cannot-load.ts'
import { toast } from './toast.ts'
import { useLater } from './use-later.ts'

type LaterDialogProps<Module> = {
  /** The same function every time. */
  load: () => Promise<Module>
  onFailed: () => void
  children: (module: Module) => ReactNode
}

/** A dialog whose code is fetched when it is opened first; where that fails, the page stays as it is. */
export function LaterDialog<Module>({ load, onFailed, children }: LaterDialogProps<Module>) {
  const { value, failed } = useLater(load)
  const giveUp = useEffectEvent(() => {
    void toast.error(cannotLoad)
    onFailed()
  })
  useEffect(() => {
    if (failed) giveUp()
  }, [failed])
  return value ? children(value) : null
}
