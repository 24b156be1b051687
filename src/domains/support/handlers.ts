import { api } from '../../server/api.ts'
import { networkOf } from '../../server/network-of.ts'
import type { Services } from '../../server/services.ts'
import { answerRequest, closeRequest } from './answer-request.ts'
import { ownRequests, ownThread, queuedThread, queueOf } from './queries.ts'
import { sendRequest } from './send-request.ts'
import { closeOwnRequest, writeToSupport } from './write-to-support.ts'

const wrongPlace = { message: 'This is not a place in the list' }
const requestGone = { message: 'Request not found' }

const waitFor = (seconds: number) =>
  ({
    message: `You have written to us a lot. Please wait ${seconds > 90 ? `${Math.ceil(seconds / 60)} minutes` : 'a minute'}, then send it again.`,
  }) as const

/** Seconds to wait before somebody without an account may send something. */
async function strangersWait(
  { rateLimits }: Services,
  { address, email }: { address: string; email: string },
): Promise<number> {
  const ofAddress = await rateLimits.supportByAddress.count(networkOf(address))
  if (ofAddress > 0) return ofAddress
  return rateLimits.supportByRecipient.count(email.toLowerCase())
}

/** Of what is not there, or somebody else's, nothing is told. */
async function orGone<Thread>(
  thread: Promise<Thread | null>,
  errors: { NOT_FOUND(refusal: typeof requestGone): Error },
): Promise<Thread> {
  const found = await thread
  if (!found) throw errors.NOT_FOUND(requestGone)
  return found
}

export const support = {
  sendSupportRequest: api.support.sendSupportRequest.handler(async ({ input, context, errors }) => {
    const { services, visitor, address } = context
    const { website, topic, subject, message } = input
    if (website !== '') throw errors.FILLED_TRAP()
    const { name, email } = visitor ?? input
    if (name === undefined) throw errors.BAD_REQUEST({ message: 'Please tell us your name' })
    if (email === undefined) throw errors.BAD_REQUEST({ message: 'Email address is required' })
    const seconds = visitor
      ? await services.rateLimits.supportByAccount.count(visitor.id)
      : await strangersWait(services, { address, email })
    if (seconds > 0) throw errors.TOO_MANY(waitFor(seconds))
    const userId = visitor?.id ?? null
    const sent = await services.db.transaction((transaction) =>
      sendRequest(transaction, { userId, name, email, topic, subject, message }),
    )
    return { requestId: userId && sent.requestId, priority: sent.priority }
  }),

  getMySupportRequests: api.support.getMySupportRequests.handler(
    async ({ input, context, errors }) => {
      const page = await ownRequests(context.services.pool, context.viewer.id, input.cursor)
      if (!page) throw errors.BAD_REQUEST(wrongPlace)
      return page
    },
  ),

  getMySupportRequest: api.support.getMySupportRequest.handler(({ input, context, errors }) => {
    const own = { userId: context.viewer.id, requestId: input.requestId }
    return orGone(ownThread(context.services.pool, own), errors)
  }),

  writeToSupport: api.support.writeToSupport.handler(async ({ input, context, errors }) => {
    const { services, viewer } = context
    const own = { userId: viewer.id, requestId: input.requestId }
    // Who guesses at requests of others is not counted: nothing is written.
    await orGone(ownThread(services.pool, own), errors)
    const seconds = await services.rateLimits.supportByAccount.count(viewer.id)
    if (seconds > 0) throw errors.TOO_MANY(waitFor(seconds))
    await services.db.transaction(async (transaction) => {
      const result = await writeToSupport(transaction, { ...own, message: input.message })
      if (result === 'too long') throw errors.TOO_LONG()
    })
    return orGone(ownThread(services.pool, own), errors)
  }),

  closeMySupportRequest: api.support.closeMySupportRequest.handler(
    async ({ input, context, errors }) => {
      const { services, viewer } = context
      const own = { userId: viewer.id, requestId: input.requestId }
      await services.db.transaction((transaction) => closeOwnRequest(transaction, own))
      return orGone(ownThread(services.pool, own), errors)
    },
  ),

  getSupportQueue: api.support.getSupportQueue.handler(async ({ input, context, errors }) => {
    const page = await queueOf(context.services.pool, input)
    if (!page) throw errors.BAD_REQUEST(wrongPlace)
    return page
  }),

  getSupportRequest: api.support.getSupportRequest.handler(({ input, context, errors }) =>
    orGone(queuedThread(context.services.pool, input.requestId), errors),
  ),

  answerSupportRequest: api.support.answerSupportRequest.handler(
    async ({ input, context, errors }) => {
      const { services, viewer } = context
      await services.db.transaction(async (transaction) => {
        const result = await answerRequest(transaction, { ...input, adminId: viewer.id })
        if (result === 'too long') throw errors.TOO_LONG()
        if (result === 'written meanwhile') throw errors.WRITTEN_MEANWHILE()
      })
      return orGone(queuedThread(services.pool, input.requestId), errors)
    },
  ),

  closeSupportRequest: api.support.closeSupportRequest.handler(
    async ({ input, context, errors }) => {
      const { services, viewer } = context
      await services.db.transaction(async (transaction) => {
        const result = await closeRequest(transaction, { ...input, adminId: viewer.id })
        if (result === 'written meanwhile') throw errors.WRITTEN_MEANWHILE()
      })
      return orGone(queuedThread(services.pool, input.requestId), errors)
    },
  ),
}
