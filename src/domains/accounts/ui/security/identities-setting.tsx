import { useState } from 'react'
import { useRevalidator, useSearchParams } from 'react-router'
import { Banner } from '../../../../ui/banner.tsx'
import { Button } from '../../../../ui/button.tsx'
import { Card, CardHeader } from '../../../../ui/card.tsx'
import { ConfirmDialog } from '../../../../ui/confirm-dialog.tsx'
import { toast } from '../../../../ui/toast.ts'
import { useKeepFocus } from '../../../media/ui/keep-focus.ts'
import type { MySecurity } from '../../security-schema.ts'
import { connectRefusal, securityRefusal } from '../../security-words.ts'
import { Day } from './day.tsx'
import { useProvenCall } from './proof.tsx'
import { SettingList, SettingRow } from './setting-list.tsx'

type Identity = MySecurity['identities'][number]

/** Where another service sends the person back to, connected or not. */
const here = '/settings#security'

/** Logging in with an account at another service. */
export function IdentitiesSetting({
  identities,
  connectable,
}: Pick<MySecurity, 'identities' | 'connectable'>) {
  const call = useProvenCall()
  const focus = useKeepFocus<HTMLElement>()
  const [search] = useSearchParams()
  const [problem, setProblem] = useState(connectRefusal(search.get('error')))
  const [leavingFor, setLeavingFor] = useState('')
  if (identities.length === 0 && connectable.length === 0) return null

  async function connect(provider: string) {
    setProblem('')
    setLeavingFor(provider)
    const reply = await call('/link-social', {
      provider,
      callbackURL: here,
      errorCallbackURL: here,
      disableRedirect: true,
    })
    if (reply.ok && typeof reply.body.url === 'string') return location.assign(reply.body.url)
    setLeavingFor('')
    setProblem(securityRefusal(reply))
  }

  return (
    <Card>
      <CardHeader
        title="Connected accounts"
        description="Log in with an account that you have elsewhere. One way to log in always stays."
      />
      <section {...focus} aria-label="Connected accounts" className="grid gap-5 outline-offset-4">
        {problem && <Banner tone="danger">{problem}</Banner>}
        {identities.length > 0 && (
          <SettingList label="Your connected accounts">
            {identities.map((identity) => (
              <SettingRow
                key={identity.id}
                title={identity.name}
                details={
                  <>
                    Connected on <Day moment={identity.createdAt} />
                  </>
                }
                actions={<Disconnect identity={identity} />}
              />
            ))}
          </SettingList>
        )}
        {connectable.length > 0 && (
          <div className="flex flex-wrap gap-3">
            {connectable.map(({ id, name }) => (
              <Button
                key={id}
                variant="secondary"
                busy={leavingFor === id}
                busyText="Connecting..."
                disabled={leavingFor !== '' && leavingFor !== id}
                onClick={() => void connect(id)}
              >
                Connect {name}
              </Button>
            ))}
          </div>
        )}
      </section>
    </Card>
  )
}

function Disconnect({ identity }: { identity: Identity }) {
  const call = useProvenCall()
  const { revalidate } = useRevalidator()
  const [asks, setAsks] = useState(false)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')

  async function disconnect() {
    setBusy(true)
    const reply = await call('/unlink-account', { accountId: identity.id })
    setBusy(false)
    if (!reply.ok) return setProblem(securityRefusal(reply))
    setAsks(false)
    void revalidate()
    void toast.success(`${identity.name} is disconnected`)
  }

  return (
    <>
      <Button
        size="sm"
        variant="ghost"
        aria-label={`Disconnect ${identity.name}`}
        onClick={() => {
          setProblem('')
          setAsks(true)
        }}
      >
        Disconnect
      </Button>
      <ConfirmDialog
        open={asks}
        onOpenChange={setAsks}
        title={`Disconnect ${identity.name}?`}
        description="You cannot log in with it any more. You can connect it again."
        confirmLabel="Disconnect"
        busyLabel="Disconnecting..."
        busy={busy}
        error={problem}
        onConfirm={() => void disconnect()}
      />
    </>
  )
}
