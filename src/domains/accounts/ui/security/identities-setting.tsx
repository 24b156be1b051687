import { useState } from 'react'
import { useRevalidator, useSearchParams } from 'react-router'
import { Banner } from '../../../../ui/banner.tsx'
import { Button } from '../../../../ui/button.tsx'
import { cannotLoad } from '../../../../ui/cannot-load.ts'
import { Card, CardHeader } from '../../../../ui/card.tsx'
import { ConfirmDialog } from '../../../../ui/confirm-dialog.tsx'
import { toast } from '../../../../ui/toast.ts'
import { useKeepFocus } from '../../../media/ui/keep-focus.ts'
import type { MySecurity } from '../../security-schema.ts'
import { connectRefusal, securityRefusal } from '../../security-words.ts'
import { Day } from './day.tsx'
import { useProof, useProvenCall } from './proof.tsx'
import { SettingList, SettingRow } from './setting-list.tsx'

type Identity = MySecurity['identities'][number]

/** Where another service sends the person back to, connected or not. */
const here = '/settings#security'

/** Logging in with an account at another service, or by telephone. */
export function IdentitiesSetting({
  phoneNumber,
  identities,
  connectable,
}: Pick<MySecurity, 'phoneNumber' | 'identities' | 'connectable'>) {
  const call = useProvenCall()
  const focus = useKeepFocus<HTMLElement>()
  const [search] = useSearchParams()
  const [problem, setProblem] = useState(connectRefusal(search.get('error')))
  const [leavingFor, setLeavingFor] = useState('')
  const isEmpty = !phoneNumber && identities.length === 0
  if (isEmpty && connectable.length === 0) return null

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
        description={`Log in with an account that you have elsewhere${phoneNumber ? ', or with a code to your telephone' : ''}. One way to log in always stays.`}
      />
      <section {...focus} aria-label="Connected accounts" className="grid gap-5 outline-offset-4">
        {problem && <Banner tone="danger">{problem}</Banner>}
        {!isEmpty && (
          <SettingList label="Your connected accounts">
            {phoneNumber && (
              <SettingRow
                title={`Telephone ${phoneNumber}`}
                details="Codes that we send there log you in, and can reset your password"
                actions={<RemoveTelephone phoneNumber={phoneNumber} />}
              />
            )}
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

function RemoveTelephone({ phoneNumber }: { phoneNumber: string }) {
  const prove = useProof()
  const { revalidate } = useRevalidator()
  const [asks, setAsks] = useState(false)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')

  async function remove() {
    setBusy(true)
    setProblem('')
    const tryIt = () =>
      import('./remove-telephone-call.ts').then(
        ({ removeTelephone }) => removeTelephone(),
        () => cannotLoad,
      )
    let failure = await tryIt()
    if (failure === null && (await prove())) failure = await tryIt()
    setBusy(false)
    if (failure !== '') return setProblem(failure ?? '')
    setAsks(false)
    void revalidate()
    void toast.success('The telephone number is removed')
  }

  return (
    <>
      <Button
        size="sm"
        variant="ghost"
        aria-label={`Remove telephone ${phoneNumber}`}
        onClick={() => {
          setProblem('')
          setAsks(true)
        }}
      >
        Remove
      </Button>
      <ConfirmDialog
        open={asks}
        onOpenChange={setAsks}
        title={`Remove ${phoneNumber}?`}
        description="Nobody can log in or reset your password with it any more. Sessions that are open stay: you end them under Active sessions."
        confirmLabel="Remove"
        busyLabel="Removing..."
        busy={busy}
        error={problem}
        onConfirm={() => void remove()}
      />
    </>
  )
}
