import { api } from '../../server/api.ts'
import { recordAct } from '../administration/record-act.ts'
import { replayEvent } from './keep-event.ts'
import { eventsOf, providerState } from './queries.ts'

export const payments = {
  getPaymentEvents: api.payments.getPaymentEvents.handler(async ({ input, context }) => {
    const { pool, payments: provider } = context.services
    const [page, state] = await Promise.all([eventsOf(pool, input), providerState(pool)])
    return {
      ...page,
      provider: {
        ...state,
        mode: provider.mode,
        hasWebhookSecret: provider.webhookSecrets.length > 0,
        sandboxUrl: provider.sandbox ? '/sandbox/stripe/dashboard' : null,
      },
    }
  }),

  replayPaymentEvent: api.payments.replayPaymentEvent.handler(
    async ({ input, context, errors }) => {
      const { services, viewer } = context
      const event = await services.db.transaction(async (transaction) => {
        const replayed = await replayEvent(transaction, input.eventId)
        if (replayed) {
          await recordAct(transaction, {
            actorId: viewer.id,
            action: 'replay_event',
            subject: { kind: 'payment_event', id: replayed.id, name: replayed.type },
          })
        }
        return replayed
      })
      if (!event) throw errors.NOT_FOUND({ message: 'There is no such event.' })
      return event
    },
  ),
}
