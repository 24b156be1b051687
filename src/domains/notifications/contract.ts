import { eventIterator } from '@orpc/contract'
import { row } from '../../contract-row.ts'
import { liveEvent } from './schema.ts'

export const realtime = {
  /** A stream (text/event-stream) of what happens to the signed-in person; one per tab. */
  watchEvents: row(
    'signedIn',
    'GET',
    '/realtime/v1/events',
    'What happens to me, as it happens',
  ).output(eventIterator(liveEvent)),
}
