import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { Banner } from '../../../../ui/banner.tsx'
import { Button } from '../../../../ui/button.tsx'
import { cannotLoad } from '../../../../ui/cannot-load.ts'
import { Card, CardHeader } from '../../../../ui/card.tsx'
import { useKeepFocus } from '../../../media/ui/keep-focus.ts'
import type { MySecurity } from '../../security-schema.ts'
import { connectRefusal, securityRefusal } from '../../security-words.ts'
import { Day } from './day.tsx'
import { useProof, useProvenCall } from './proof.tsx'
import { RemoveWayIn } from './remove-way-in.tsx'
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

function Disconnect({ identity: { id, name } }: { identity: Identity }) {
  const call = useProvenCall()
  return (
    <RemoveWayIn
      verb="Disconnect"
      name={name}
      description="You cannot log in with it any more. You can connect it again."
      onRemove={async () => {
        const reply = await call('/unlink-account', { accountId: id })
        return reply.ok || securityRefusal(reply)
      }}
      done={`${name} is disconnected`}
    />
  )
}

function RemoveTelephone({ phoneNumber }: { phoneNumber: string }) {
  const prove = useProof()

  const tryIt = () =>
    import('./remove-telephone-call.ts').then(
      ({ removeTelephone }) => removeTelephone(),
      () => cannotLoad,
    )

  async function remove() {
    let outcome = await tryIt()
    if (outcome === null && (await prove())) outcome = await tryIt()
    return outcome ?? ''
  }

  return (
    <RemoveWayIn
      verb="Remove"
      name={phoneNumber}
      label={`telephone ${phoneNumber}`}
      description="Nobody can log in or reset your password with it any more. Sessions that are open stay: you end them under Active sessions."
      onRemove={remove}
      done="The telephone number is removed"
    />
  )
}
