import { useRef, useState } from 'react'
import { useRevalidator } from 'react-router'
import { Banner } from '../../../../ui/banner.tsx'
import { Button } from '../../../../ui/button.tsx'
import { cannotLoad } from '../../../../ui/cannot-load.ts'
import { Card, CardHeader } from '../../../../ui/card.tsx'
import { toast } from '../../../../ui/toast.ts'
import { useHydrated } from '../../../../ui/use-hydrated.ts'
import { useKeepFocus } from '../../../media/ui/keep-focus.ts'
import type { MySecurity } from '../../security-schema.ts'
import { securityRefusal } from '../../security-words.ts'
import { Day } from './day.tsx'
import { NameDialog } from './name-dialog.tsx'
import { useProvenCall } from './proof.tsx'
import { RemoveWayIn } from './remove-way-in.tsx'
import { SettingList, SettingRow } from './setting-list.tsx'

type Passkey = MySecurity['passkeys'][number]

const loadMaking = () => import('./make-passkey.ts')
/** Whether this browser has all that making a passkey takes. */
const isAbleToMakePasskeys = () =>
  typeof PublicKeyCredential === 'function' &&
  typeof PublicKeyCredential.parseCreationOptionsFromJSON === 'function' &&
  typeof PublicKeyCredential.prototype.toJSON === 'function'

/** Logging in with the lock of a device instead of a password. */
export function PasskeysSetting({ passkeys }: { passkeys: Passkey[] }) {
  const call = useProvenCall()
  const { revalidate } = useRevalidator()
  const hydrated = useHydrated()
  const focus = useKeepFocus<HTMLElement>()
  const [naming, setNaming] = useState<{ passkey: Passkey | null; name: string } | null>(null)
  const isAble = hydrated && isAbleToMakePasskeys()
  const making = useRef(false)

  async function begin() {
    // Twice at once, the second press would be refused by the browser.
    if (making.current) return
    making.current = true
    const name = await loadMaking().then(
      ({ nameOfThisDevice }) => nameOfThisDevice(),
      () => 'Passkey',
    )
    making.current = false
    setNaming({ passkey: null, name })
  }

  async function save(name: string) {
    const renamed = naming?.passkey
    const reply = renamed
      ? await call('/passkey/update-passkey', { id: renamed.id, name })
      : await loadMaking().then(
          ({ makePasskey }) => makePasskey(call, name),
          () => null,
        )
    if (!reply) return cannotLoad
    if (!reply.ok) return securityRefusal(reply)
    setNaming(null)
    void revalidate()
    void toast.success(renamed ? 'The passkey is renamed' : 'The passkey is added')
    return ''
  }

  return (
    <Card>
      <CardHeader
        title="Passkeys"
        description="Log in with your fingerprint, face or screen lock. A passkey counts as both steps."
      />
      <section {...focus} aria-label="Passkeys" className="grid gap-5 outline-offset-4">
        {passkeys.length > 0 && (
          <SettingList label="Your passkeys">
            {passkeys.map((passkey) => (
              <SettingRow
                key={passkey.id}
                title={passkey.name}
                details={
                  <>
                    Added on <Day moment={passkey.createdAt} />
                  </>
                }
                actions={
                  <>
                    <Button
                      size="sm"
                      variant="ghost"
                      aria-label={`Rename ${passkey.name}`}
                      onClick={() => setNaming({ passkey, name: passkey.name })}
                    >
                      Rename
                    </Button>
                    <RemovePasskey passkey={passkey} />
                  </>
                }
              />
            ))}
          </SettingList>
        )}
        {hydrated && !isAble ? (
          <Banner>This browser cannot make passkeys. A newer one can.</Banner>
        ) : (
          <Button variant="secondary" className="justify-self-start" onClick={() => void begin()}>
            Add a passkey
          </Button>
        )}
      </section>
      {naming && (
        <NameDialog
          title={naming.passkey ? 'Rename the passkey' : 'Add a passkey'}
          description={
            naming.passkey
              ? 'Only you see the name.'
              : 'Give it a name by which you know it again. Then your device asks you to unlock it.'
          }
          confirmLabel={naming.passkey ? 'Rename' : 'Continue'}
          busyLabel={naming.passkey ? 'Renaming...' : 'Waiting for your device...'}
          name={naming.name}
          onCancel={() => setNaming(null)}
          onConfirm={save}
        />
      )}
    </Card>
  )
}

function RemovePasskey({ passkey: { id, name } }: { passkey: Passkey }) {
  const call = useProvenCall()
  return (
    <RemoveWayIn
      verb="Remove"
      name={name}
      description="Nobody can log in with it any more. Delete it on the device as well, so that it is not offered there."
      onRemove={async () => {
        const reply = await call('/passkey/delete-passkey', { id })
        return reply.ok || securityRefusal(reply)
      }}
      done="The passkey is removed"
    />
  )
}
