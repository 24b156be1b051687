import { KeyRound, Plus } from 'lucide-react'
import { Fragment, useState } from 'react'
import { useRevalidator } from 'react-router'
import { Badge } from '../../../ui/badge.tsx'
import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import { cannotLoad } from '../../../ui/cannot-load.ts'
import { Card, CardHeader } from '../../../ui/card.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { toast } from '../../../ui/toast.ts'
import { lastUse } from '../../accounts/last-use.ts'
import { Day } from '../../accounts/ui/security/day.tsx'
import { SettingList, SettingRow } from '../../accounts/ui/security/setting-list.tsx'
import { useKeepFocus } from '../../media/ui/keep-focus.ts'
import { mostTokens } from '../rules.ts'
import type { PersonalToken } from '../schema.ts'
import { CreateTokenDialog } from './create-token-dialog.tsx'
import { ShownTokenDialog } from './shown-token-dialog.tsx'

/** The tokens with which a person's programs call the API. */
export function AccessTokens({ tokens, now }: { tokens: PersonalToken[]; now: string }) {
  const { revalidate } = useRevalidator()
  const focus = useKeepFocus<HTMLElement>()
  const [isAdding, setIsAdding] = useState(false)
  const [secret, setSecret] = useState('')
  const isFull = tokens.length >= mostTokens
  return (
    <Card>
      <CardHeader
        title="Access tokens"
        description={
          <>
            With a token your own programs call the API in your name, within what you allow.{' '}
            <a href="/docs" className="font-medium text-primary underline">
              How to call the API
            </a>
          </>
        }
        actions={
          tokens.length > 0 && (
            <Button
              size="sm"
              aria-haspopup="dialog"
              disabled={isFull}
              onClick={() => setIsAdding(true)}
            >
              <span className="flex items-center gap-2">
                <Plus size={16} aria-hidden />
                Add Token
              </span>
            </Button>
          )
        }
      />
      <section {...focus} aria-label="Access tokens" className="grid gap-5 outline-offset-4">
        {tokens.length === 0 ? (
          <EmptyState
            icon={KeyRound}
            title="No access tokens yet"
            description="Add one for each program, so that you can end them one by one."
            action={
              <Button aria-haspopup="dialog" onClick={() => setIsAdding(true)}>
                Add Token
              </Button>
            }
          />
        ) : (
          <>
            <SettingList label="Your access tokens">
              {tokens.map((token) => (
                <TokenRow key={token.id} token={token} now={now} />
              ))}
            </SettingList>
            {isFull && (
              <Banner tone="warning">
                You have {mostTokens} access tokens, which is the most. Revoke one that you do not
                need any more.
              </Banner>
            )}
          </>
        )}
      </section>
      {isAdding && (
        <CreateTokenDialog
          onCancel={() => setIsAdding(false)}
          onMade={(made) => {
            setIsAdding(false)
            setSecret(made)
            void revalidate()
          }}
        />
      )}
      {secret && <ShownTokenDialog secret={secret} onStored={() => setSecret('')} />}
    </Card>
  )
}

function TokenRow({ token, now }: { token: PersonalToken; now: string }) {
  const { name, ending, scopes, expiresAt, isExpired, lastUsedAt } = token
  return (
    <SettingRow
      title={
        <>
          {name}
          {isExpired && <Badge tone="warning">Expired</Badge>}
        </>
      }
      details={
        <>
          <span className="font-mono">pat_…{ending}</span>
          {' · '}
          {lastUsedAt ? lastUse(lastUsedAt, now) : 'Never used'}
          {' · '}
          {expiresAt ? (
            <>
              {isExpired ? 'Expired' : 'Expires'} on <Day moment={expiresAt} />
            </>
          ) : (
            'Never expires'
          )}
          <span className="block">
            {scopes.map((scope, index) => (
              <Fragment key={scope}>
                {index > 0 && ', '}
                <code>{scope}</code>
              </Fragment>
            ))}
          </span>
        </>
      }
      actions={<RevokeToken token={token} />}
    />
  )
}

function RevokeToken({ token: { id, name } }: { token: PersonalToken }) {
  const { revalidate } = useRevalidator()
  const [asks, setAsks] = useState(false)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')

  async function revoke() {
    setBusy(true)
    const failure = await import('./token-calls.ts').then(
      ({ revokeToken }) => revokeToken(id),
      () => cannotLoad,
    )
    setBusy(false)
    if (failure) return setProblem(failure)
    setAsks(false)
    void revalidate()
    void toast.success('The token is revoked')
  }

  return (
    <>
      <Button
        size="sm"
        variant="ghost"
        aria-label={`Revoke ${name}`}
        onClick={() => {
          setProblem('')
          setAsks(true)
        }}
      >
        Revoke
      </Button>
      <ConfirmDialog
        open={asks}
        onOpenChange={setAsks}
        title={`Revoke ${name}?`}
        description="Programs that use it are refused from now on. This cannot be undone."
        confirmLabel="Revoke"
        busyLabel="Revoking..."
        busy={busy}
        error={problem}
        onConfirm={() => void revoke()}
      />
    </>
  )
}
