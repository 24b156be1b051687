import type { Answer, TestApp } from '../app.ts'
import { openJar } from './cookie-jar.ts'

/** One browser: sends back the cookies that it got, follows nothing by itself. */
export interface Browser {
  request(path: string, options?: Parameters<TestApp['request']>[1]): Promise<Answer>
  /** Opens an address of the app that another site led to. */
  open(address: URL): Promise<Answer>
  /** The email address of whoever is signed in here, or null. */
  signedInAs(): Promise<string | null>
  cookie(): string
}

export function openBrowser(app: TestApp, cookie = ''): Browser {
  const jar = openJar()
  for (const pair of cookie.split('; ').filter(Boolean)) {
    jar.keep(new Headers({ 'set-cookie': pair }))
  }
  const self: Browser = {
    async request(path, options = {}) {
      const answer = await app.request(path, { ...options, cookie: jar.header() })
      jar.keep(answer.headers)
      return answer
    },
    open: (address) => self.request(address.pathname + address.search),
    async signedInAs() {
      const { body } = await self.request('/auth/v1/get-session')
      return body?.user?.email ?? null
    },
    cookie: () => jar.header(),
  }
  return self
}
