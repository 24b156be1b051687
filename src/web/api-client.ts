import type { ApiCalls } from './api-client-now.ts'

type Call = (...args: unknown[]) => Promise<unknown>

/** A call by its path, as in `client.courses.getCoursePage`; its code is loaded when it is made. */
const callAt = (path: string[]): unknown =>
  new Proxy(() => {}, {
    get: (_target, name) => callAt([...path, String(name)]),
    async apply(_target, _self, args) {
      const { client: now } = await import('./api-client-now.ts')
      const call = path.reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], now)
      return (call as Call)(...args)
    },
  })

/** The API from the browser, on the same paths as everybody else's. */
export const client = callAt([]) as ApiCalls
