import {
  type ComponentType,
  createContext,
  lazy,
  type LazyExoticComponent,
  useContext,
  useState,
  useTransition,
} from 'react'
import { Button } from './button.tsx'
import { cannotLoad } from './cannot-load.ts'

const Again = createContext({ retry: () => {}, isTrying: false })

/**
 * `lazy` for a part of a page that may come while somebody reads and writes there: where its code cannot be fetched,
 * that is said in its place, and it can be tried again. The server sends the part as ever.
 */
export function laterPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  const fresh = (): LazyExoticComponent<ComponentType<Props>> =>
    lazy(async () => ({ default: await load().catch(() => NotLoaded) }))
  let latest = fresh()

  return function LaterPart(props: Props) {
    const [Part, setPart] = useState(() => latest)
    const [isTrying, startTrying] = useTransition()

    function retry() {
      // Another place on the page may have tried already.
      if (Part === latest) latest = fresh()
      startTrying(() => setPart(() => latest))
    }

    return (
      <Again value={{ retry, isTrying }}>
        <Part {...props} />
      </Again>
    )
  }
}

function NotLoaded() {
  const { retry, isTrying } = useContext(Again)
  return (
    <div role="alert" className="flex flex-wrap items-center gap-3 rounded-card border p-4">
      {cannotLoad}
      <Button variant="secondary" size="sm" busy={isTrying} onClick={retry}>
        Try again
      </Button>
    </div>
  )
}
