const nameOf = (secure: boolean) => `${secure ? '__Secure-' : ''}thunder.dont_remember`

const isEnded = (line: string) => /;\s*max-age=0(;|$)/i.test(line)

/**
 * After a log-in with 'remember me': the library's cookie of an earlier one without it would count for this one as well,
 * at its second step and whenever the session is extended.
 */
export function endDontRemember(sent: Headers, answered: Headers, secure: boolean): void {
  const name = nameOf(secure)
  if (!sent.get('cookie')?.includes(`${name}=`)) return
  const overTls = secure ? '; Secure' : ''
  answered.append('set-cookie', `${name}=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax${overTls}`)
}

/** Who trusts a device at the second step is asked for no code there; the library takes that for 'remember me', too. */
export function keepDontRemember(answered: Headers, secure: boolean): void {
  const lines = answered.getSetCookie()
  const kept = lines.filter((line) => !(line.startsWith(`${nameOf(secure)}=`) && isEnded(line)))
  if (kept.length === lines.length) return
  answered.delete('set-cookie')
  for (const line of kept) answered.append('set-cookie', line)
}
