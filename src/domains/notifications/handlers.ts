import { api } from '../../server/api.ts'

export const realtime = {
  watchEvents: api.realtime.watchEvents.handler(async function* ({ context, signal }) {
    yield* context.services.events.watch(context.viewer, signal)
  }),
}
