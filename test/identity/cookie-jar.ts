/** Keeps cookies as one browser does: by name; an expired one is gone. */
export interface CookieJar {
  keep(headers: Headers): void
  has(name: string): boolean
  header(): string
}

export function openJar(): CookieJar {
  const cookies = new Map<string, string>()
  return {
    keep(headers) {
      for (const line of headers.getSetCookie()) {
        const [pair = '', ...attributes] = line.split(';')
        const [name = '', ...value] = pair.trim().split('=')
        const ended = attributes.some((attribute) => /^\s*max-age=0\s*$/i.test(attribute))
        if (ended || value.join('=') === '') cookies.delete(name)
        else cookies.set(name, value.join('='))
      }
    },
    has: (name) => cookies.has(name),
    header: () => [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
  }
}
