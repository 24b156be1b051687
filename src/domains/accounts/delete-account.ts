import { and, eq, isNotNull } from 'drizzle-orm'
import { personalData } from '../../personal-data.ts'
import type { Executor, Transaction } from '../../server/db.ts'
import type { Consequence, Leaving, Person } from '../../server/personal-data.ts'
import type { Services } from '../../server/services.ts'
import type { Viewer } from '../../server/viewer.ts'
import { endStreamsOfSession } from '../../server/publish.ts'
import { isFresh } from './leaving-rules.ts'
import { postAccountMail } from './send-account-mail.ts'
import { identities, sessions, users } from './tables.ts'
import { holdSession } from './hold-session.ts'

export async function personById(executor: Executor, userId: string): Promise<Person | null> {
  const [person] = await executor
    .select({ id: users.id, email: users.email, phoneNumber: users.phoneNumber })
    .from(users)
    .where(eq(users.id, userId))
  return person ?? null
}

/** What every domain says about the account before it is deleted; what goes comes first. */
export async function consequencesOf(
  executor: Executor,
  person: Person,
  here: Pick<Leaving, 'offersPaypal'>,
): Promise<Consequence[]> {
  const said: Consequence[] = []
  for (const { consequences } of personalData) {
    said.push(...((await consequences?.(executor, person, here)) ?? []))
  }
  return [...said.filter(({ stays }) => !stays), ...said.filter(({ stays }) => stays)]
}

/** Why this person cannot leave now, in words; null when nothing is in the way. */
export async function obstacleOf(executor: Executor, leaving: Leaving): Promise<string | null> {
  for (const { obstacle } of personalData) {
    const found = await obstacle?.(executor, leaving)
    if (found) return found
  }
  return null
}

/** Null for an account without one. */
export async function passwordHashOf(executor: Executor, userId: string): Promise<string | null> {
  const [identity] = await executor
    .select({ password: identities.password })
    .from(identities)
    .where(
      and(
        eq(identities.userId, userId),
        eq(identities.providerId, 'credential'),
        isNotNull(identities.password),
      ),
    )
  return identity?.password ?? null
}

type Proof =
  | 'proven'
  | 'password missing'
  | 'wrong password'
  | 'log-in too old'
  | { seconds: number }

/** A log-in just now, which an access token is not, however new the session that it was made in. */
export const hasFreshLogIn = ({ byToken, provenAt }: Viewer) => !byToken && isFresh(provenAt)

/** Whether it is the owner who asks: by the password, where there is one, else by a recent log-in. */
export async function proveOwner(
  { db, auth, rateLimits }: Services,
  viewer: Viewer,
  password: string,
): Promise<Proof> {
  const hash = await passwordHashOf(db, viewer.id)
  if (hash === null) return hasFreshLogIn(viewer) ? 'proven' : 'log-in too old'
  if (password === '') return 'password missing'
  // Counted before the password is looked at, so that guesses sent all at once are as few as others.
  const seconds = await rateLimits.deletionByAccount.count(viewer.id)
  if (seconds > 0) return { seconds }
  const { verify } = (await auth.$context).password
  return (await verify({ hash, password })) ? 'proven' : 'wrong password'
}

/**
 * Deletes the account with everything of every domain that is the person's, or answers why not. `gone`
 * when another request was faster. The files, and the mail that says goodbye, follow the commit.
 */
export async function deleteAccount(
  transaction: Transaction,
  { secret, paypal }: Pick<Services, 'secret' | 'paypal'>,
  userId: string,
  choices: Pick<Leaving, 'membersCourses' | 'givesUpEarnings'> &
    Partial<Pick<Leaving, 'earningsGivenUp'>>,
  /** Who asks for it, in whose session: when that is over, it may have been a stranger. */
  viewer?: Viewer,
): Promise<'deleted' | 'gone' | 'signed out' | { obstacle: string }> {
  // From here on nobody can store anything that refers to this person.
  const [account] = await transaction
    .select({
      id: users.id,
      email: users.email,
      phoneNumber: users.phoneNumber,
      name: users.name,
      role: users.role,
    })
    .from(users)
    .where(eq(users.id, userId))
    .for('update')
  if (!account) return 'gone'
  const { id, email, phoneNumber, name, role } = account
  if (viewer && !(await holdSession(transaction, viewer))) return 'signed out'
  const leaving = {
    person: { id, email, phoneNumber },
    isAdmin: role === 'admin',
    offersPaypal: paypal !== null,
    earningsGivenUp: null,
    ...choices,
  }
  for (const { hold } of personalData) await hold?.(transaction, leaving)
  const obstacle = await obstacleOf(transaction, leaving)
  if (obstacle) return { obstacle }
  for (const { leave } of personalData) await leave?.(transaction, leaving)
  const open = await transaction
    .delete(sessions)
    .where(eq(sessions.userId, id))
    .returning({ id: sessions.id })
  for (const session of open) await endStreamsOfSession(transaction, session.id)
  await transaction.delete(users).where(eq(users.id, id))
  await postAccountMail(transaction, secret, { kind: 'goodbye', to: email, name })
  return 'deleted'
}
