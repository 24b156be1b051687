import { api } from '../../server/api.ts'
import type { Services } from '../../server/services.ts'
import { planOf } from '../billing/plan.ts'
import { drawChallenge } from './draw-challenge.ts'
import { enterChallenge, withdrawEntry } from './enter-challenge.ts'
import {
  allChallenges,
  anyChallenge,
  challengeList,
  challengePage,
  entryOf,
  publicDraw,
} from './queries.ts'
import {
  cancelChallenge,
  createChallenge,
  publishChallenge,
  updateChallenge,
} from './run-challenge.ts'
import { makeSeed } from './seed.ts'

const gone = { message: 'Challenge not found' }

async function myEntry({ pool, db }: Services, slug: string, userId: string) {
  const found = await entryOf(pool, slug, userId)
  return found && { ...found, plan: await planOf(db, userId) }
}

/** As administrators see it. None is ever deleted, so what was done to it a moment ago is there. */
const shown = async ({ pool }: Services, challengeId: string) =>
  (await anyChallenge(pool, challengeId))!

export const challenges = {
  listChallenges: api.challenges.listChallenges.handler(({ context }) =>
    challengeList(context.services.pool),
  ),

  getChallenge: api.challenges.getChallenge.handler(async ({ input, context, errors }) => {
    const found = await challengePage(context.services.pool, input.slug)
    if (!found) throw errors.NOT_FOUND(gone)
    return found
  }),

  getDraw: api.challenges.getDraw.handler(async ({ input, context, errors }) => {
    const found = await publicDraw(context.services.pool, input.slug)
    if (!found) throw errors.NOT_FOUND(gone)
    return found
  }),

  getMyEntry: api.challenges.getMyEntry.handler(async ({ input, context, errors }) => {
    const mine = await myEntry(context.services, input.slug, context.viewer.id)
    if (!mine) throw errors.NOT_FOUND(gone)
    return mine
  }),

  enterChallenge: api.challenges.enterChallenge.handler(async ({ input, context, errors }) => {
    const { services, viewer } = context
    await services.db.transaction(async (transaction) => {
      const result = await enterChallenge(transaction, { ...input, userId: viewer.id })
      if (result === 'gone') throw errors.NOT_FOUND(gone)
      if (result === 'not open') throw errors.NOT_OPEN()
      if (result === 'free') throw errors.PRO_ONLY()
      if (result === 'no such course') {
        throw errors.NOT_FOUND({ message: 'Please choose a published course of yours' })
      }
    })
    return (await myEntry(services, input.slug, viewer.id))!
  }),

  withdrawEntry: api.challenges.withdrawEntry.handler(async ({ input, context, errors }) => {
    const { services, viewer } = context
    await services.db.transaction(async (transaction) => {
      const result = await withdrawEntry(transaction, { slug: input.slug, userId: viewer.id })
      if (result === 'gone') throw errors.NOT_FOUND(gone)
      if (result === 'not open') throw errors.NOT_OPEN()
    })
    return (await myEntry(services, input.slug, viewer.id))!
  }),

  getAllChallenges: api.challenges.getAllChallenges.handler(async ({ input, context, errors }) => {
    const page = await allChallenges(context.services.pool, input.cursor)
    if (!page) throw errors.BAD_REQUEST({ message: 'This is not a place in the list' })
    return page
  }),

  getAnyChallenge: api.challenges.getAnyChallenge.handler(async ({ input, context, errors }) => {
    const found = await anyChallenge(context.services.pool, input.challengeId)
    if (!found) throw errors.NOT_FOUND(gone)
    return found
  }),

  createChallenge: api.challenges.createChallenge.handler(async ({ input, context }) => {
    const { services, viewer } = context
    const seed = await makeSeed(services.secret)
    const id = await services.db.transaction((transaction) =>
      createChallenge(transaction, viewer.id, { ...input, ...seed }),
    )
    return shown(services, id)
  }),

  updateChallenge: api.challenges.updateChallenge.handler(async ({ input, context, errors }) => {
    const { services, viewer } = context
    await services.db.transaction(async (transaction) => {
      const result = await updateChallenge(transaction, viewer.id, input)
      if (result === 'gone') throw errors.NOT_FOUND(gone)
      if (result === 'not draft') throw errors.NOT_DRAFT()
      if (result === 'changed') throw errors.DRAFT_CHANGED()
    })
    return shown(services, input.challengeId)
  }),

  publishChallenge: api.challenges.publishChallenge.handler(async ({ input, context, errors }) => {
    const { services, viewer } = context
    await services.db.transaction(async (transaction) => {
      const publication = { adminId: viewer.id, challengeId: input.challengeId }
      const result = await publishChallenge(transaction, services.secret, publication)
      if (result === 'gone') throw errors.NOT_FOUND(gone)
      if (result === 'not draft') throw errors.NOT_DRAFT()
      if (result === 'too late') throw errors.TOO_LATE()
    })
    return shown(services, input.challengeId)
  }),

  cancelChallenge: api.challenges.cancelChallenge.handler(async ({ input, context, errors }) => {
    const { services, viewer } = context
    await services.db.transaction(async (transaction) => {
      const result = await cancelChallenge(transaction, viewer.id, input)
      if (result === 'gone') throw errors.NOT_FOUND(gone)
      if (result === 'too late') throw errors.TOO_LATE()
    })
    return shown(services, input.challengeId)
  }),

  drawChallenge: api.challenges.drawChallenge.handler(async ({ input, context, errors }) => {
    const { services, viewer } = context
    await services.db.transaction(async (transaction) => {
      const draw = { adminId: viewer.id, challengeId: input.challengeId }
      const result = await drawChallenge(transaction, services.secret, draw)
      if (result === 'gone') throw errors.NOT_FOUND(gone)
      if (result === 'not closed') throw errors.NOT_CLOSED()
      if (result === 'no entries') throw errors.NO_ENTRIES()
      if (result === 'seed unreadable') throw errors.SEED_UNREADABLE()
    })
    return shown(services, input.challengeId)
  }),
}
