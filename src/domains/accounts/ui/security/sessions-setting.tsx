import { useState } from 'react'
import { useRevalidator } from 'react-router'
import { Badge } from '../../../../ui/badge.tsx'
import { Banner } from '../../../../ui/banner.tsx'
import { Button } from '../../../../ui/button.tsx'
import { cannotLoad } from '../../../../ui/cannot-load.ts'
import { Card, CardHeader } from '../../../../ui/card.tsx'
import { ConfirmDialog } from '../../../../ui/confirm-dialog.tsx'
import { toast } from '../../../../ui/toast.ts'
import { useKeepFocus } from '../../../media/ui/keep-focus.ts'
import { lastUse } from '../../last-use.ts'
import type { MySecurity } from '../../security-schema.ts'
import { securityRefusal } from '../../security-words.ts'
import { authCall } from './auth-call.ts'
import { Day } from './day.tsx'
import { SettingList, SettingRow } from './setting-list.tsx'

/** Where the person is logged in, and logging out there. */
export function SessionsSetting({ sessions, now }: Pick<MySecurity, 'sessions' | 'now'>) {
  const { revalidate } = useRevalidator()
  const focus = useKeepFocus<HTMLElement>()
  const [ending, setEnding] = useState('')
  const [problem, setProblem] = useState('')
  const [asksForAll, setAsksForAll] = useState(false)

  /** What the list is now, also after a failure: somebody may have ended them elsewhere. */
  async function settle(failure: string | null) {
    const reading = revalidate()
    // Without a connection it would not come to an end.
    if (failure === null) await reading
    else setProblem(failure)
    setEnding('')
  }

  async function end(sessionId: string) {
    setProblem('')
    setEnding(sessionId)
    const failure = await import('./end-session-call.ts').then(
      ({ endSession }) => endSession(sessionId),
      () => cannotLoad,
    )
    await settle(failure)
    if (!failure) void toast.success('Logged out there')
  }

  async function endAllOthers() {
    setEnding('all')
    setProblem('')
    const reply = await authCall('/revoke-other-sessions', {})
    await settle(reply.ok ? null : securityRefusal(reply))
    if (!reply.ok) return
    setAsksForAll(false)
    void toast.success('Logged out everywhere else')
  }

  return (
    <Card>
      <CardHeader
        title="Active sessions"
        description="Where you are logged in. End what you do not know, and change your password."
      />
      <section {...focus} aria-label="Active sessions" className="grid gap-5 outline-offset-4">
        {problem && !asksForAll && <Banner tone="danger">{problem}</Banner>}
        <SettingList label="Your sessions">
          {sessions.map((session) => (
            <SettingRow
              key={session.id}
              title={
                <>
                  {session.device}
                  {session.current && <Badge tone="primary">This device</Badge>}
                  {session.aal === 'aal2' && <Badge tone="success">Two steps</Badge>}
                </>
              }
              details={
                <>
                  {session.address ?? 'Address unknown'}
                  {' · '}
                  {session.current ? 'In use now' : lastUse(session.lastUsedAt, now)}
                  {' · '}Logged in on <Day moment={session.createdAt} />
                </>
              }
              actions={
                !session.current && (
                  <Button
                    size="sm"
                    variant="secondary"
                    aria-label={`Log out on ${session.device}`}
                    busy={ending === session.id}
                    disabled={ending !== '' && ending !== session.id}
                    onClick={() => void end(session.id)}
                  >
                    Log out
                  </Button>
                )
              }
            />
          ))}
        </SettingList>
        {sessions.length > 1 && (
          <Button
            variant="secondary"
            className="justify-self-start"
            onClick={() => {
              setProblem('')
              setAsksForAll(true)
            }}
          >
            Log out everywhere else
          </Button>
        )}
      </section>
      <ConfirmDialog
        open={asksForAll}
        onOpenChange={setAsksForAll}
        title="Log out everywhere else?"
        description="You stay logged in on this device only."
        confirmLabel="Log out everywhere else"
        busyLabel="Logging out..."
        busy={ending === 'all'}
        error={problem}
        onConfirm={() => void endAllOthers()}
      />
    </Card>
  )
}
