import { type ComponentType, lazy } from 'react'
import { preloadModule } from 'react-dom'
import laterFiles from 'virtual:later-files'

/**
 * `lazy` for what the page needs at once: the server names its files in the page, so that the browser fetches them
 * together with those of the page, and not after them. `source` is the path that `load` imports.
 */
export function lazyPart<Props extends object>(
  source: string,
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  const Part = lazy(async () => ({ default: await load() }))
  return function LazyPart(props: Props) {
    for (const file of laterFiles[source] ?? []) preloadModule(file, { as: 'script' })
    return <Part {...props} />
  }
}
