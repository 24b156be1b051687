import { and, eq, isNull, ne, or, type SQL, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { type PersonalData, type Person, personalTable } from '../../server/personal-data.ts'
import {
  identities,
  passkeys,
  rateLimits,
  sessions,
  signingKeys,
  ssoProviders,
  twoFactors,
  usedCodes,
  users,
  verifications,
  walletAddresses,
} from './tables.ts'

const secret = { withheld: 'opens the account' } as const
const alwaysYou = { withheld: 'always you' } as const
const internal = { withheld: 'means nothing outside this database' } as const

/** Under which names the one-time values and the counters of attempts know a person. */
const namesOf = ({ id, email, phoneNumber }: Person) =>
  phoneNumber === null ? [id, email] : [id, email, phoneNumber]

/** One-time values are a name, or an object in JSON with names in it. */
const valuesOf = (person: Person) =>
  or(
    ...namesOf(person).flatMap((name) => [
      sql`verifications.value = ${name}`,
      sql`position(${JSON.stringify(name)} in verifications.value) > 0`,
    ]),
  )!

/** A counter's key is its kind, a colon, then whom it counts, alone or before an address. */
const countedKeys = (person: Person) => {
  const whom = sql`lower(substr(rate_limits.key, position(':' in rate_limits.key) + 1))`
  return or(
    ...namesOf(person).map(
      (name) => sql`(${whom} = lower(${name}) or starts_with(${whom}, lower(${name}) || ' '))`,
    ),
  )!
}

/** Rows of these tables have no column for a person, so they do not go with the account by themselves. */
const withoutReference: { table: PgTable; rowsOf: (person: Person) => SQL }[] = [
  { table: verifications, rowsOf: valuesOf },
  { table: rateLimits, rowsOf: countedKeys },
]

export const accountsData: PersonalData = {
  tables: {
    account: personalTable(users, {
      about: 'Your account and your profile.',
      rowsOf: ({ id }) => eq(users.id, id),
      columns: {
        id: 'exported',
        email: 'exported',
        emailVerified: 'exported',
        phoneNumber: 'exported',
        phoneNumberVerified: 'exported',
        twoFactorEnabled: 'exported',
        name: 'exported',
        avatarUrl: 'exported',
        username: 'exported',
        bio: 'exported',
        website: 'exported',
        socialLinks: 'exported',
        verified: 'exported',
        role: 'exported',
        welcomedAt: 'exported',
        suspendedAt: 'exported',
        version: { withheld: 'a counter that keeps pages fresh' },
        createdAt: 'exported',
        updatedAt: 'exported',
      },
      onDeletion: 'deleted',
    }),
    sessions: personalTable(sessions, {
      about: 'The devices on which you are signed in.',
      rowsOf: ({ id }) => eq(sessions.userId, id),
      columns: {
        id: internal,
        token: secret,
        userId: alwaysYou,
        expiresAt: 'exported',
        ipAddress: 'exported',
        userAgent: 'exported',
        aal: 'exported',
        provenAt: 'exported',
        createdAt: 'exported',
        updatedAt: 'exported',
      },
      onDeletion: 'deleted',
    }),
    waysToLogIn: personalTable(identities, {
      about: 'A password (providerId is "credential") or an account at another service.',
      rowsOf: ({ id }) => eq(identities.userId, id),
      columns: {
        id: internal,
        userId: alwaysYou,
        providerId: 'exported',
        accountId: 'exported',
        password: { withheld: 'the hash of a password could be used to guess it' },
        accessToken: secret,
        refreshToken: secret,
        idToken: secret,
        accessTokenExpiresAt: { withheld: 'about a token that is withheld' },
        refreshTokenExpiresAt: { withheld: 'about a token that is withheld' },
        scope: 'exported',
        createdAt: 'exported',
        updatedAt: 'exported',
      },
      onDeletion: 'deleted',
    }),
    twoStepVerification: personalTable(twoFactors, {
      about: 'That you set up two-step verification.',
      rowsOf: ({ id }) => eq(twoFactors.userId, id),
      columns: {
        id: internal,
        userId: alwaysYou,
        secret,
        backupCodes: secret,
        verified: 'exported',
        failedVerificationCount: 'exported',
        lockedUntil: 'exported',
      },
      onDeletion: 'deleted',
    }),
    usedCodes: personalTable(usedCodes, {
      about: 'When a code of your authenticator app was used, kept for a short while.',
      rowsOf: ({ id }) => eq(usedCodes.userId, id),
      columns: { userId: alwaysYou, codeHash: secret, usedAt: 'exported' },
      onDeletion: 'deleted',
    }),
    passkeys: personalTable(passkeys, {
      about: 'Your passkeys.',
      rowsOf: ({ id }) => eq(passkeys.userId, id),
      columns: {
        id: internal,
        userId: alwaysYou,
        name: 'exported',
        publicKey: { withheld: 'of use only together with your device' },
        credentialID: { withheld: 'of use only together with your device' },
        counter: { withheld: 'of use only together with your device' },
        deviceType: 'exported',
        backedUp: 'exported',
        transports: 'exported',
        aaguid: 'exported',
        createdAt: 'exported',
      },
      onDeletion: 'deleted',
    }),
    walletAddresses: personalTable(walletAddresses, {
      about: 'The wallets with which you log in.',
      rowsOf: ({ id }) => eq(walletAddresses.userId, id),
      columns: {
        id: internal,
        userId: alwaysYou,
        address: 'exported',
        chainId: 'exported',
        isPrimary: 'exported',
        createdAt: 'exported',
      },
      onDeletion: 'deleted',
    }),
    loginServices: personalTable(ssoProviders, {
      about: 'The log-in services of organizations that you registered as an administrator.',
      rowsOf: ({ id }) => eq(ssoProviders.userId, id),
      columns: {
        id: internal,
        providerId: 'exported',
        issuer: 'exported',
        domain: 'exported',
        oidcConfig: { withheld: 'belongs to the organization, with its secrets' },
        samlConfig: { withheld: 'belongs to the organization, with its secrets' },
        organizationId: 'exported',
        userId: alwaysYou,
      },
      onDeletion: 'anonymised',
    }),
    oneTimeValues: personalTable(verifications, {
      about: 'Links and codes that you asked for and have not used yet.',
      rowsOf: valuesOf,
      columns: {
        id: internal,
        identifier: secret,
        value: secret,
        expiresAt: 'exported',
        createdAt: 'exported',
        updatedAt: 'exported',
      },
      onDeletion: 'deleted',
    }),
    attempts: personalTable(rateLimits, {
      about:
        'How often something was tried with your account lately, and until when that is counted.',
      rowsOf: countedKeys,
      columns: {
        key: { withheld: 'can hold the network address of somebody else who tried' },
        points: 'exported',
        expire: 'exported',
      },
      onDeletion: 'deleted',
    }),
  },
  aboutNobody: [{ table: signingKeys, because: 'keys of this installation' }],

  async consequences() {
    return [
      { text: 'Your profile, your log-ins and your notifications are deleted.', stays: false },
      { text: 'You are signed out on every device.', stays: false },
      { text: 'Your email address is forgotten, and free to sign up with again.', stays: false },
    ]
  },

  async hold(transaction, { isAdmin }) {
    // So that the last two administrators cannot leave at the same moment.
    if (isAdmin) {
      await transaction.execute(sql`select pg_advisory_xact_lock(hashtext('administrators leave'))`)
    }
  },

  async obstacle(executor, { person, isAdmin }) {
    if (!isAdmin) return null
    const [other] = await executor
      .select({ id: users.id })
      .from(users)
      .where(and(eq(users.role, 'admin'), ne(users.id, person.id), isNull(users.suspendedAt)))
      .limit(1)
    return other
      ? null
      : 'You are the only administrator. Make somebody else one first (npm run admin -- their@address), then delete your account.'
  },

  async leave(transaction, { person }) {
    for (const { table, rowsOf } of withoutReference) {
      await transaction.delete(table).where(rowsOf(person))
    }
  },
}
