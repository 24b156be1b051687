import { api } from '../../server/api.ts'
import { identityProviders } from '../../server/auth/identity-providers.ts'
import { waitLabel } from '../../server/rate-limits.ts'
import { transactionAgain } from '../../server/transaction-again.ts'
import { profileCounts, profileCourses } from '../courses/queries.ts'
import { ownCourses } from '../courses/own-courses.ts'
import { avatarUrl } from '../media/rules.ts'
import { earningsInTheWay } from '../payouts/leave-earnings.ts'
import { profileReviews } from '../reviews/queries.ts'
import {
  consequencesOf,
  deleteAccount,
  hasFreshLogIn,
  obstacleOf,
  passwordHashOf,
  personById,
  proveOwner,
} from './delete-account.ts'
import { endSession } from './end-session.ts'
import { mySecurity } from './my-security.ts'
import { hasSsoProvider, myProfile, profileOf, usernameByName } from './queries.ts'
import { postWarning } from './send-account-mail.ts'
import { setAvatar } from './set-avatar.ts'
import { shellOf } from './shell-of.ts'
import { mailboxOf } from './shown-email.ts'
import { updateProfile } from './update-profile.ts'
import { removeTelephone } from './ways-in.ts'

/** The longest name or username that anybody can have. */
const longestName = 80

export const accounts = {
  getMe: api.accounts.getMe.handler(async ({ context: { visitor, services } }) => {
    if (!visitor) return null
    const suspended = visitor.suspendedAt !== null
    const email = mailboxOf(visitor.email)
    return { ...visitor, email, suspended, ...(await shellOf(services.pool, visitor.id)) }
  }),

  getSignInWays: api.accounts.getSignInWays.handler(async ({ context: { services } }) => {
    const { auth, config, db, features } = services
    // One that could not be reached when this process started is configured, but does not work.
    const { socialProviders } = await auth.$context
    const works = ({ id }: { id: string }) => socialProviders.some((found) => found.id === id)
    return {
      signUpOpen: config.signUpOpen && !features.off.sign_up,
      confirmsEmail: config.confirmsEmail,
      providers: identityProviders(config.identityProviders).filter(works),
      sso: await hasSsoProvider(db),
    }
  }),

  getMyProfile: api.accounts.getMyProfile.handler(({ context: { viewer, services } }) =>
    myProfile(services.db, viewer.id),
  ),

  updateMyProfile: api.accounts.updateMyProfile.handler(({ input, context, errors }) => {
    const { services, viewer } = context
    return services.db.transaction(async (transaction) => {
      const updated = await updateProfile(transaction, viewer.id, input)
      if (updated === 'changed') throw errors.PROFILE_CHANGED()
      if (updated === 'taken') throw errors.USERNAME_TAKEN()
      return updated
    })
  }),

  setMyAvatar: api.accounts.setMyAvatar.handler(({ input: { mediaId }, context, errors }) => {
    const { services, viewer } = context
    return services.db.transaction(async (transaction) => {
      if (!(await setAvatar(transaction, viewer.id, mediaId))) {
        throw errors.BAD_REQUEST({ message: 'The picture was not found. Please upload it again.' })
      }
      return { avatarUrl: avatarUrl(mediaId) }
    })
  }),

  removeMyAvatar: api.accounts.removeMyAvatar.handler(async ({ context: { viewer, services } }) => {
    await services.db.transaction((transaction) => setAvatar(transaction, viewer.id, null))
    return { avatarUrl: null }
  }),

  getMySecurity: api.accounts.getMySecurity.handler(
    async ({ context: { viewer, services }, errors }) => {
      const security = await mySecurity(services, viewer)
      if (!security) throw errors.UNAUTHORIZED()
      return security
    },
  ),

  endMySession: api.accounts.endMySession.handler(
    async ({ input: { sessionId }, context: { viewer, services }, errors }) => {
      await services.db.transaction(async (transaction) => {
        const session = { userId: viewer.id, sessionId }
        if (!(await endSession(transaction, session))) {
          throw errors.NOT_FOUND({ message: 'This session has ended already.' })
        }
      })
      return { ended: true as const }
    },
  ),

  removeMyTelephone: api.accounts.removeMyTelephone.handler(
    ({ context: { viewer, services }, errors }) =>
      services.db.transaction(async (transaction) => {
        const removal = await removeTelephone(transaction, viewer)
        if (removal === 'signed out') throw errors.UNAUTHORIZED()
        if (removal === 'not there') {
          throw errors.NOT_FOUND({ message: 'No telephone number is connected to your account.' })
        }
        if (removal === 'last') throw errors.LAST_WAY_IN()
        await postWarning(transaction, services.secret, viewer.id, 'telephone-removed')
        return { removed: true as const }
      }),
  ),

  previewAccountDeletion: api.accounts.previewAccountDeletion.handler(
    async ({ context: { viewer, services }, errors }) => {
      const { db } = services
      const person = await personById(db, viewer.id)
      if (!person) throw errors.UNAUTHORIZED()
      // What is chosen for courses with members, and for earnings, is asked for, not an obstacle.
      const leaving = {
        person,
        isAdmin: viewer.role === 'admin',
        membersCourses: 'keep' as const,
        givesUpEarnings: true,
        earningsGivenUp: null,
        offersPaypal: services.paypal !== null,
      }
      const [obstacle, hash, courses, consequences, earningsToGiveUp] = await Promise.all([
        obstacleOf(db, leaving),
        passwordHashOf(db, viewer.id),
        ownCourses(db, viewer.id),
        consequencesOf(db, person, leaving),
        earningsInTheWay(db, viewer.id, leaving),
      ])
      const proof = hash === null ? ('recent log-in' as const) : ('password' as const)
      const proven = proof === 'password' || hasFreshLogIn(viewer)
      return {
        email: mailboxOf(person.email),
        obstacle,
        proof,
        proven,
        courses,
        consequences,
        earningsToGiveUp,
        isSuspended: viewer.suspendedAt !== null,
      }
    },
  ),

  deleteAccount: api.accounts.deleteAccount.handler(async ({ input, context, errors }) => {
    const { services, viewer } = context
    const proof = await proveOwner(services, viewer, input.password)
    if (proof === 'password missing') throw errors.BAD_REQUEST({ message: 'Password is required' })
    if (proof === 'wrong password') throw errors.WRONG_PASSWORD()
    if (proof === 'log-in too old') throw errors.LOG_IN_AGAIN()
    if (proof !== 'proven') {
      throw errors.TOO_MANY_ATTEMPTS({
        message: `Too many attempts. Please try again in ${waitLabel(proof.seconds)}.`,
      })
    }
    // Whoever completes a course holds its lesson, and then needs this person for the certificate.
    await transactionAgain(services.db, async (transaction) => {
      const result = await deleteAccount(
        transaction,
        services,
        viewer.id,
        {
          membersCourses: input.membersCourses ?? null,
          givesUpEarnings: input.giveUpEarnings,
          earningsGivenUp: input.earningsGivenUp ?? null,
        },
        viewer,
      )
      if (result === 'signed out') throw errors.UNAUTHORIZED()
      if (typeof result === 'object') throw errors.OBSTACLE({ message: result.obstacle })
    })
    return { deleted: true as const }
  }),

  getProfile: api.accounts.getProfile.handler(async ({ input, context: { services }, errors }) => {
    const { db, pool } = services
    const { tab, show } = input
    const username = input.username.replaceAll('\0', '').toWellFormed().trim()
    const profile =
      username.length <= longestName
        ? ((await profileOf(pool, username.toLowerCase())) ??
          (await profileOf(pool, (await usernameByName(db, username)) ?? '')))
        : null
    if (!profile) throw errors.NOT_FOUND({ message: 'User not found' })
    const [counts, list] = await Promise.all([
      profileCounts(pool, profile.id),
      tab === 'reviews'
        ? profileReviews(pool, profile.id, show)
        : profileCourses(pool, profile.id, tab, show),
    ])
    return { ...profile, ...counts, tab, courses: [], reviews: [], ...list }
  }),
}
